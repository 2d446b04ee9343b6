import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldType } from '@shoal/mapping';
import { RuntimeColumnBuilder } from './runtime-columns.js';

const FIELD = { layout: { column: 'ordinals' }, runtime: {} } as unknown as FieldType;

test('terms of runtime fields are held once, in their order, and rows have each term once', () => {
  const values = [['b'], [], ['a', 'a', 'c'], ['b', 'c']];
  const builder = new RuntimeColumnBuilder(FIELD, (doc) => values[doc]!);
  for (let doc = 0; doc < values.length; doc++) builder.read(doc, 0);
  const column = builder.build().ordinals!;
  const rows = { starts: new Int32Array(0), values: new Int32Array(0) };
  column.readAll(Int32Array.of(0, 1, 2, 3), 4, rows);
  const terms = (doc: number): string[] =>
    [...rows.values.subarray(rows.starts[doc], rows.starts[doc + 1])].map((ordinal) => column.term(ordinal));
  assert.deepEqual([0, 1, 2, 3].map(terms), [['b'], [], ['a', 'c'], ['b', 'c']]);
  assert.deepEqual([column.ordinalCount, column.lookup('b'), column.lookup('z')], [3, 1, -1]);
});

test('the memory of a column that is gathered grows with distinct terms, not with their number', () => {
  const gather = (term: (doc: number) => string): number => {
    const builder = new RuntimeColumnBuilder(FIELD, (doc) => [term(doc)]);
    for (let doc = 0; doc < 1000; doc++) builder.read(doc, 0);
    return builder.bytes;
  };
  assert.ok(gather((doc) => `${doc}`.padEnd(1000)) > 20 * gather(() => 'x'.repeat(1000)));
});
