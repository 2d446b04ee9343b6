import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CoordinatorContext } from '../context.js';
import { copyRequest } from '../enrich/copy-request.js';
import { createSubject, parseRoleDescriptor } from '@shoal/security/testing';
import type { Authentication } from '@shoal/security';
import type { CallContext } from '../call.js';
import { errors } from '@shoal/errors';
import { type ClusterState, OPEN_ONLY } from '@shoal/state';
import { CALL, fakeCoordinator, type FakeIndex, stateWith } from '../fake-cluster.js';
import type { ByQueryRequest } from './by-query-request.js';
import { deleteRequest } from './delete-request.js';
import { makeInTurns, type Turns } from '../turns.js';
import { keptMs } from '../keep-alive.js';
import { Progress } from './progress.js';
import { runPages, startByQuery } from './run-by-query.js';
import type { SourceHit, SourcePage } from './source-reader.js';

test('no more slices are begun than the source allows', () => {
  const of = (settings: Record<string, string>): CoordinatorContext =>
    ({
      cluster: { state: () => stateWith([{ name: 'from', shards: [['n1']], settings }]) },
      clock: { now: () => 0, monotonic: () => 0 },
    }) as unknown as CoordinatorContext;
  const start = (settings: Record<string, string>, slices: number): unknown =>
    startByQuery(of(settings), { ...copyRequest(['from'], {}, 'to'), slices }, CALL);
  const tooLarge = (slices: number, max: number) => ({
    reason:
      `The number of slices [${slices}] is too large. It must be less than [${max}]. This limit can be set by ` +
      'changing the [index.max_slices_per_scroll] index level setting.',
  });
  assert.throws(() => start({}, 4_000_000_000), tooLarge(4_000_000_000, 1024));
  assert.throws(() => start({}, 1025), tooLarge(1025, 1024));
  assert.throws(() => start({ 'index.max_slices_per_scroll': '4' }, 5), tooLarge(5, 4));
});

test('a point in time outlasts the wait of the throttle', () => {
  assert.equal(keptMs(300_000, 0), 300_000);
  assert.equal(keptMs(300_000, 1_000_000), 1_300_000);
  assert.equal(keptMs(300_000, 1e12), 86_400_000);
  assert.equal(keptMs(600_000, 1e12, 60_000), 600_000);
});

test('scripts of a page give the thread back between documents', async () => {
  let [asked, paused] = [0, 0];
  const turns: Turns = { pause: () => (++asked % 2 === 0 ? Promise.resolve().then(() => void paused++) : null) };
  const hits = ['a', 'b', 'c', 'd'].map((id) => ({ id }) as SourceHit);
  assert.deepEqual(await makeInTurns(hits, ({ id }) => id, turns), ['a', 'b', 'c', 'd']);
  assert.deepEqual([asked, paused], [4, 2]);
});

/** Runs a call over pages of two documents; returns what happened, in order. */
async function pagesOf(rate: number, bytes: number, fails = false): Promise<readonly string[]> {
  const events: string[] = [];
  const request = { ...copyRequest(['from'], {}, 'to'), pageSize: 2 };
  const progress = new Progress('reindex', rate);
  const hit = {} as SourceHit;
  const pages = [2, 2, 1].map((count, i) => ({
    hits: Array<SourceHit>(count).fill(hit),
    total: null,
    bytes,
    after: [i],
  }));
  const source = {
    async page(_slice: unknown, after: readonly unknown[] | null): Promise<SourcePage> {
      const place = after === null ? 0 : Number(after[0]) + 1;
      events.push(`read ${place}`);
      await Promise.resolve();
      events.push(`got ${place}`);
      return pages[place]!;
    },
    close: () => Promise.resolve(),
  };
  const work = {
    endsOnFailure: true,
    written: new Set<string>(),
    async page() {
      const { batches } = progress;
      await new Promise(setImmediate);
      if (fails) throw new Error('no');
      events.push(`wrote ${batches - 1}`);
    },
  };
  let nowMs = 0;
  const clock = { monotonic: () => (nowMs += 10_000) };
  const part = {
    context: { clock } as unknown as CoordinatorContext,
    request,
    source,
    work,
    call: CALL,
    hasFailed: false,
  };
  const run = { progress, slice: null, maxDocs: Infinity, throttle: { end: () => undefined } };
  await runPages(part, run).catch(({ message }: Error) => events.push(message));
  return events;
}

