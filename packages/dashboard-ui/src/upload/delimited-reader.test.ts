import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DelimitedReader, delimiterOf } from './delimited-reader.js';

const read = (text: string, delimiter = ','): readonly (readonly string[])[] => {
  const reader = new DelimitedReader(delimiter);
  return [...reader.push(text), ...reader.finish()];
};

test('quotes, doubled quotes, lines in cells and empty cells are read', () => {
  assert.deepEqual(read('a,b\r\n1,"x, ""y""\nz"\n\n,\n2'), [['a', 'b'], ['1', 'x, "y"\nz'], ['', ''], ['2']]);
  assert.deepEqual(read('"open\nto the end'), [['open\nto the end']]);
});

test('what was written is read back, in pieces of any size', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', ' ', 'ü', '😀') });
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 }),
      fc.integer({ min: 1, max: 7 }),
      (rows, size) => {
        const text = rows.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(',')).join('\n');
        const reader = new DelimitedReader(',');
        const chars = [...text];
        const found: (readonly string[])[] = [];
        for (let i = 0; i < chars.length; i += size) found.push(...reader.push(chars.slice(i, i + size).join('')));
        assert.deepEqual([...found, ...reader.finish()], rows);
      },
    ),
  );
});

test('a quote that is not closed ends the file with a sentence', () => {
  assert.throws(() => new DelimitedReader(',').push(`"${'x'.repeat(1_000_001)}`), /quote not closed/);
});

test('the delimiter is the one that lines share', () => {
  for (const [sample, delimiter] of [
    ['a,b,c\n1,2,3', ','],
    ['a\tb\n1,5\t2', '\t'],
    ['a;b;c\n1,5;2,5;3', ';'],
    ['one', ','],
  ] as const)
    assert.equal(delimiterOf(sample), delimiter);
});
