import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WINDOW_DOCS } from '@shoal/segments';
import { planQuery } from '../../plan-query.js';
import { parseContext } from '../../parse/parse-context.js';
import { parseQuery } from '../../parse/parse-query.js';
import { FIXTURE_NOW_MS, memoryIndex } from '../../testing/memory-index.js';
import { createWeight } from '../weight.js';

const COUNT = 600;
const hasFox = (doc: number): boolean => doc % 3 === 0;

test('a range of few documents decodes no list of a window, and finds what a list finds', async () => {
  const documents = Array.from({ length: COUNT }, (_, doc) => ({
    s: hasFox(doc) ? { fox: 1 + (doc % 8) } : { dog: 1 },
  }));
  const index = memoryIndex({ mapping: { s: { type: 'sparse_vector' } }, documents });
  const searcher = await index.searcher([documents.map((_, doc) => doc)]);
  const [segment] = searcher.segments;
  let listed = 0;
  const numbers = segment!.reader.numbers.bind(segment!.reader);
  segment!.reader.numbers = (field) => {
    const column = numbers(field)!;
    const readPresent = column.readPresent!.bind(column);
    column.readPresent = (...given) => (listed++, readPresent(...given));
    return column;
  };
  const query = parseQuery({ weighted_tokens: { s: { tokens: { fox: 2 } } } }, parseContext());
  const context = { searcher, now: () => FIXTURE_NOW_MS, nestedPath: null, innerHits: [] };
  const matcher = createWeight(planQuery(query, context), searcher, { needsScores: true }).matcher(segment!, true)!;
  for (const step of [1, 16, 255, 256, COUNT]) {
    listed = 0;
    const found: [doc: number, score: number][] = [];
    for (let from = 0; from < COUNT; from += step) {
      const docs = new Int32Array(WINDOW_DOCS);
      const scores = new Float64Array(WINDOW_DOCS);
      const count = matcher.window(from, Math.min(COUNT, from + step), docs, scores);
      for (let i = 0; i < count; i++) found.push([docs[i]!, scores[i]!]);
    }
    const expected = documents.flatMap((_, doc) => (hasFox(doc) ? [[doc, 2 * (1 + (doc % 8))]] : []));
    assert.deepEqual(found, expected, String(step));
    assert.equal(listed > 0, step >= 256, String(step));
  }
});