test('the next page is read while one is written, unless the throttle has it wait or it is large', async () => {
  const ahead = ['read 0', 'got 0', 'read 1', 'got 1', 'wrote 0', 'read 2', 'got 2', 'wrote 1', 'wrote 2'];
  assert.deepEqual(await pagesOf(Infinity, 100), ahead);
  const inOrder = ['read 0', 'got 0', 'wrote 0', 'read 1', 'got 1', 'wrote 1', 'read 2', 'got 2', 'wrote 2'];
  assert.deepEqual(await pagesOf(1000, 100), inOrder);
  assert.deepEqual(await pagesOf(Infinity, 1e9), inOrder);
});

test('a page that was read ahead is waited for when the call fails', async () => {
  assert.deepEqual(await pagesOf(Infinity, 100, true), ['read 0', 'got 0', 'read 1', 'got 1', 'no']);
});

/** A caller that has all rights on `own*`, and may read `seen*`. */
function callOf(state: ClusterState, roles: Record<string, Record<string, unknown>>): CallContext {
  const realm = { name: 'native', type: 'native' };
  const user = { username: 'u', roles: ['r'], fullName: null, email: null, metadata: {}, enabled: true };
  const authentication = { user, realm, lookupRealm: realm, type: 'realm', apiKey: null, runAsBy: null };
  for (const [name, role] of Object.entries(roles)) parseRoleDescriptor(name, role);
  const subject = createSubject({ ...authentication, serviceAccount: null } as Authentication, state);
  return { ...CALL, subject };
}

const ROLES = {
  r: {
    indices: [
      { names: ['own*'], privileges: ['all'] },
      { names: ['seen*'], privileges: ['read'] },
    ],
  },
};

const withRoles = (indices: readonly FakeIndex[]): ClusterState =>
  stateWith(indices, { customs: new Map([['securityRoles', ROLES]]) });

test('who changes documents by a query has to have the right to in each index that is named', () => {
  const state = withRoles(['own', 'seen'].map((name) => ({ name, shards: [['n1']] })));
  const call = callOf(state, ROLES);
  const clock = { now: () => 0, monotonic: () => 0 };
  const context = { cluster: { state: () => state }, clock } as unknown as CoordinatorContext;
  const refused = /^action \[indices:data\/write\/(delete|update)\/byquery\] is unauthorized .* on indices \[seen\]/;
  const request = deleteRequest('seen', {});
  assert.throws(() => startByQuery(context, request, call), { type: 'security_exception', reason: refused });
  assert.throws(() => startByQuery(context, { ...request, kind: 'update' }, call), { reason: refused });
});

test('a call by query reads those indices of a wildcard only that the caller may change', async () => {
  const filter = { term: { a: 1 } };
  const state = withRoles([
    { name: 'own-1', shards: [['n1']], aliases: { 'seen-of-own': {} } },
    { name: 'own-closed', shards: [['n1']], state: 'close' },
    { name: 'seen-1', shards: [['n1']] },
    { name: 'seen-2', shards: [['n1']], aliases: { 'own-view': { filter } } },
    { name: 'other', shards: [['n1']] },
  ]);
  const opened: [string, unknown][] = [];
  const coordinator = fakeCoordinator(state, {
    open({ targets }) {
      for (const { indexName, filter: found } of targets)
        opened.push([indexName, found && JSON.parse(Buffer.from(found).toString())]);
      throw errors.illegalState('opened');
    },
  });
  const call = callOf(state, ROLES);
  const read = async (names: readonly string[], change: Partial<ByQueryRequest> = {}): Promise<unknown> => {
    opened.length = 0;
    const request = {
      ...deleteRequest('', { match_all: {} }),
      source: { names, options: OPEN_ONLY },
      refresh: false,
      ...change,
    };
    const total = await coordinator.byQuery(request, call).done.then(
      ({ json }) => json['total'],
      () => null,
    );
    return total ?? opened.toSorted();
  };
  const own = [
    ['own-1', undefined],
    ['seen-2', filter],
  ];
  assert.deepEqual(await read(['*']), own);
  assert.deepEqual(await read([]), own);
  assert.deepEqual(await read(['*'], { kind: 'update', slices: 'auto' }), own);
  assert.deepEqual(await read(['own*', 'seen*']), own);
  assert.deepEqual(await read(['own-view']), [['seen-2', filter]]);
  assert.deepEqual(await read(['*', '-own-view']), [['own-1', undefined]]);
  const source = { names: ['seen-1', 'own-1', 'none'], options: { ...OPEN_ONLY, ignoreUnavailable: true } };
  assert.deepEqual(await read([], { source }), [['own-1', undefined]]);
  assert.equal(await read(['seen-1*']), 0);
  const reindex = copyRequest(['*'], {}, 'own-new');
  assert.deepEqual(await read([], reindex), [
    ['own-1', undefined],
    ['seen-1', undefined],
    ['seen-2', undefined],
  ]);
});
