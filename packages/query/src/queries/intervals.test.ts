import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers, plan texts and errors are those of Elasticsearch 8.12.0. */
const index = await searchFixture({
  mapping: { t: { type: 'text' }, u: { type: 'text' }, k: { type: 'keyword' }, n: { type: 'long' } },
  documents: [
    { t: 'the quick brown fox', u: 'fox', k: 'x', n: 1 },
    { t: 'quick fox brown', u: 'quick dog', n: 2 },
    { t: 'brown dog and quick foxes', k: 'quick', n: 3 },
    { t: ['quick', 'brown fox'], u: 'brown', n: 4 },
  ],
});

test('intervals of match find words within max_gaps, in order if asked', () =>
  index.answers([
    [
      { intervals: { t: { match: { query: 'quick fox', max_gaps: 5 } } } },
      { ids: ['2', '1'], scores: [0.5, 0.333333] },
    ],
    [
      { intervals: { t: { match: { query: 'fox quick', max_gaps: 1, ordered: false } } } },
      { ids: ['2', '1'], scores: [0.5, 0.333333] },
    ],
    [
      { intervals: { t: { match: { query: 'quick fox', max_gaps: 0, ordered: true } } } },
      { ids: ['2'], scores: [0.5] },
    ],
  ]));

test('intervals combine rules', () =>
  index.finds([
    [
      {
        intervals: {
          t: {
            all_of: {
              intervals: [
                { match: { query: 'quick' } },
                { any_of: { intervals: [{ match: { query: 'dog' } }, { match: { query: 'fox' } }] } },
              ],
            },
          },
        },
      },
      ['1', '2', '3', '4'],
    ],
    [
      {
        intervals: {
          t: {
            all_of: {
              ordered: true,
              max_gaps: 0,
              intervals: [{ match: { query: 'brown' } }, { match: { query: 'fox' } }],
            },
          },
        },
      },
      ['1', '4'],
    ],
    [
      {
        intervals: { t: { any_of: { intervals: [{ prefix: { prefix: 'do' } }, { wildcard: { pattern: 'fo?es' } }] } } },
      },
      ['3'],
    ],
    [{ intervals: { t: { fuzzy: { term: 'quack', fuzziness: 1 } } } }, ['1', '2', '3', '4']],
    [{ intervals: { t: { match: { query: 'quick fox', use_field: 'u' } } } }, []],
  ]));

test('intervals are filtered by others', () =>
  index.finds([
    [
      {
        intervals: { t: { match: { query: 'quick fox', filter: { not_containing: { match: { query: 'brown' } } } } } },
      },
      ['2'],
    ],
    [
      { intervals: { t: { match: { query: 'quick fox', filter: { containing: { match: { query: 'brown' } } } } } } },
      ['1', '4'],
    ],
    [{ intervals: { t: { match: { query: 'fox', filter: { after: { match: { query: 'brown' } } } } } } }, ['1', '4']],
    [{ intervals: { t: { match: { query: 'brown', filter: { before: { match: { query: 'quick' } } } } } } }, ['3']],
  ]));

test('intervals refuse unknown rules and fields without positions', () =>
  index.refuses([
    [
      { intervals: { t: { match: { query: 'a' }, boost: 2, other: 1 } } },
      'parsing_exception: Only one interval rule can be specified, found [match] and [other]',
    ],
    [
      { intervals: { t: { all_of: { intervals: [{ match: { query: 'a' }, other: 1 }] } } } },
      'x_content_parse_exception: [all_of] failed to parse field [intervals] <- ' +
        'parsing_exception: Expected [END_OBJECT] but got [FIELD_NAME]',
    ],
    [
      { intervals: { t: { near: {} } } },
      'parsing_exception: Unknown interval type [near], expecting one of [match, any_of, all_of, ' +
        'prefix, wildcard]',
    ],
    [{ intervals: { t: {} } }, 'parsing_exception: Missing intervals from interval query definition'],
    [
      { intervals: { n: { match: { query: 'a' } } } },
      'query_shard_exception: failed to create query: Can only use interval queries on text ' +
        'fields - not on [n] which is of type [long] <- illegal_argument_exception: Can only use ' +
        'interval queries on text fields - not on [n] which is of type [long]',
    ],
    [
      { intervals: { k: { match: { query: 'a' } } } },
      'query_shard_exception: failed to create query: Can only use interval queries on text ' +
        'fields - not on [k] which is of type [keyword] <- illegal_argument_exception: Can only use ' +
        'interval queries on text fields - not on [k] which is of type [keyword]',
    ],
    [{ intervals: { t: { match: {} } } }, 'illegal_argument_exception: Required [query]'],
    [{ intervals: { t: { all_of: {} } } }, 'illegal_argument_exception: Required [intervals]'],
    [{ intervals: { t: { prefix: {} } } }, 'illegal_argument_exception: Required [prefix]'],
  ]));

