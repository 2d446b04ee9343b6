import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyState, section } from '@shoal/state';
import { restoreGlobalState, sectionForSnapshot, snapshotSections } from './restore-global-state.js';
import type { TaskContext } from './task.js';

test('a snapshot does not say who stored a policy, and a restored one runs with the rights of whoever restores', () => {
  const policies = { daily: { policy: { phases: {} }, version: 3, authentication: { username: 'admin' } } };
  const kept = sectionForSnapshot('lifecyclePolicies', policies);
  assert.deepEqual(kept, { daily: { policy: { phases: {} }, version: 3 } });
  const pipelines = { p: { authentication: 'a member of the pipeline' } };
  assert.deepEqual(sectionForSnapshot('pipelines', pipelines), pipelines);
  const before = {
    ...emptyState(),
    persistentSettings: { 'action.auto_create_index': 'true' },
    customs: new Map([
      ['lifecyclePolicies', { other: {} }],
      ['legacyTemplates', { old: {} }],
      ['repositories', { r: {} }],
    ]),
  };
  const body = {
    persistentSettings: { 'action.destructive_requires_name': 'true', 'no.such.setting': '1' },
    sections: {
      lifecyclePolicies: kept as Record<string, unknown>,
      legacyTemplates: { own: {} },
      repositories: { x: {} },
    },
    authentication: { username: 'restorer' },
  };
  const { state } = restoreGlobalState.apply(before, body, {} as TaskContext);
  assert.deepEqual(section(state, 'lifecyclePolicies'), {
    daily: { policy: { phases: {} }, version: 3, authentication: { username: 'restorer' } },
  });
  assert.deepEqual(Object.keys(section(state, 'legacyTemplates')), ['old', 'own']);
  assert.deepEqual(section(state, 'repositories'), { r: {} });
  assert.deepEqual(state.persistentSettings, { 'action.destructive_requires_name': 'true' });
});

test('the sections of features are only in snapshots of these', () => {
  assert.ok(!snapshotSections(true, []).includes('transforms'));
  assert.deepEqual(snapshotSections(false, ['transform', 'tasks']), ['transforms']);
});
