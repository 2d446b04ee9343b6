import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallContext } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import type { Subject } from '@shoal/security';
import { emptyState, type IndexAccess, type IndexMetadata } from '@shoal/state';
import { fakeClock } from '@shoal/doors';
import { ensureDestination } from './ensure-destination.js';
import { parseTransform } from './transform-config.js';
import { isPermanent, TransformExecutor, type TransformDoors } from './transform-executor.js';
import { TransformService } from './transform-service.js';

const BODY = {
  source: { index: 'from' },
  dest: { index: 'to', aliases: [{ alias: 'shown' }] },
  latest: { unique_key: ['k'], sort: 't' },
};

/** Somebody who may do some actions, on some names each. */
const somebody = (granted: Readonly<Record<string, readonly string[]>>): Subject =>
  ({
    authentication: null,
    roles: [],
    denied: (action: string, names: readonly string[]) => errors.security(`${action} ${names.join(',')}`),
    permissions: {
      indexAccess: (action: string): Partial<IndexAccess> => ({
        allows: (name) => granted[action]?.includes(name) === true,
      }),
    },
  }) as unknown as Subject;

/** A node whose cluster has the transform `t` and, if `meta` is given, its destination. */
function scene(subject: Subject, meta: object | null) {
  const submitted: string[] = [];
  const destination = { name: 'to', uuid: 'to-uuid', aliases: {}, settings: {}, mapping: { _meta: meta } };
  const indices = meta === null ? [] : [['to-uuid', destination as unknown as IndexMetadata] as const];
  const transforms = { t: { id: 't', body: BODY, version: '8.12.0', createdMs: 0, authentication: null } };
  const state = { ...emptyState(), indices: new Map(indices), customs: new Map([['transforms', transforms]]) };
  const doors = {
    cluster: {
      state: () => state,
      submit: async (task: string) => void submitted.push(task),
    },
    coordinator: {},
    store: { remove: async () => undefined },
    clock: fakeClock(),
    log: { write: () => undefined },
    subjectOf: () => subject,
  } as unknown as TransformDoors;
  return { doors, submitted, service: new TransformService(doors, new TransformExecutor(doors)) };
}

const MADE = { created_by: 'transform' };

test('a reset deletes a destination that a transform made, and no other index', async () => {
  const owner = somebody({ 'indices:admin/delete': ['to'] });
  const made = scene(owner, MADE);
  await made.service.reset('t', false);
  assert.deepEqual(made.submitted, ['delete-index']);
  const own = scene(owner, { created_by: 'somebody' });
  await own.service.reset('t', false);
  assert.deepEqual(own.submitted, []);
});

test('a destination is deleted only as its maker may delete it', async () => {
  const { service, submitted } = scene(somebody({ 'indices:data/write/bulk[s]': ['to'] }), MADE);
  await assert.rejects(service.remove('t', false, true), { reason: 'indices:admin/delete to' });
  await assert.rejects(service.reset('t', false), { reason: 'indices:admin/delete to' });
  assert.deepEqual(submitted, []);
});

test('a destination and its aliases are made only as the maker of the transform may make them', async () => {
  const config = parseTransform('t', { ...BODY, settings: { deduce_mappings: false } });
  const make = async (granted: Readonly<Record<string, readonly string[]>>): Promise<readonly string[]> => {
    const subject = somebody(granted);
    const { doors, submitted } = scene(subject, null);
    await ensureDestination(config, doors, subject);
    return submitted;
  };
  await assert.rejects(make({ 'indices:data/write/bulk[s]': ['to'] }), { reason: 'indices:admin/create to' });
  const create = { 'indices:admin/create': ['to'] };
  await assert.rejects(make({ ...create, 'indices:admin/aliases': ['to'] }), {
    reason: 'indices:admin/aliases to,shown',
  });
  assert.deepEqual(await make({ ...create, 'indices:admin/aliases': ['to', 'shown'] }), ['create-index']);
});

test('a cluster without a transform node refuses to make, show and start transforms', async () => {
  const { service } = scene(somebody({}), null);
  const call = {} as CallContext;
  const refusal = {
    type: 'status_exception',
    status: 400,
    reason: 'Transform requires the transform node role for at least 1 node, found no transform nodes',
  };
  await assert.rejects(service.put('u', BODY, true, call), refusal);
  await assert.rejects(service.preview(null, BODY, call), refusal);
  await assert.rejects(service.start('t', null, call), refusal);
});

test('a transform tries again when a node took its point in time with it', () => {
  const lost = errors.searchPhaseExecution('all shards failed', { status: 404 });
  assert.deepEqual([lost, errors.indexNotFound('no such index'), errors.rejectedExecution('full')].map(isPermanent), [
    false,
    false,
    false,
  ]);
  assert.deepEqual([errors.illegalArgument('no'), errors.security('no')].map(isPermanent), [true, true]);
});