const repeated = await searchFixture({
  mapping: { t: { type: 'text' } },
  documents: [{ t: 'a b' }, { t: 'a x a b' }, { t: 'a x x a' }, { t: 'a a a' }],
});

test('intervals of a word that is named twice need it twice', () =>
  repeated.finds([
    [{ intervals: { t: { match: { query: 'a a' } } } }, ['2', '3', '4']],
    [{ intervals: { t: { match: { query: 'a a', max_gaps: 1 } } } }, ['2', '4']],
    [{ intervals: { t: { match: { query: 'a a b', max_gaps: 1 } } } }, ['2']],
    [{ intervals: { t: { match: { query: 'a a b', max_gaps: 0 } } } }, []],
    [{ intervals: { t: { match: { query: 'a a a', ordered: true } } } }, ['4']],
  ]));

test('intervals take the kinds of values of declared parsers', () =>
  index.refuses([
    [
      { intervals: { t: { match: { query: 3 } } } },
      "x_content_parse_exception: [match] query doesn't support values of type: VALUE_NUMBER",
    ],
    [
      { intervals: { t: { match: { query: 'a', max_gaps: 'x' } } } },
      'x_content_parse_exception: [match] failed to parse field [max_gaps] <- number_format_exception: For input ' +
        'string: "x"',
    ],
    [
      { intervals: { t: { all_of: { intervals: [{ prefix: 3 }] } } } },
      'x_content_parse_exception: [all_of] failed to parse field [intervals] <- ' +
        'x_content_parse_exception: [prefix] Expected START_OBJECT but was: VALUE_NUMBER',
    ],
  ]));

test('intervals are filtered by scripts', () => {
  const quickFox = (source: string): object => ({
    intervals: { t: { match: { query: 'quick fox', filter: { script: { source } } } } },
  });
  index.answers([
    [quickFox('interval.gaps == 0 && interval.end == 1'), { ids: ['2'], scores: [0.5] }],
    [quickFox('interval.start == 1'), { ids: ['1'], scores: [0.333333] }],
  ]);
  index.finds([
    [quickFox('interval.getGaps() > 50'), ['4']],
    [quickFox('int i = interval.end - interval.start; return i > 99'), ['4']],
  ]);
  assert.match(index.search(quickFox('interval.gaps > 1')).plan, /^t:FILTER\(interval.gaps > 1\)\(UNORDERED\(/);
  const uncompiled = 'query_shard_exception: failed to create query: compile error <- script_exception: compile error';
  const match = (filter: unknown): object => ({ intervals: { t: { match: { query: 'quick', filter } } } });
  index.refuses([
    [quickFox('1 / interval.gaps == 0'), 'script_exception: runtime error <- arithmetic_exception: / by zero'],
    [quickFox('interval.start'), `${uncompiled} <- class_cast_exception: Cannot cast from [int] to [boolean].`],
    [quickFox('params.a == 1'), `${uncompiled} <- illegal_argument_exception: cannot resolve symbol [params.a]`],
    [
      match({ script: 'true' }),
      'x_content_parse_exception: [match] failed to parse field [filter] <- x_content_parse_exception: ' +
        '[script] Expected START_OBJECT but was: VALUE_STRING',
    ],
    [
      match({ script: { source: 'true' }, before: { match: { query: 'a' } } }),
      'x_content_parse_exception: [match] failed to parse field [filter] <- parsing_exception: ' +
        'Expected [END_OBJECT] but got [FIELD_NAME]',
    ],
    [match(5), "x_content_parse_exception: [match] filter doesn't support values of type: VALUE_NUMBER"],
  ]);
});
