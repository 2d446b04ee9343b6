import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClusterState, emptyState, type IndexMetadata } from '@shoal/state';
import { migrateToDataTiers, tierMigration } from './migrate-to-data-tiers.js';
import type { TaskContext } from './task.js';

const REQUIRE = 'index.routing.allocation.require.data';
const BODY = { attribute: 'data', legacyTemplate: 'old' };

const index = (name: string, settings: Record<string, string>): [string, IndexMetadata] => [
  name,
  { uuid: name, name, settings, version: 1, settingsVersion: 1 } as unknown as IndexMetadata,
];

const policy = (allocate: Record<string, unknown>): unknown => ({
  version: 1,
  modifiedMs: 0,
  authentication: null,
  policy: { phases: { warm: { min_age: '1d', actions: { readonly: {}, allocate } } } },
});

const WORLD: ClusterState = {
  ...emptyState(),
  indices: new Map([index('a', { [REQUIRE]: 'warm', x: '1' }), index('b', { x: '1' })]),
  customs: new Map<string, Record<string, unknown>>([
    [
      'lifecyclePolicies',
      {
        alone: policy({ include: {}, exclude: {}, require: { data: 'warm' } }),
        more: policy({ number_of_replicas: 0, include: {}, exclude: {}, require: { data: 'warm', rack: 'r1' } }),
        none: policy({ number_of_replicas: 0, include: {}, exclude: {}, require: {} }),
      },
    ],
    ['legacyTemplates', { old: { settings: {} }, l: { settings: { [REQUIRE]: 'hot' } } }],
    ['indexTemplates', { t: { template: { settings: { [REQUIRE]: 'cold' } } }, u: { template: {} } }],
    ['componentTemplates', { c: { template: { settings: { [REQUIRE]: 'odd' } } } }],
  ]),
};

test('rules of the attribute go from everything, and tiers take their place', () => {
  const { state, migration } = tierMigration(WORLD, BODY, 7);
  assert.deepEqual(migration, {
    removedLegacyTemplate: 'old',
    policies: ['alone', 'more'],
    indices: ['a'],
    legacyTemplates: ['l'],
    composableTemplates: ['t'],
    componentTemplates: ['c'],
  });
  const preference = 'index.routing.allocation.include._tier_preference';
  assert.deepEqual(state.indices.get('a')!.settings, { x: '1', [preference]: 'data_warm,data_hot' });
  assert.equal(state.indices.get('b'), WORLD.indices.get('b'));
  const policies = state.customs.get('lifecyclePolicies') as Record<string, ReturnType<typeof JSON.parse>>;
  assert.deepEqual(policies['alone'].policy.phases.warm.actions, { readonly: {} });
  assert.deepEqual(policies['more'].policy.phases.warm.actions.allocate.require, { rack: 'r1' });
  assert.deepEqual([policies['more'].version, policies['none'].version], [2, 1]);
  assert.deepEqual(Object.keys(state.customs.get('legacyTemplates')!), ['l']);
});

test('nothing is migrated while lifecycles run', () => {
  const apply = (state: ClusterState): unknown => migrateToDataTiers.apply(state, BODY, { nowMs: 7 } as TaskContext);
  assert.throws(
    () => apply(WORLD),
    /^ApiError: stop ILM before migrating to data tiers, current state is \[RUNNING\]$/,
  );
  const customs = new Map(WORLD.customs).set('operationModes', { ilm: { service: 'ilm', mode: 'STOPPED' } });
  assert.doesNotThrow(() => apply({ ...WORLD, customs }));
});
