import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TermTexts } from './term-texts.js';

/** Reads term n as the text `t<n>`, and notes which were read. */
function reader(): { readonly read: (ordinal: number) => string; readonly seen: number[] } {
  const seen: number[] = [];
  return { seen, read: (ordinal) => (seen.push(ordinal), `t${ordinal}`) };
}

test('a term that was read is not read again', () => {
  const texts = new TermTexts();
  const { read, seen } = reader();
  assert.deepEqual(
    [texts.text(0, read), texts.text(7, read), texts.text(7, read), texts.text(0, read)],
    ['t0', 't7', 't7', 't0'],
  );
  assert.deepEqual(seen, [0, 7]);
});

test('terms that share a place are told apart', () => {
  const texts = new TermTexts();
  const { read } = reader();
  for (const ordinal of [3, 131, 3, 259, 131]) assert.equal(texts.text(ordinal, read), `t${ordinal}`);
});

test('a long term is given, not kept', () => {
  const texts = new TermTexts();
  let reads = 0;
  const read = (): string => ((reads += 1), 'x'.repeat(1000));
  assert.equal(texts.text(1, read).length, 1000);
  assert.equal(texts.text(1, read).length, 1000);
  assert.equal(reads, 2);
});
