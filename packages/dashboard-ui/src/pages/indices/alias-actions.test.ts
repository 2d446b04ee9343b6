import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AliasForm, formOf, readAliases, removedAlias, savedAlias } from './alias-actions.js';

const ANSWER = `{
  "b": {"aliases": {"logs": {
    "filter": {"term": {"n": 9007199254740993}}, "index_routing": "1", "search_routing": "1,2"
  }}},
  "a": {"aliases": {"logs": {"is_write_index": true}, "all": {"is_hidden": true}}},
  "none": {"aliases": {}}
}`;
const ROWS = readAliases(ANSWER);
const FORM: AliasForm = {
  alias: 'logs',
  indices: ['c'],
  filter: '',
  indexRouting: '',
  searchRouting: '',
  isWriteIndex: false,
  isHidden: false,
};
const actionsOf = (body: string) => (JSON.parse(body) as { readonly actions: readonly object[] }).actions;

test('aliases are read in their order, with filters as they are stored', () => {
  assert.deepEqual(
    ROWS.map(({ alias, index }) => [alias, index]),
    [
      ['all', 'a'],
      ['logs', 'a'],
      ['logs', 'b'],
    ],
  );
  assert.match(ROWS[2]!.filter!, /9007199254740993/);
  assert.deepEqual([ROWS[1]!.isWriteIndex, ROWS[2]!.isWriteIndex, ROWS[0]!.isHidden], [true, null, true]);
});

test('what is not changed of an alias stays as it is', () => {
  for (const row of ROWS) {
    const [{ add }] = actionsOf(savedAlias(formOf(row), ROWS)) as never as [{ add: Record<string, unknown> }];
    const { index, alias, ...definition } = add;
    assert.deepEqual({ index, alias }, { index: row.index, alias: row.alias });
    const stored = JSON.parse(ANSWER) as Record<string, { aliases: Record<string, object> }>;
    assert.deepEqual(definition, stored[row.index]!.aliases[row.alias]);
  }
  assert.match(savedAlias(formOf(ROWS[2]!), ROWS), /9007199254740993/);
});

test('an alias that writes elsewhere stops writing where it did, in the same call', () => {
  assert.deepEqual(actionsOf(savedAlias({ ...FORM, isWriteIndex: true }, ROWS)), [
    { add: { index: 'a', alias: 'logs', is_write_index: false } },
    { add: { index: 'c', alias: 'logs', is_write_index: true } },
  ]);
  assert.deepEqual(actionsOf(savedAlias(FORM, ROWS)), [{ add: { index: 'c', alias: 'logs' } }]);
  const stopped = savedAlias({ ...formOf(ROWS[1]!), isWriteIndex: false }, ROWS);
  assert.deepEqual(actionsOf(stopped), [{ add: { index: 'a', alias: 'logs', is_write_index: false } }]);
});

test('an alias is taken away from one index', () => {
  assert.deepEqual(actionsOf(removedAlias(ROWS[1]!)), [{ remove: { index: 'a', alias: 'logs', must_exist: true } }]);
});
