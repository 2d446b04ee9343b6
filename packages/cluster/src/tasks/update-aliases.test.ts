import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPEN_ONLY, resolveIndices, UNRESTRICTED } from '@shoal/state';
import { TestCluster, testNode } from '../allocation/testing/clusters.js';

const alias = {};

function withIndex(): TestCluster {
  const c = new TestCluster([testNode('n1')]);
  c.create('i', 1, 0);
  return c;
}

const add = (c: TestCluster, names: readonly string[]): unknown => ({
  kind: 'add',
  uuids: [c.uuid('i')],
  aliases: names,
  alias,
});

const remove = (c: TestCluster, aliases: readonly string[], mustExist: boolean | null = null): unknown => ({
  kind: 'remove',
  uuids: [c.uuid('i')],
  aliases,
  mustExist,
});

test('thousands of aliases of a call change their index once, in their order among removals', () => {
  const c = withIndex();
  const before = c.state.indices.get(c.uuid('i'))!;
  const adds = Array.from({ length: 10_000 }, (_, i) => add(c, [`a-${i}`]));
  c.run('update-aliases', { actions: adds });
  const meta = c.state.indices.get(c.uuid('i'))!;
  assert.equal(Object.keys(meta.aliases).length, 10_000);
  assert.equal(meta.aliasesVersion, before.aliasesVersion + 1);
  c.run('update-aliases', { actions: [add(c, ['b', 'c'])] });
  c.run('update-aliases', { actions: [add(c, ['b', 'd']), remove(c, ['a-*', 'b', 'd']), add(c, ['a-1'])] });
  assert.deepEqual(Object.keys(c.state.indices.get(c.uuid('i'))!.aliases), ['c', 'd', 'a-1']);
});

test('thousands of removals by name do not look at all aliases each', () => {
  const c = withIndex();
  const names = Array.from({ length: 9_999 }, (_, i) => `a-${i}`);
  c.run('update-aliases', { actions: [add(c, [...names, 'kept'])] });
  const before = process.cpuUsage();
  c.run('update-aliases', { actions: names.map((name) => remove(c, [name])) });
  const { user } = process.cpuUsage(before);
  assert.deepEqual(Object.keys(c.state.indices.get(c.uuid('i'))!.aliases), ['kept']);
  assert.ok(user < 5e6, `${user / 1e6} s of processor time`);
});

test('more aliases of an index, or changes in a call, than one state can carry are refused', () => {
  const c = withIndex();
  const names = Array.from({ length: 12_000 }, (_, i) => `a-${i}`);
  c.run('update-aliases', { actions: [add(c, names)] });
  const refused = (reason: string, actions: unknown[]): void =>
    assert.throws(() => c.run('update-aliases', { actions }), { type: 'illegal_argument_exception', reason });
  refused('index [i] would have [12001] aliases, more than [12000]', [add(c, ['b'])]);
  c.run('update-aliases', { actions: [remove(c, ['a-1']), add(c, ['b'])] });
  const over = names.map(() => add(c, ['c', 'd', 'e']));
  refused('a call may change [20000] aliases of indices, not [36000]', over);
});

test('removals that find nothing are refused if nothing else changes, or if they must find something', () => {
  const c = withIndex();
  c.run('update-aliases', { actions: [add(c, ['a'])] });
  const refused = (reason: string, ...actions: unknown[]): void =>
    assert.throws(() => c.run('update-aliases', { actions }), { reason });
  refused('aliases [x, y*, z] missing', remove(c, ['x', 'y*']), remove(c, ['z', 'x'], false));
  refused('required alias [x*] does not exist', remove(c, ['x*', 'y'], true), add(c, ['b']));
  c.run('update-aliases', { actions: [remove(c, ['x']), add(c, ['b'])] });
  c.run('update-aliases', { actions: [remove(c, ['a', 'x'], true)] });
  assert.deepEqual(Object.keys(c.state.indices.get(c.uuid('i'))!.aliases), ['b']);
});

test('an index that the same call removes cannot get aliases', () => {
  const c = withIndex();
  const removeIndex = { kind: 'remove-index', uuids: [c.uuid('i')] };
  assert.throws(() => c.run('update-aliases', { actions: [add(c, ['a']), removeIndex] }), {
    reason: 'no such index [i]',
    meta: { index_uuid: '_na_', index: 'i' },
  });
});

test('more patterns than can be compared with all names are refused, few never', () => {
  const c = withIndex();
  c.run('update-aliases', {
    actions: [
      add(
        c,
        Array.from({ length: 1_000 }, (_, i) => `a-${i}`),
      ),
    ],
  });
  const resolve = (count: number): unknown =>
    resolveIndices(
      c.state,
      Array.from({ length: count }, (_, i) => `a*${i}`),
      OPEN_ONLY,
      UNRESTRICTED,
    );
  assert.doesNotThrow(() => resolve(100));
  assert.throws(() => resolve(1_000), {
    reason:
      '[1000] patterns would be compared with [1001] names of indices and aliases, which is more than the limit of ' +
      '[200000] comparisons; name the indices or use fewer patterns',
  });
});
