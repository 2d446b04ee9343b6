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
  deleted: ['2'],
});

test('ids finds documents that are there, each with the score 1', () =>
  index.answers([
    [{ ids: { values: ['3', '1', '1', '9'] } }, { ids: ['1', '3'], scores: [1, 1] }],
    [{ ids: { values: ['2'] } }, { ids: [], scores: [] }],
    [{ ids: { values: [] } }, { ids: [], scores: [] }],
    [{ ids: { values: [1, 4], boost: 2 } }, { ids: ['1', '4'], scores: [2, 2] }],
    [{ ids: { values: '3' } }, { ids: ['3'], scores: [1] }],
  ]));

test('ids without values finds nothing', () => index.finds([[{ ids: {} }, []]]));

test('ids refuses a list of lists', () =>
  index.refuses([
    [
      { ids: { values: ['1', []] } },
      'parsing_exception: [ids] failed to parse field [values] <- ' +
        'x_content_parse_exception: [ids] failed to parse field [values] <- ' +
        'illegal_state_exception: expected value but got [START_ARRAY]',
    ],
  ]));
