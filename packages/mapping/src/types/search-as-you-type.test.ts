import { test } from 'node:test';
import { fieldTable, refusesDefinitions } from '../testing/field-table.js';

const typed = fieldTable({ type: 'search_as_you_type' });

test('search_as_you_type indexes words', () =>
  typed.indexes([
    [
      'Quick brown fox',
      {
        f: ['quick', 'brown', 'fox'],
        'f._2gram': ['quick brown', 'brown fox'],
        'f._3gram': ['quick brown fox'],
        'f._index_prefix': [
          'q',
          'qu',
          'qui',
          'quic',
          'quick',
          'q',
          'qu',
          'qui',
          'quic',
          'quick',
          'quick ',
          'quick b',
          'quick br',
          'quick bro',
          'quick brow',
          'quick brown',
          'q',
          'qu',
          'qui',
          'quic',
          'quick',
          'quick ',
          'quick b',
          'quick br',
          'quick bro',
          'quick brow',
          'quick brown',
          'quick brown ',
          'quick brown f',
          'quick brown fo',
          'quick brown fox',
          'b',
          'br',
          'bro',
          'brow',
          'brown',
          'b',
          'br',
          'bro',
          'brow',
          'brown',
          'brown ',
          'brown f',
          'brown fo',
          'brown fox',
          'f',
          'fo',
          'fox',
        ],
        _field_names: ['f._index_prefix'],
      },
    ],
  ]));

test('search_as_you_type refuses objects', () =>
  typed.refuses([[{ a: 1 }, "illegal_state_exception: Can't get text on a START_OBJECT at 1:6"]]));

test('search_as_you_type takes shingles of two to four words', () =>
  refusesDefinitions([
    [
      { type: 'search_as_you_type', max_shingle_size: 5 },
      'mapper_parsing_exception: [max_shingle_size] must be at least [2] and at most [4], got [5]',
    ],
  ]));
