import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareTerms } from '@shoal/codec';
import fc from 'fast-check';
import { sortTerms } from './sort-terms.js';

const prefixes = ['', 'https://', 'https://www.example.org/', 'naïve ', 'данные', '😀', 'a\u0000'];
const term = fc
  .tuple(fc.constantFrom(...prefixes), fc.constantFrom(...prefixes), fc.string({ maxLength: 12 }))
  .map((parts) => parts.join(''));

test('terms are sorted as comparisons sort them, however much they have in common', () => {
  fc.assert(
    fc.property(fc.uniqueArray(term, { minLength: 2, maxLength: 300 }), fc.nat(5), (terms, skipped) => {
      const from = Math.min(skipped, terms.length - 1);
      const sorted = [...sortTerms(terms, from, terms.length, true)].map((i) => terms[i]);
      assert.deepEqual(sorted, terms.slice(from).sort(compareTerms));
    }),
  );
});

test('many terms that go on for long after what they share are in order', () => {
  const terms = Array.from(
    { length: 5000 },
    (_, i) => `https://packages.example.org/${(i * 7919) % 5000}/${'x'.repeat(i % 30)}`,
  );
  const sorted = [...sortTerms(terms, 0, terms.length, false)].map((i) => terms[i]);
  assert.deepEqual(sorted, [...terms].sort());
});

test('terms that each begin with the one before cost no more than their text', () => {
  const terms = Array.from({ length: 1500 }, (_, i) => 'a'.repeat(8 * (((i * 7) % 1500) + 1)));
  let read = 0;
  const watched = terms.map((term) => ({
    length: term.length,
    charCodeAt(at: number) {
      read++;
      return term.charCodeAt(at);
    },
    toString: () => term,
  }));
  const sorted = [...sortTerms(watched as unknown as string[], 0, terms.length, false)].map((i) => terms[i]);
  assert.deepEqual(sorted, [...terms].sort());
  assert.ok(read < terms.length * 8 * terms.length, `${read} characters were read`);
});
