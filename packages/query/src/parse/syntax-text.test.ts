import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

const index = await searchFixture({ mapping: { t: { type: 'text' } }, documents: [{ t: 'a fox' }] });

test('texts in a query syntax are read up to a length, since they are read in one piece', () => {
  const query = 'fox'.padEnd(262_144);
  index.answers([
    [{ bool: { filter: { query_string: { query } } } }, { ids: ['1'], scores: [0] }],
    [{ bool: { filter: { simple_query_string: { query } } } }, { ids: ['1'], scores: [0] }],
  ]);
  const refused = (name: string): string =>
    `illegal_argument_exception: [query] of [${name}] has [262145] characters, more than [262144]`;
  index.refuses([
    [{ query_string: { query: `${query} ` } }, refused('query_string')],
    [{ simple_query_string: { query: `${query} ` } }, refused('simple_query_string')],
  ]);
});
