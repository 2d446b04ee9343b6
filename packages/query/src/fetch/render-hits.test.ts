import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseContext } from '../parse/parse-context.js';
import { parseQuery } from '../parse/parse-query.js';
import { FIXTURE_NOW_MS, memoryIndex } from '../testing/memory-index.js';
import { fetchHits, parseHitsRequest } from './fetch-hits.js';

test('hits are charged while they are rendered, so that a page of large ones ends early', async () => {
  const documents = Array.from({ length: 20 }, () => ({ t: 'x'.repeat(50_000) }));
  const searcher = await memoryIndex({
    mapping: { t: { type: 'keyword', index: false, doc_values: false } },
    documents,
  }).searcher([[...documents.keys()]]);
  const request = { ...parseHitsRequest({}, parseContext()), query: parseQuery({ match_all: {} }, parseContext()) };
  const hits = {
    docs: Int32Array.from(documents, (_, i) => i),
    scores: Float32Array.from(documents, () => 1),
    sortValues: null,
    nestedPath: null,
  };
  let charged = 0;
  const charge = (bytes: number): void => {
    charged += bytes;
    if (charged > 300_000) throw new Error('no room');
  };
  const progress = { check: () => false, sliceOver: () => false, yield: () => Promise.resolve(), charge };
  const context = { now: () => FIXTURE_NOW_MS, parse: parseContext(), progress };
  await assert.rejects(fetchHits(searcher, request, hits, context), /no room/);
  assert.ok(charged < 500_000, `${charged}`);
});
