import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchOf, sectionTable } from '../../testing/section-table.js';

test('suggestions are parsed, and come from every shard', () => {
  const search = searchOf({ suggest: { text: 'woord', s: { term: { field: 't' } } } });
  assert.deepEqual(
    search.suggest?.suggestions.map(({ name, text }) => [name, text]),
    [['s', 'woord']],
  );
  assert.deepEqual([search.needsAllShards, search.gathersMore], [true, true]);
  sectionTable(
    'suggest',
    [[{}, null]],
    [
      [{ suggest: { s: { guess: {} } } }, 'named_object_not_found_exception: unknown field [guess]'],
      [{ suggest: { s: {} } }, 'parse_exception: missing suggestion object'],
      [{ suggest: { s: { guess: 5 } } }, 'parsing_exception: suggestion does not support [guess]'],
      [{ suggest: { s: 5 } }, 'illegal_argument_exception: [suggest] does not support [s]'],
      [{ suggest: { s: [] } }, 'parsing_exception: unexpected token [START_ARRAY] after [s]'],
    ],
  );
});
