import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers, plan texts and errors are those of Elasticsearch 8.12.0. */
const index = await searchFixture({
  mapping: { k: { type: 'keyword' }, t: { type: 'text' }, n: { type: 'long' } },
  documents: [
    { k: 'a', t: 'red fox', n: 1 },
    { k: 'b', t: 'red red dog', n: 2 },
    { k: ['a', 'b'], t: 'dog', n: 3 },
    { n: 4 },
  ],
});

test('exact values of fields that every document has', () =>
  index.finds([
    [{ term: { _id: '2' } }, ['2']],
    [{ terms: { _id: ['1', '4'] } }, ['1', '4']],
    [{ term: { _index: 'fixture' } }, ['1', '2', '3', '4']],
    [{ terms: { _index: ['other'] } }, []],
    [{ prefix: { _index: 'fix' } }, ['1', '2', '3', '4']],
    [{ wildcard: { _index: '*ture' } }, ['1', '2', '3', '4']],
    [{ exists: { field: '_index' } }, ['1', '2', '3', '4']],
    [{ term: { _field_names: 't' } }, []],
  ]));

test('ranges of sequence numbers', () =>
  index.finds([
    [{ range: { _seq_no: { gte: 2 } } }, ['2', '3', '4']],
    [{ range: { _seq_no: { gt: 2, lt: 4 } } }, ['3']],
    [{ term: { _seq_no: 1 } }, ['1']],
    [{ terms: { _seq_no: [1, 3] } }, ['1', '3']],
  ]));

test('the source cannot be searched', () =>
  index.refuses([[{ term: { _source: 'a' } }, 'query_shard_exception: The _source field is not searchable']]));
