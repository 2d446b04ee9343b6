import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '@shoal/errors';
import fc from 'fast-check';
import { matchesWildcard } from '@shoal/values';
import type { AliasMetadata, ClusterState, IndexMetadata } from '../state.js';
import { emptyState } from '../edit.js';
import { type IndexAccess, UNRESTRICTED } from './index-access.js';
import { type IndicesOptions, OPEN_BY_WILDCARD, OPEN_ONLY } from './indices-options.js';
import { resolveIndices, resolveNames } from './resolve-indices.js';
import { requestedAliases, searchTargets } from './search-targets.js';

function index(name: string, aliases: Record<string, AliasMetadata> = {}): IndexMetadata {
  return { name, uuid: `${name}-uuid`, state: 'open', settings: {}, aliases } as unknown as IndexMetadata;
}

function stateOf(...metas: IndexMetadata[]): ClusterState {
  const stream = {
    name: 'stream',
    indices: ['.ds-1-uuid'],
    generation: 1,
    hidden: false,
    allowCustomRouting: false,
    template: 't',
  };
  return {
    ...emptyState(),
    indices: new Map(metas.map((meta) => [meta.uuid, meta])),
    customs: new Map([['dataStreams', { stream }]]),
  };
}

function allowing(...names: string[]): IndexAccess {
  return {
    allows: (name) => names.includes(name),
    refuse: (refused) => errors.security(`refused [${refused.join(',')}]`),
    limits: (reached) => ({ queries: [reached.map((name) => `{"of":"${name}"}`)], fields: [] }),
  };
}

const filter = { term: { user: 'kim' } };
const state = stateOf(index('a', { mine: { filter } }), index('b', { mine: {} }), index('c'), index('.ds-1'));
const resolved = (access: IndexAccess, ...expressions: string[]): string[] =>
  resolveIndices(state, expressions, OPEN_ONLY, access).map(({ name }) => name);

test('wildcards see what is allowed, names that are not allowed are refused together, existing or not', () => {
  assert.deepEqual(resolved(allowing('a', 'c'), '*'), ['a', 'c']);
  assert.deepEqual(resolved(allowing('a', 'c')), ['a', 'c']);
  assert.deepEqual(resolved(allowing('a'), 'a', 'x*'), ['a']);
  assert.throws(() => resolved(allowing('a'), 'a', 'b', 'gone'), { reason: 'refused [b,gone]' });
  assert.deepEqual(
    resolveIndices(state, ['a', 'b', 'gone'], { ...OPEN_BY_WILDCARD, ignoreUnavailable: true }, allowing('a')).map(
      ({ name }) => name,
    ),
    ['a'],
  );
  assert.throws(() => resolved(allowing('a', 'gone'), 'gone'), { type: 'index_not_found_exception' });
});

test('aliases and data streams reach their indices by their own name only', () => {
  assert.deepEqual(resolved(allowing('mine'), 'mine'), ['a', 'b']);
  assert.throws(() => resolved(allowing('mine'), 'a'), { reason: 'refused [a]' });
  assert.deepEqual(resolved(allowing('stream'), 'stream'), ['.ds-1']);
  assert.deepEqual(resolved(allowing('stream'), '.ds-1'), ['.ds-1']);
});

test('aliases by which an index is requested are those that match and are not excluded again', () => {
  const other = { term: { user: 'ann' } };
  const both = stateOf(index('x', { one: { filter }, two: { filter: other } }), index('y', { two: {} }));
  const found = (...expressions: string[]): unknown[] =>
    searchTargets(both, expressions, OPEN_ONLY, null, UNRESTRICTED).map((target) => [target.index.name, target.filter]);
  assert.deepEqual(found('t*', '-two', 'one'), [['x', filter]]);
  const aliases = (...expressions: string[]): string[] =>
    requestedAliases(both, expressions, both.indices.get('x-uuid')!, UNRESTRICTED, 0);
  assert.deepEqual(aliases('two', 'one'), ['one', 'two']);
  assert.deepEqual(aliases('x', 'o*'), ['one']);
  assert.deepEqual(aliases('*', '-one'), ['two']);
  assert.deepEqual(aliases(), []);
});

