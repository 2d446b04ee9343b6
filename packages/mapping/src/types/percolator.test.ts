import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '@shoal/errors';
import { fieldTable } from '../testing/field-table.js';

const field = fieldTable(
  { type: 'percolator' },
  {
    readQuery(query) {
      if ('unknown' in (query as object)) throw errors.parsing('unknown query [unknown]');
      return Object.keys(query as object);
    },
  },
);

const hex = (text: string): string => Buffer.from(text).toString('hex');
const terms = { 'f.extracted_terms': ['match'], _field_names: ['f.extracted_terms'] };

test('percolator keeps the query as JSON, and the terms that it requires in a field of their own', () => {
  field.keeps({ terms: null, column: 'binary', points: false });
  field.indexes([
    [{ match: { t: 'a' } }, { f: [hex('{"match":{"t":"a"}}')], ...terms }],
    [[{ match: { t: 1 } }], { f: [hex('{"match":{"t":1}}')], ...terms }],
  ]);
});

test('percolator refuses what is no query, and two queries', () =>
  field.refuses([
    [{ unknown: {} }, 'parsing_exception: unknown query [unknown]'],
    [[{ a: {} }, { b: {} }], 'illegal_argument_exception: a document can only contain one percolator query'],
  ]));

test('percolator is searched by the query percolate only', () => {
  const refusal =
    'illegal_argument_exception: Percolator fields are not searchable directly, use a percolate query instead';
  field.terms([['a', refusal]]);
  field.ranges([
    [{ gte: 1 }, 'illegal_argument_exception: Field [f] of type [percolator] does not support range queries'],
  ]);
  assert.equal(field.type.isAggregatable, false);
});
