import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AliasMetadata, ClusterState, IndexMetadata } from '../state.js';
import { emptyState } from '../edit.js';
import { resolveWriteTarget } from './resolve-write-target.js';
import { UNRESTRICTED } from './index-access.js';
import { OPEN_ONLY } from './indices-options.js';
import { searchTargets } from './search-targets.js';

function index(name: string, aliases: Record<string, AliasMetadata> = {}): IndexMetadata {
  return { name, uuid: `${name}-uuid`, state: 'open', settings: {}, aliases } as unknown as IndexMetadata;
}

function stateOf(...metas: IndexMetadata[]): ClusterState {
  return { ...emptyState(), indices: new Map(metas.map((meta) => [meta.uuid, meta])) };
}

test('an alias of one index takes writes unless it opted out', () => {
  assert.equal(resolveWriteTarget(stateOf(index('a', { x: {} })), 'x')?.index.name, 'a');
  assert.throws(
    () => resolveWriteTarget(stateOf(index('a', { x: { isWriteIndex: false } })), 'x'),
    /no write index is defined for alias \[x\]/,
  );
});

test('an alias of several indices writes to the marked one', () => {
  const state = stateOf(index('a', { x: {} }), index('b', { x: { isWriteIndex: true } }));
  assert.equal(resolveWriteTarget(state, 'x')?.index.name, 'b');
});

test('names that are Object properties are not indices', () => {
  assert.equal(resolveWriteTarget(stateOf(index('a')), 'constructor'), null);
});

test('searching an index by its own name ignores the filters of its aliases', () => {
  const filter = { term: { user: 'kim' } };
  const state = stateOf(index('a', { mine: { filter, searchRouting: '1' }, other: { filter: { match_all: {} } } }));
  assert.deepEqual(
    searchTargets(state, ['mine'], OPEN_ONLY, null, UNRESTRICTED).map((target) => [target.filter, target.routings]),
    [[filter, ['1']]],
  );
  assert.deepEqual(
    searchTargets(state, ['a', 'mine'], OPEN_ONLY, null, UNRESTRICTED).map((target) => target.filter),
    [null],
  );
  assert.deepEqual(searchTargets(state, ['mine', 'other'], OPEN_ONLY, null, UNRESTRICTED)[0]?.filter, {
    bool: { should: [filter, { match_all: {} }] },
  });
});
