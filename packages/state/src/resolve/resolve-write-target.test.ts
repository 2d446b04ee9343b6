import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AliasMetadata, ClusterState, IndexMetadata } from '../state.js';
import { emptyState } from '../edit.js';
import { resolveReadTarget, resolveWriteTarget, writeRouting } from './resolve-write-target.js';
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

test('an alias of several indices writes to the marked one and reads from none', () => {
  const state = stateOf(index('a', { x: {} }), index('b', { x: { isWriteIndex: true } }));
  assert.equal(resolveWriteTarget(state, 'x')?.index.name, 'b');
  assert.throws(
    () => resolveReadTarget(state, 'x'),
    /alias \[x\] has more than one index associated with it \[a, b\], can't execute a single index op/,
  );
});

test('the routing of an alias and the one of the request must agree', () => {
  const target = resolveWriteTarget(stateOf(index('a', { x: { indexRouting: '1' } })), 'x')!;
  assert.equal(writeRouting(target, 'x', null), '1');
  assert.throws(
    () => writeRouting(target, 'x', '2'),
    new RegExp(
      'Alias \\[x\\] has index routing associated with it \\[1\\], ' +
        'and was provided with routing value \\[2\\], rejecting operation',
    ),
  );
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
    bool: { should: [filter, { match_all: {} }], minimum_should_match: 1 },
  });
});
