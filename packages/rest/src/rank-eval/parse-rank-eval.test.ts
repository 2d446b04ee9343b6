import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@shoal/json';
import { parseRankEval } from './parse-rank-eval.js';

const metric = { precision: {} };
const rated = (more: object): JsonObject => ({ requests: [{ id: 'a', request: {}, ratings: [], ...more }], metric });

test('a rated search has its ratings by document, and fields to show', () => {
  const ratings = [{ _index: 'i', _id: 1, rating: 2 }];
  const { requests, maxConcurrentSearches } = parseRankEval({
    ...rated({ ratings, summary_fields: ['t'] }),
    max_concurrent_searches: 3,
  });
  assert.deepEqual([...requests[0]!.ratings], [['i\x001', 2]]);
  assert.deepEqual([requests[0]!.summaryFields, maxConcurrentSearches], [['t'], 3]);
});

/** Bodies that are refused, and the reasons of the error and its causes. */
const REFUSED: readonly (readonly [body: JsonObject, reasons: RegExp])[] = [
  [{ metric }, /^Required \[requests\]$/],
  [{ requests: [] }, /^Required \[metric\]$/],
  [{ requests: [], metric }, /Cannot evaluate ranking if no search requests .* Seen: \[\]$/],
  [{ ...rated({}), foo: 1 }, /^\[rank_eval\] unknown field \[foo\]$/],
  [{ ...rated({}), max_concurrent_searches: 0 }, /^maxConcurrentSearchRequests must be positive$/],
  [rated({ zz: 1 }), /< \[request\] unknown field \[zz\]$/],
  [rated({ ratings: undefined }), /< Required \[ratings\]$/],
  [rated({ request: undefined }), /Need to set at least test request or test request template parameters\.$/],
  [rated({ request: undefined, params: {}, template_id: 't' }), /neither template nor evaluation request .* id: a$/],
  [rated({ request: { aggs: {} } }), /should not contain aggregations\.$/],
  [rated({ request: { suggest: {} } }), /should not contain a suggest section\.$/],
  [rated({ request: { highlight: {} } }), /should not contain a highlighter section\.$/],
  [rated({ request: { explain: true } }), /should not use explain\.$/],
  [rated({ ratings: [{ _id: 'x', rating: 1 }] }), /< Required \[_index\]$/],
  [
    rated({ ratings: [1, 2].map((rating) => ({ _index: 'i', _id: 'x', rating })) }),
    /Found duplicate rated document key \[\{"_index":"i","_id":"x"\}\] in evaluation request \[a\]$/,
  ],
];

for (const [body, reasons] of REFUSED)
  test(`${JSON.stringify(body)} is refused`, () =>
    assert.throws(
      () => parseRankEval(body),
      (error: { reason?: string; causedBy?: unknown }) => {
        const all: string[] = [];
        for (let one: typeof error | undefined = error; one; one = one.causedBy as typeof error)
          all.push(one.reason ?? '');
        assert.match(all.join(' < '), reasons);
        return true;
      },
    ));
