import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseConsole } from './parse-console.js';
import { createProblemFinder, problemsOf } from './problems.js';

const problems = (text: string, variables: Record<string, string> = {}) =>
  problemsOf(parseConsole(text), text, new Map(Object.entries(variables))).map(
    ({ from, to, message }) => `${text.slice(from, to)}: ${message}`,
  );

test('requests that the cluster takes have no mark', () => {
  for (const text of [
    'GET /',
    'GET _cat/indices?v&h=index',
    'GET logs-*/_search?size=1&filter_path=hits\n{"query":{"bool":{"must":[{"match":{"any_field":{"query":"a"}}}]}}}',
    'GET a/_search\n{"query":{"term":{"f":1}},"aggs":{"x":{"terms":{"field":"f"},"aggs":{"y":{"avg":{"field":"n"}}}}}}',
    'GET a/_search\n{"query":{"range":{"f":{"gte":1,"boost":2}}},"sort":[{"f":"asc"}],"highlight":{"fields":{"t":{}}}}',
    'GET a/_search\n{"query":{"function_score":{"query":{"match_all":{}},"random_score":{}}}}',
    'PUT a\n{"settings":{"number_of_shards":1},"mappings":{"properties":{"x":{"type":"keyword","ignore_above":1}}}}',
    'POST a/_bulk\n{"index":{"_id":"1"}}\n{"any":1}',
    'PUT _ingest/pipeline/p\n{"processors":[{"set":{"field":"a","value":1}}]}',
    'HEAD a',
    'GET <logs-{now/d}>/_search',
  ])
    assert.deepEqual(problems(text), [], text);
});

test('unknown calls, methods, parameters and keys are marked at their place', () => {
  assert.deepEqual(problems('GET /_serch'), ['/_serch: There is no such call.']);
  assert.deepEqual(problems('DELETE _cat/indices'), ['DELETE: This call takes GET, not DELETE.']);
  assert.deepEqual(problems('GET a/_search?siz=1&from=2'), ['siz: [search] has no parameter [siz].']);
  const query = 'GET a/_search\n{"query":{"bool":{"mus":[]}},"agg":{},"aggs":{"x":{"term":{}}}}';
  assert.deepEqual(problems(query), [
    '"mus": [bool] query has no key [mus].',
    '"agg": the search has no key [agg].',
    '"term": an aggregation has no key [term].',
  ]);
  assert.deepEqual(problems('GET a/_search\n{"query":{"match":{"f":{"quary":"x"}}}}'), [
    '"quary": [match] query has no key [quary].',
  ]);
  assert.deepEqual(problems('PUT _ingest/pipeline/p\n{"processors":[{"sett":{}}]}'), [
    '"sett": a processor has no key [sett].',
  ]);
});

test('variables have to be set', () => {
  const text = 'GET ${i}/_search\n{"size":${n}}';
  assert.deepEqual(problems(text, { i: 'a' }), ['${n}: The variable [n] is not set.']);
});

test('no text leads to an exception', () => {
  const piece = fc.constantFrom(
    'GET a/_search\n',
    '{',
    '}',
    '[',
    '"query"',
    ':',
    '"bool"',
    '"must"',
    ',',
    '${a}',
    '"aggs"',
    '1',
    '?',
    '&',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 40 }), (pieces) => {
      problems(pieces.join(''));
    }),
    { numRuns: 1_000 },
  );
});

test('a file that is asked about at each key has the problems of one that is read anew', () => {
  const find = createProblemFinder();
  const none = new Map<string, string>();
  const request = 'GET a/_search\n{ "quary": {}, "size": ${n} }\n';
  for (const text of [request, `${request}${request}`, `GET x\n\n${request}GET _no\n`, request]) {
    const file = parseConsole(text);
    assert.deepEqual(find(file, text, none), problemsOf(file, text, none), text);
  }
  const set = new Map([['n', '1']]);
  const file = parseConsole(request);
  assert.deepEqual(find(file, request, set), problemsOf(file, request, set));
});
