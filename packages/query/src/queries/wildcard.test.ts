import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers, plan texts and errors are those of Elasticsearch 8.12.0. */
const index = await searchFixture({
  mapping: {
    k: { type: 'keyword' },
    t: { type: 'text' },
    n: { type: 'long' },
    l: { type: 'keyword', normalizer: 'lowercase' },
  },
  documents: [
    { k: 'report-2024.txt', t: 'Quick brown', l: 'ABC' },
    { k: 'Report-2023.txt', t: 'quiet' },
    { k: 'a*b', l: 'abd' },
    { n: 1 },
  ],
});

test('wildcard finds terms that match a pattern, each document with the score 1', () =>
  index.answers([
    [{ wildcard: { k: 'report-20??.*' } }, { ids: ['1'], scores: [1], plan: 'k:report-20??.*' }],
    [{ wildcard: { k: { wildcard: '*2023*', boost: 2 } } }, { ids: ['2'], scores: [2], plan: '(k:*2023*)^2.0' }],
    [{ wildcard: { t: { value: 'qui*k' } } }, { ids: ['1'], scores: [1], plan: 't:qui*k' }],
  ]));

test('wildcard compares with terms as they are indexed, unless case is ignored', () =>
  index.finds([
    [{ wildcard: { k: { value: 'REPORT*', case_insensitive: true } } }, ['1', '2']],
    [{ wildcard: { k: 'a\\*b' } }, ['3']],
    [{ wildcard: { k: '*' } }, ['1', '2', '3']],
    [{ wildcard: { l: 'AB?' } }, ['1', '3']],
    [{ wildcard: { t: 'QUI*' } }, []],
    [{ wildcard: { k: 'report' } }, []],
    [{ wildcard: { nowhere: '*' } }, []],
    [{ wildcard: { _index: 'fix*' } }, ['1', '2', '3', '4']],
  ]));

test('wildcard refuses fields without terms and unknown options', () =>
  index.refuses([
    [
      { wildcard: { n: '1*' } },
      'query_shard_exception: Can only use wildcard queries on keyword, text and wildcard fields - not on ' +
        '[n] which is of type [long]',
    ],
    [{ wildcard: { k: {} } }, 'illegal_argument_exception: value cannot be null'],
    [{ wildcard: { k: { value: 'a', flags: 'x' } } }, 'parsing_exception: [wildcard] query does not support [flags]'],
    [
      { wildcard: { k: { value: 'a', rewrite: 'fast' } } },
      'query_shard_exception: failed to create query: Failed to parse rewrite_method [fast] <- ' +
        'illegal_argument_exception: Failed to parse rewrite_method [fast]',
    ],
    [
      { wildcard: { k: { value: 'a', rewrite: 'top_terms_3x' } } },
      'query_shard_exception: failed to create query: For input string: "3x" <- ' +
        'number_format_exception: For input string: "3x"',
    ],
    [
      { wildcard: { k: 'a', t: 'b' } },
      "parsing_exception: [wildcard] query doesn't support multiple fields, found [k] and [t]",
    ],
  ]));

test('wildcard takes runs of stars as one, and refuses a pattern longer than any term', () => {
  index.finds([[{ wildcard: { nowhere: '*'.repeat(100_000) } }, []]]);
  assert.throws(() => index.search({ wildcard: { k: '*?'.repeat(100_000) } }), { type: 'illegal_argument_exception' });
});

test('keys of a flattened field take no patterns, and ranges with two ends only', async () => {
  const keys = await searchFixture({ mapping: { f: { type: 'flattened' } }, documents: [{ f: { x: 'abc' } }] });
  const refused = (name: string): string => {
    const reason = `[${name}] queries are not currently supported on keyed [flattened] fields.`;
    return `query_shard_exception: failed to create query: ${reason} <- unsupported_operation_exception: ${reason}`;
  };
  const open = '[range] queries on keyed [flattened] fields must include both an upper and a lower bound.';
  keys.refuses([
    [{ wildcard: { 'f.x': 'a*' } }, refused('wildcard')],
    [{ regexp: { 'f.x': 'a.*' } }, refused('regexp')],
    [{ fuzzy: { 'f.x': 'abd' } }, refused('fuzzy')],
    [
      { range: { 'f.x': { gte: 'a' } } },
      `query_shard_exception: failed to create query: ${open} <- illegal_argument_exception: ${open}`,
    ],
  ]);
  keys.finds([
    [{ wildcard: { f: 'a*' } }, ['1']],
    [{ prefix: { 'f.x': 'a' } }, ['1']],
    [{ range: { 'f.x': { gte: 'a', lt: 'b' } } }, ['1']],
    [{ query_string: { query: 'f.x:a*c' } }, []],
  ]);
});
