import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '@shoal/errors';
import { EVERYBODY, type Subject } from '@shoal/security';
import { type ClusterState, emptyState, type IndexAccess, type IndexMetadata } from '@shoal/state';
import { performEffect } from './perform-effect.js';
import type { Effect } from './step.js';

const META = { name: 'logs', uuid: 'u' } as IndexMetadata;
const DELETE: Effect = {
  kind: 'task',
  task: 'delete-index',
  body: { uuids: ['u'] },
  action: 'indices:admin/delete',
  names: ['logs'],
};
const MERGE: Effect = { kind: 'force-merge', segmentsMax: 1 };

/** A user that is granted one action on one index. */
function only(action: string, index: string): Subject {
  const indexAccess = (asked: string): IndexAccess =>
    ({ allows: (name: string) => asked === action && name === index }) as unknown as IndexAccess;
  return {
    ...EVERYBODY,
    permissions: { ...EVERYBODY.permissions, indexAccess },
    denied: (asked, names = []) => errors.security(`action [${asked}] is unauthorized on [${names.join()}]`),
  };
}

function doors(failures: readonly { readonly error: Error }[] = []) {
  const done: unknown[] = [];
  return {
    done,
    cluster: { submit: async (...task: unknown[]) => void done.push(task) },
    coordinator: {
      broadcast: async (_metas: unknown, ...call: unknown[]) => (done.push(call), { failures, shards: [] }),
    },
  } as unknown as Parameters<typeof performEffect>[0] & { readonly done: unknown[] };
}

test('an effect needs the privileges of the author of the policy, on the index and for the action', async () => {
  const world = doors();
  await performEffect(world, META, DELETE, only('indices:admin/delete', 'logs'));
  assert.deepEqual(world.done, [['delete-index', { uuids: ['u'] }]]);
  for (const author of [only('indices:admin/delete', 'other'), only('indices:data/read/search', 'logs')])
    await assert.rejects(performEffect(world, META, DELETE, author), {
      type: 'security_exception',
      message: 'action [indices:admin/delete] is unauthorized on [logs]',
    });
  await assert.rejects(performEffect(world, META, MERGE, only('indices:admin/delete', 'logs')), { status: 403 });
  assert.equal(world.done.length, 1);
});

test('a merge that fails on a shard fails the step', async () => {
  const world = doors([{ error: errors.illegalState('disk is full') }]);
  await assert.rejects(performEffect(world, META, MERGE, EVERYBODY), /disk is full/);
});

test('a policy deletes the snapshot of an index only if a policy took it, of this index alone', async () => {
  const world = (indices: number, metadata: unknown) => {
    const deleted: unknown[] = [];
    const known = { name: 's', uuid: 'x', indices: Array.from({ length: indices }), metadata };
    const snapshots = {
      list: async () => [known],
      delete: async (_place: unknown, infos: readonly unknown[], besides: string) => void deleted.push(infos, besides),
    };
    const placeOf = (repository: string) => ({ repository, folder: '/r' });
    return { deleted, known, doors: { ...doors(), snapshots, placeOf } as unknown as ReturnType<typeof doors> };
  };
  const effect: Effect = { kind: 'delete-snapshot', repository: 'r', snapshot: 's' };
  const own = world(1, { policy: 'p' });
  await performEffect(own.doors, META, effect, EVERYBODY);
  assert.deepEqual(own.deleted, [[own.known], 'u']);
  for (const other of [world(2, { policy: 'daily' }), world(1, null), world(1, { taken: 'by hand' })]) {
    await performEffect(other.doors, META, effect, EVERYBODY);
    assert.deepEqual(other.deleted, []);
  }
});

test('a mount is done if the index is mounted from its snapshot, and fails if another one has its name', async () => {
  const effect: Effect = {
    kind: 'mount',
    repository: 'r',
    snapshot: 's',
    index: 'logs',
    target: 'partial-logs',
    isPartial: true,
  };
  const world = (settings: object) => {
    const target = { name: 'partial-logs', uuid: 't', settings };
    const state = { ...emptyState(), indices: new Map([['t', target]]) } as unknown as ClusterState;
    return { ...doors(), cluster: { state: () => state } } as unknown as ReturnType<typeof doors>;
  };
  const mounted = {
    'index.store.snapshot.repository_name': 'r',
    'index.store.snapshot.snapshot_name': 's',
    'index.store.snapshot.index_name': 'logs',
  };
  await performEffect(world(mounted), META, effect, EVERYBODY);
  for (const other of [{}, { ...mounted, 'index.store.snapshot.snapshot_name': 'x' }])
    await assert.rejects(performEffect(world(other), META, effect, EVERYBODY), {
      type: 'resource_already_exists_exception',
      message: 'index [partial-logs] exists and is not mounted from [r:s/logs]',
    });
});
