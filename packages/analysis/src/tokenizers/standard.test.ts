import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyText, runs } from '@shoal/testing';
import fc from 'fast-check';
import { newTokenList } from '../token-list.js';
import { appendStandardTerms, standardTokens } from './standard.kernel.js';
import { scanStandard, STANDARD_TYPES } from './standard-scan.js';

/** Reference: tokens by `scanStandard` alone. */
function reference(text: string, maxLength: number): string[] {
  const tokens: string[] = [];
  for (let i = 0; i < text.length; ) {
    const scanned = scanStandard(text, i, Math.min(text.length, i + maxLength));
    const end = Math.floor(scanned / 16);
    const type = STANDARD_TYPES[scanned % 16];
    if (type !== '') tokens.push(`${text.slice(i, end)}|${i}-${end}|${type}`);
    i = end;
  }
  return tokens;
}

function fast(text: string, maxLength: number): string[] {
  const list = newTokenList();
  standardTokens(text, maxLength, false, true, list);
  return Array.from(
    { length: list.count },
    (_, i) => `${list.terms[i]}|${list.startOffsets[i]}-${list.endOffsets[i]}|${list.types[i]}`,
  );
}

const ALPHABET = [...'aZ09_.,:;\'"- #*'];
const WIDE = [
  ...ALPHABET,
  'é',
  'e\u0301',
  '\u00ad',
  '日',
  'ひ',
  'カ',
  '한',
  'ไ',
  'ש',
  '\u2019',
  '👍',
  '\u{1f3fd}',
  '\u200d',
  '\u{1f1e9}',
  '\ufe0f',
  '\u20e3',
  '\ud83d',
];

test('the ASCII path gives the tokens of the full rules', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...ALPHABET), maxLength: 40 }), (text) =>
      assert.deepEqual(fast(text, 255), reference(text, 255)),
    ),
    { numRuns: runs(150) },
  );
});

test('mixed text gives the tokens of the full rules', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...WIDE), maxLength: 30 }), (text) =>
      assert.deepEqual(fast(text, 255), reference(text, 255)),
    ),
    { numRuns: runs(150) },
  );
});

test('any string is tokenized without loss of place', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 60 }), (text) => {
      const list = newTokenList();
      standardTokens(text, 255, false, true, list);
      for (let i = 0; i < list.count; i++)
        assert.equal(text.slice(list.startOffsets[i], list.endOffsets[i]), list.terms[i]);
    }),
  );
});

test('tokens longer than the limit are cut', () => {
  assert.deepEqual(
    fast('a'.repeat(600), 255).map((token) => token.split('|')[1]),
    ['0-255', '255-510', '510-600'],
  );
  assert.deepEqual(fast('abcdef 12', 4), reference('abcdef 12', 4));
});

test('collecting terms gives the terms of the tokens, in lower case', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...WIDE), maxLength: 30 }), (text) => {
      const list = newTokenList();
      standardTokens(text, 255, true, false, list);
      const terms: string[] = [];
      const positions: number[] = [];
      assert.equal(appendStandardTerms(text, 255, true, 5, terms, positions), 5 + list.count);
      assert.deepEqual(terms, list.terms.slice(0, list.count));
      assert.deepEqual(
        positions,
        list.positions.slice(0, list.count).map((position) => position + 5),
      );
    }),
  );
});
