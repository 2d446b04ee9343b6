import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyText } from '@shoal/testing';
import fc from 'fast-check';
import { textHash } from './hash-slots.kernel.js';
import { addIndexed, findCandidates, findIndexed, termIndex } from './term-index.kernel.js';

/** Adds the terms to an index with hashes by `hashOf`; returns their numbers. */
function numbered(texts: readonly string[], hashOf: (term: string) => number): number[] {
  const index = termIndex();
  const terms: string[] = [];
  return texts.map((text) => {
    const found = findIndexed(index, terms, text, hashOf(text));
    if (found >= 0) return found;
    terms.push(text);
    addIndexed(index, terms, hashOf(text), terms.length - 1);
    return terms.length - 1;
  });
}

function expected(texts: readonly string[]): number[] {
  const ids = new Map<string, number>();
  return texts.map((text) => {
    if (!ids.has(text)) ids.set(text, ids.size);
    return ids.get(text)!;
  });
}

test('every term has the number of its first arrival', () => {
  const text = fc.oneof(fc.string({ maxLength: 3 }), anyText({ maxLength: 40 }));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 400 }), (texts) =>
      assert.deepEqual(numbered(texts, textHash), expected(texts)),
    ),
  );
});

test('terms of one hash are told apart, however many', () => {
  const texts = Array.from({ length: 1000 }, (_, i) => `t${i % 600}`);
  assert.deepEqual(
    numbered(texts, () => 7),
    expected(texts),
  );
  assert.deepEqual(
    numbered(texts, (term) => term.length << 20),
    expected(texts),
  );
});

test('terms whose hashes begin to differ when the table grows are found still', () => {
  const texts = Array.from({ length: 300 }, (_, count) => Array.from({ length: count }, (_, i) => `t${i}`)).flat();
  assert.deepEqual(
    numbered(texts, (term) => Number(term.slice(1)) << 8),
    expected(texts),
  );
});

test('the candidate of a hash is the first term that has it, -1 where none has', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ maxLength: 4 }), { maxLength: 100 }),
      fc.array(fc.string()),
      (terms, others) => {
        const hashOf = (term: string): number => textHash(term) & 0xff;
        const index = termIndex();
        terms.forEach((term, id) => addIndexed(index, terms, hashOf(term), id));
        const asked = Int32Array.from([...terms, ...others], hashOf);
        const found = new Int32Array(asked.length);
        findCandidates(index, asked, asked.length, found);
        assert.deepEqual(
          [...found],
          Array.from(asked, (hash) => terms.findIndex((term) => hashOf(term) === hash)),
        );
      },
    ),
  );
});
