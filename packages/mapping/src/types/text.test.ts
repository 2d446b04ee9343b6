import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldTable, refusesDefinitions } from '../testing/field-table.js';

const text = fieldTable({ type: 'text' });
const plain = fieldTable({ type: 'text', index_options: 'docs', norms: false, analyzer: 'whitespace' });
const data = fieldTable({ type: 'text', fielddata: true });
const hidden = fieldTable({ type: 'text', index: false });

test('text keeps positions and norms', () =>
  text.keeps({ terms: { freqs: true, positions: true, norms: true }, column: null, points: false }));

test('text indexes words', () =>
  text.indexes([
    ['Quick brown Fox', { f: ['quick', 'brown', 'fox'] }],
    [5, { f: ['5'] }],
    [['a b', 'c'], { f: ['a', 'b', 'c'] }],
    // Its norm does not tell it from no text.
    ['', { f: [], _field_names: ['f'] }],
    [null, {}],
  ]));

test('text refuses objects', () =>
  text.refuses([[{ a: 1 }, "illegal_state_exception: Can't get text on a START_OBJECT at 1:6"]]));

test('term queries take a word as it is', () =>
  text.terms([
    ['Quick', { kind: 'term', term: 'Quick' }],
    [5, { kind: 'term', term: '5' }],
  ]));

test('range queries compare words', () =>
  text.ranges([
    [
      { gte: 'a', lt: 'b' },
      { kind: 'terms', low: 'a', high: 'b', includeLow: true, includeHigh: false },
    ],
  ]));

test('frequencies, positions and norms are left out when asked', () =>
  plain.keeps({ terms: { freqs: false, positions: false, norms: false }, column: null, points: false }));

test('its own analyzer cuts words', () =>
  plain.indexes([['Quick-brown Fox', { f: ['Quick-brown', 'Fox'], _field_names: ['f'] }]]));

test('fielddata gives words a column', () =>
  data.keeps({ terms: { freqs: true, positions: true, norms: true }, column: 'ordinals', points: false }));

test('without an index nothing can be searched', () =>
  hidden.terms([['a', 'illegal_argument_exception: Cannot search on field [f] since it is not indexed.']]));

test('text refuses parameters that it does not take', () =>
  refusesDefinitions([
    [
      { type: 'text', analyzer: 'none' },
      'illegal_argument_exception: analyzer [none] has not been configured in mappings',
    ],
    [
      { type: 'text', index_options: 'all' },
      'mapper_parsing_exception: Unknown value [all] for field [index_options] - accepted values are ' +
        '[positions, docs, freqs, offsets]',
    ],
    [
      { type: 'text', position_increment_gap: -1 },
      'mapper_parsing_exception: [position_increment_gap] must be positive, got [-1]',
    ],
    [
      { type: 'text', index_prefixes: { min_chars: 5, max_chars: 2 } },
      'illegal_argument_exception: min_chars [5] must be less than max_chars [2]',
    ],
    [
      { type: 'text', doc_values: true },
      'mapper_parsing_exception: unknown parameter [doc_values] on mapper [f] of type [text]',
    ],
    [{ type: 'text', similarity: 'none' }, 'mapper_parsing_exception: Unknown Similarity type [none] for field [f]'],
  ]));

test('a gap needs positions unless it is the one that fields have anyway', () => {
  refusesDefinitions([
    [
      { type: 'text', index_options: 'freqs', position_increment_gap: 99 },
      'illegal_argument_exception: Cannot set position_increment_gap on field [f] without positions enabled',
    ],
  ]);
  assert.equal(fieldTable({ type: 'text', index_options: 'freqs', position_increment_gap: 100 }).type.name, 'f');
});
