import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { kqlQuery } from './kql-query.js';
import { KqlError, parseKql } from './parse-kql.js';

const types = new Map([
  ['level', 'keyword'],
  ['message', 'text'],
  ['size', 'long'],
  ['when', 'date'],
  ['user.name', 'keyword'],
  ['items', 'nested'],
  ['items.name', 'keyword'],
  ['items.count', 'long'],
  ['a field', 'keyword'],
]);
const context = { types, timeZone: 'Europe/Berlin' };
const match = (field: string, value: string): object => ({ match: { [field]: value } });
const and = (...filter: object[]): object => ({ bool: { filter } });
const or = (...should: object[]): object => ({ bool: { should, minimum_should_match: 1 } });
const not = (query: object): object => ({ bool: { must_not: [query] } });

const TABLE: readonly (readonly [text: string, query: object])[] = [
  ['', { match_all: {} }],
  ['  ', { match_all: {} }],
  ['*', { match_all: {} }],
  ['level: error', match('level', 'error')],
  ['level:error', match('level', 'error')],
  ['level : error ', match('level', 'error')],
  ['message: "a b"', { match_phrase: { message: 'a b' } }],
  ['message: a b', match('message', 'a b')],
  ['level: (a and not b)', and(match('level', 'a'), not(match('level', 'b')))],
  ['level: (a or "b c")', or(match('level', 'a'), { match_phrase: { level: 'b c' } })],
  ['level: *', { exists: { field: 'level' } }],
  ['level: err*', { wildcard: { level: { value: 'err*' } } }],
  ['level: a\\*b*', { wildcard: { level: { value: 'a\\*b*' } } }],
  ['message: a-b*', { query_string: { fields: ['message'], query: 'a\\-b*' } }],
  ['size > 9007199254740993', { range: { size: { gt: '9007199254740993' } } }],
  ['size>=1 and size<2', and({ range: { size: { gte: '1' } } }, { range: { size: { lt: '2' } } })],
  ['when <= now-1d', { range: { when: { lte: 'now-1d', time_zone: 'Europe/Berlin' } } }],
  ['when: "2024-01-01"', { range: { when: { gte: '2024-01-01', lte: '2024-01-01', time_zone: 'Europe/Berlin' } } }],
  ['time out', { multi_match: { query: 'time out', type: 'best_fields', lenient: true } }],
  ['"time out"', { multi_match: { query: 'time out', type: 'phrase', lenient: true } }],
  ['tim*', { query_string: { query: 'tim*' } }],
  ['user.*: eve', { multi_match: { query: 'eve', fields: ['user.*'], type: 'best_fields', lenient: true } }],
  ['user.*: "eve"', { multi_match: { query: 'eve', fields: ['user.*'], type: 'phrase', lenient: true } }],
  ['user.*: e*', { query_string: { fields: ['user.*'], query: 'e*', lenient: true } }],
  ['user.*: *', { exists: { field: 'user.*' } }],
  ['*: *', { match_all: {} }],
  ['nothing: a', { match_none: {} }],
  ['nothing > 1', { match_none: {} }],
  ['"a field": x', match('a field', 'x')],
  ['a\\ field: x', match('a field', 'x')],
  ['NOT level: a', not(match('level', 'a'))],
  ['not not level: a', not(not(match('level', 'a')))],
  ['level: a OR level: b AND size: 1', or(match('level', 'a'), and(match('level', 'b'), match('size', '1')))],
  ['(level: a or level: b) and size: 1', and(or(match('level', 'a'), match('level', 'b')), match('size', '1'))],
  ['not level: a and size: 1', and(not(match('level', 'a')), match('size', '1'))],
  ['level: order', match('level', 'order')],
  ['level: \\and', match('level', 'and')],
  ['level: "\\"x\\\\"', { match_phrase: { level: '"x\\' } }],
  ['level: \\u00e4', match('level', 'ä')],
  [
    'items: { name: a and count > 1 }',
    {
      nested: {
        path: 'items',
        query: and(match('items.name', 'a'), { range: { 'items.count': { gt: '1' } } }),
        score_mode: 'none',
        ignore_unmapped: true,
      },
    },
  ],
];

for (const [text, query] of TABLE)
  test(`KQL [${text}]`, () => {
    assert.deepEqual(kqlQuery(text, context), query);
  });

test('while the fields are not known, a field may be there', () => {
  assert.deepEqual(kqlQuery('nothing: a', { types: null, timeZone: 'UTC' }), match('nothing', 'a'));
});

const FAULTS: readonly (readonly [text: string, at: number, message: string])[] = [
  ['level:', 6, 'Expected a value at position 7, but found the end.'],
  ['level: )', 7, 'Expected a value at position 8, but found ")".'],
  ['(level: a', 9, 'Expected ")" at position 10, but found the end.'],
  ['level: a)', 8, 'Expected "and", "or" or the end at position 9, but found ")".'],
  ['level: a size: b', 13, 'Expected "and", "or" or the end at position 14, but found ":".'],
  ['and level: a', 0, 'Expected a field, a value or "(" at position 1, but found "and".'],
  ['level: a and', 12, 'Expected a field, a value or "(" at position 13, but found the end.'],
  ['size >', 6, 'Expected a value at position 7, but found the end.'],
  ['level: "a', 9, 'Expected a quote that ends the one at position 8 at position 10, but found the end.'],
  ['items: { name: a', 16, 'Expected "}" at position 17, but found the end.'],
  ['a\\', 2, 'Expected a character after the backslash at position 3, but found the end.'],
];

for (const [text, at, message] of FAULTS)
  test(`KQL [${text}] is refused at its place`, () => {
    assert.throws(
      () => parseKql(text),
      (error: unknown) => error instanceof KqlError && error.at === at && error.message === message,
    );
  });

test('nesting is bounded, and any text is a query or a KqlError', () => {
  assert.throws(() => parseKql('('.repeat(100_000)), KqlError);
  assert.throws(() => parseKql('not '.repeat(100_000)), KqlError);
  const pieces = [
    'level',
    ':',
    '(',
    ')',
    '{',
    '}',
    '"',
    '\\',
    '*',
    ' ',
    ' and ',
    ' or ',
    ' not ',
    '<',
    '>=',
    'ä',
    '\n',
  ];
  const words = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 })), { maxLength: 30 });
  fc.assert(
    fc.property(words, (parts) => {
      try {
        kqlQuery(parts.join(''), context);
      } catch (error) {
        assert.ok(error instanceof KqlError, String(error));
      }
    }),
    { numRuns: 2_000 },
  );
});