test('what is reached by a filtered alias stays filtered, also when everything is asked for', () => {
  const filters = (access: IndexAccess, ...expressions: string[]): unknown[] =>
    searchTargets(state, expressions, OPEN_ONLY, null, access).map((target) => [target.index.name, target.filter]);
  assert.deepEqual(filters(allowing('mine')), [
    ['a', filter],
    ['b', null],
  ]);
  assert.deepEqual(filters(allowing('mine'), '*'), [
    ['a', filter],
    ['b', null],
  ]);
  assert.deepEqual(filters(allowing('mine', 'a'), '*'), [
    ['a', null],
    ['b', null],
  ]);
  assert.deepEqual(filters(allowing('mine', 'a'), 'mine'), [
    ['a', filter],
    ['b', null],
  ]);
});

test('limits are those of the names by which an index is reached', () => {
  const limitsOf = (access: IndexAccess, ...expressions: string[]): unknown =>
    searchTargets(state, expressions, OPEN_ONLY, null, access).map((target) => target.limits?.queries[0]);
  assert.deepEqual(limitsOf(allowing('mine', 'a'), 'mine'), [['{"of":"mine"}'], ['{"of":"mine"}']]);
  assert.deepEqual(limitsOf(allowing('a'), 'a'), [['{"of":"a"}']]);
  assert.deepEqual(limitsOf(allowing('.ds-1', 'stream'), '.ds-1'), [['{"of":".ds-1"}', '{"of":"stream"}']]);
});

test('a wildcard is what its names are one by one', () => {
  const all = ['a', 'b', 'c', 'mine', 'stream'];
  fc.assert(
    fc.property(fc.subarray(all), fc.constantFrom('*', 'a*', '*e', 'm*', 's*', '*a*'), (allowed, pattern) => {
      const access = allowing(...allowed);
      const named = allowed.filter((name) => matchesWildcard(pattern, name)).flatMap((name) => resolved(access, name));
      assert.deepEqual([...resolved(access, pattern)].sort(), [...new Set(named)].sort());
    }),
  );
});

test('an exclusion takes back what was asked for by its name, a wildcard also what it expands to', () => {
  const cluster = stateOf(index('l1', { a1: {} }), index('l2'), index('x1', { la: {} }));
  const found = (...expressions: string[]): string[] =>
    resolveIndices(cluster, expressions, OPEN_ONLY, UNRESTRICTED).map(({ name }) => name);
  assert.deepEqual(found('l*', '-a1'), ['l1', 'l2', 'x1']);
  assert.deepEqual(found('l*', '-a*'), ['l2', 'x1']);
  assert.deepEqual(found('l*', '-x*'), ['l1', 'l2']);
  assert.deepEqual(found('l*', '-x1'), ['l1', 'l2']);
  assert.deepEqual(found('l*', '-la'), ['l1', 'l2']);
  assert.deepEqual(found('a1', 'l*', '-l1'), ['l1', 'l2', 'x1']);
  assert.deepEqual(found('l*', 'a1', '-l*'), ['l1']);
  assert.deepEqual(found('l*', '-l1', 'a1'), ['l2', 'x1', 'l1']);
  assert.deepEqual(found('l*', '-none'), ['l1', 'l2', 'x1']);
  assert.deepEqual(found('l*', '-*'), []);
});

test('names stand for themselves: an alias of a wildcard is not its indices', () => {
  const hidden = { ...index('h', { ha: {}, hh: { isHidden: true } }), settings: { 'index.hidden': 'true' } };
  const cluster = stateOf(index('l1', { a1: {} }), index('x1', { la: {} }), hidden as IndexMetadata);
  const names = (...expressions: string[]): string[] => [
    ...resolveNames(cluster, expressions, OPEN_ONLY, UNRESTRICTED),
  ];
  assert.deepEqual(names('l*', '-la'), ['l1']);
  assert.deepEqual(names('l*', '-l1'), ['la']);
  assert.deepEqual(names('h*'), ['ha']);
  assert.deepEqual(names('ha', 'h'), ['ha', 'h']);
});

test('patterns are names if neither open nor closed indices are expanded', () => {
  const none = { ...OPEN_ONLY, expandOpen: false, expandHidden: true };
  const found = (options: IndicesOptions, ...expressions: string[]): string[] =>
    resolveIndices(state, expressions, options, UNRESTRICTED).map(({ name }) => name);
  assert.deepEqual(found(none), []);
  assert.deepEqual(found({ ...none, ignoreUnavailable: true }, 'a*', 'c'), ['c']);
  assert.throws(() => found(none, 'a*', '-b'), { reason: 'no such index [a*]' });
});
