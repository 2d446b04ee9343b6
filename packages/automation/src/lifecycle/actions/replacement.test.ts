import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClusterState, emptyState, type IndexMetadata } from '@shoal/state';
import type { StepView } from '../step.js';
import { deleteTarget, targetWhole } from './replacement.js';

const index = (uuid: string, name: string): IndexMetadata =>
  ({ uuid, name, aliases: {}, settings: {} }) as unknown as IndexMetadata;

function view(meta: IndexMetadata, indices: readonly IndexMetadata[]): StepView {
  const state = { ...emptyState(), indices: new Map(indices.map((one) => [one.uuid, one])) };
  return { state, meta, execution: { shrinkIndexName: 'small-logs' } } as unknown as StepView;
}

test('the target of an earlier try is deleted, so that another one can be made', () => {
  const [source, target] = [index('s', 'logs'), index('t', 'small-logs')];
  const verdict = deleteTarget(view(source, [source, target]));
  assert.ok(verdict.kind === 'effect' && verdict.effect.kind === 'task');
  assert.deepEqual(verdict.effect.body, { uuids: ['t'] });
});

test('an index that took the place of another one is not its own target', () => {
  const target = index('t', 'small-logs');
  assert.deepEqual(deleteTarget(view(target, [target])), { kind: 'done', changes: { shrinkIndexName: '' } });
});

test('what replaces an index waits until it has as many active copies as the index', () => {
  const [source, target] = [index('s', 'logs'), index('t', 'small-logs')];
  const whole = view(source, [source, target]);
  const step = targetWhole({ cleanUp: 'clean-up', check: 'check' });
  const shard = (states: readonly string[]) => [states.map((state) => ({ state }))];
  const routed = (states: readonly string[], own: readonly string[]): StepView => ({
    ...whole,
    state: {
      ...whole.state,
      routing: new Map([
        ['s', shard(own)],
        ['t', shard(states)],
      ]),
    } as unknown as ClusterState,
  });
  const two = ['STARTED', 'STARTED'];
  assert.equal(step.decide(routed(['STARTED', 'INITIALIZING'], two)).kind, 'wait');
  assert.equal(step.decide(routed(two, two)).kind, 'done');
  assert.equal(step.decide(routed(['STARTED', 'UNASSIGNED'], ['STARTED', 'UNASSIGNED'])).kind, 'done');
  assert.equal(step.decide(routed(['STARTED'], two)).kind, 'done');
  assert.equal(step.decide(routed(['UNASSIGNED'], ['UNASSIGNED'])).kind, 'wait');
  assert.deepEqual(step.decide(view(source, [source])), { kind: 'go', step: 'clean-up' });
});
