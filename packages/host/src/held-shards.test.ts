import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClusterState, emptyState, type IndexMetadata, type ShardRouting } from '@shoal/state';
import { fakeClock, memoryFiles, silentLog } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { answerers, shard as messages } from '@shoal/protocol';
import type { SearcherLease, Shard, ShardAtRest, ShardLeases } from '@shoal/shard';
import { FileCache, type ShardStoreInfo } from '@shoal/store';
import { HeldShards, type HeldShardsOptions } from './held-shards.js';
import { createReaderContexts } from './reader-contexts.js';
import { type MessageContext, shardHandlers } from './shard-messages.js';

const INDEX = {
  name: 'i',
  uuid: 'u',
  state: 'open',
  settings: {},
  mapping: {},
  numberOfShards: 1,
  numberOfReplicas: 0,
  mappingVersion: 1,
  primaryTerms: [1],
  inSync: [[]],
} as unknown as IndexMetadata;

/** Creates a state that assigns a copy with an allocation id to this node; null: it assigns none. */
function stateWith(version: number, allocationId: string | null): ClusterState {
  const copy: ShardRouting = {
    indexUuid: 'u',
    shard: 0,
    primary: true,
    state: allocationId === null ? 'UNASSIGNED' : 'INITIALIZING',
    nodeId: allocationId === null ? null : 'n',
    relocatingNodeId: null,
    allocationId,
    recoverySource: 'EMPTY_STORE',
    unassigned: null,
  };
  const nodes = new Map([['n', { id: 'n', ephemeralId: 's' }]]) as unknown as ClusterState['nodes'];
  return { ...emptyState(), version, nodes, indices: new Map([['u', INDEX]]), routing: new Map([['u', [[copy]]]]) };
}

function shardsWith(open: HeldShardsOptions['open'], others: Partial<HeldShardsOptions> = {}): HeldShards {
  return new HeldShards({
    thread: 0,
    threads: 1,
    nodeId: 'n',
    session: 's',
    life: 0,
    clock: fakeClock(),
    log: silentLog,
    open,
    openStore: () => Promise.reject(errors.illegalState('no store')),
    repository: { files: memoryFiles() },
    mount: (indexUuid, shard) => ({
      repositoryFiles: memoryFiles(),
      files: memoryFiles(),
      path: `${indexUuid}/${shard}`,
      cache: new FileCache(0),
    }),
    atRest: async () => null,
    destroy: async () => undefined,
    report: () => undefined,
    shardFailed: async () => undefined,
    peers: { request: () => new Promise(() => undefined) },
    readers: { freeShard: () => undefined, gone: async () => undefined },
    ...others,
  });
}

/**
 * Creates the shards of node `n`. `opened` lists the allocation ids whose stores were opened; no opening ever
 * completes.
 */
function shardsOfNode(): { shards: HeldShards; opened: string[]; fail: ((error: Error) => void)[] } {
  const opened: string[] = [];
  const fail: ((error: Error) => void)[] = [];
  const shards = shardsWith((_index, _routing, _context, _onFailure, copy) => {
    opened.push(copy!.identity.allocationId!);
    return new Promise((_resolve, reject) => fail.push(reject));
  });
  return { shards, opened, fail };
}

async function soon(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

test(
  'a store is not opened while other work on its folder runs, ' + 'however often the copy is assigned anew meanwhile',
  async () => {
    const { shards, opened } = shardsOfNode();
    shards.apply(stateWith(1, null));
    let end = (): void => undefined;
    const work = shards.whileClosed('u', 0, () => new Promise<void>((resolve) => (end = resolve)));
    shards.apply(stateWith(2, 'first'));
    shards.apply(stateWith(3, 'second'));
    await soon();
    assert.deepEqual(opened, []);
    end();
    await work;
    await soon();
    assert.deepEqual(opened, ['second']);
  },
);

test(
  'a store is not opened while an earlier copy closes, however ' + 'often the copy is assigned anew meanwhile',
  async () => {
    const { shards, opened, fail } = shardsOfNode();
    shards.apply(stateWith(1, 'first'));
    await soon();
    shards.apply(stateWith(2, 'second'));
    shards.apply(stateWith(3, 'third'));
    await soon();
    assert.deepEqual(opened, ['first']);
    fail[0]!(new Error('the copy was closed'));
    await soon();
    assert.deepEqual(opened, ['first', 'third']);
  },
);

test('a thread that is started again fails the copies of the one before once each, and opens new ones', async () => {
  const opened: string[] = [];
  const reported: string[] = [];
  const open: HeldShardsOptions['open'] = (_index, _routing, _context, _onFailure, copy) => {
    opened.push(copy!.identity.allocationId!);
    return new Promise(() => undefined);
  };
  const report: HeldShardsOptions['report'] = ({ allocationId }, failure) =>
    void reported.push(`${allocationId} ${(failure as Error).message}`);
  const started = (version: number): ClusterState => {
    const state = stateWith(version, 'started');
    const copy = { ...state.routing.get('u')![0]![0]!, state: 'STARTED' as const };
    return { ...state, routing: new Map([['u', [[copy]]]]) };
  };
  for (const states of [[started(7), started(8)], [stateWith(7, 'opening')]]) {
    const shards = shardsWith(open, { life: 1, report });
    for (const state of states) shards.apply(state);
    await soon();
    shards.apply(stateWith(9, 'next'));
    await soon();
  }
  const why = 'the thread that held the shard ended';
  assert.deepEqual(
    [reported, opened],
    [
      [`started ${why}`, `opening ${why}`],
      ['next', 'next'],
    ],
  );
});

test('a lost copy that the master assigns anew under its id is opened, though no state between is seen', async () => {
  const opened: string[] = [];
  const reported: string[] = [];
  const shards = shardsWith(
    (_index, _routing, _context, _onFailure, copy) => {
      opened.push(copy!.identity.allocationId!);
      return new Promise(() => undefined);
    },
    { life: 1, report: ({ state }) => void reported.push(state) },
  );
  const assigned = (version: number, state: ShardRouting['state'], failedAttempts: number): ClusterState => {
    const whole = stateWith(version, 'a');
    const unassigned = { reason: 'ALLOCATION_FAILED', atMs: 1, details: null, failedAttempts };
    const copy = { ...whole.routing.get('u')![0]![0]!, state, unassigned };
    return { ...whole, routing: new Map([['u', [[copy]]]]) };
  };
  for (const state of [assigned(7, 'INITIALIZING', 1), assigned(8, 'INITIALIZING', 1)]) shards.apply(state);
  await soon();
  assert.deepEqual([reported, opened], [['INITIALIZING'], []]);
  shards.apply(assigned(9, 'INITIALIZING', 2));
  await soon();
  assert.deepEqual([reported, opened], [['INITIALIZING'], ['a']]);
});

/** Creates a state in which node `n` recovers a replica of the shard whose primary is on node `p`. */
function replicaState(version: number, mappingVersion: number): ClusterState {
  const state = stateWith(version, 'a');
  const [own] = state.routing.get('u')![0]!;
  const primary: ShardRouting = { ...own!, state: 'STARTED', nodeId: 'p', allocationId: 'b' };
  const replica: ShardRouting = { ...own!, primary: false, recoverySource: 'PEER' };
  return {
    ...state,
    indices: new Map([['u', { ...INDEX, mappingVersion }]]),
    routing: new Map([['u', [[primary, replica]]]]),
  };
}

test(
  'a copy has each new mapping while it is opened and recovers: ' + 'it takes operations of the primary already',
  async () => {
    const versions: number[] = [];
    const head = { allocationId: 'a', chainId: new Uint8Array(16), batch: 0, link: new Uint8Array(16) };
    const shard = {
      log: {
        store: { identity: { historyUuid: 'h' }, epochs: [], peers: new Map(), head: () => head },
        maxSeqNo: -1,
        gate: null,
        refuseWrites: () => undefined,
      },
      applyMetadata: ({ metadata }: { metadata: IndexMetadata }) => void versions.push(metadata.mappingVersion),
    } as unknown as Shard;
    let open = (_shard: Shard): void => undefined;
    const shards = shardsWith(() => new Promise((resolve) => (open = resolve)));
    shards.apply(replicaState(1, 1));
    await soon();
    shards.apply(replicaState(2, 2));
    open(shard);
    await soon();
    assert.deepEqual(versions, [2]);
    shards.apply(replicaState(3, 3));
    assert.deepEqual(versions, [2, 3]);
  },
);

test('a refresh is for the primary, which knows the copies: one that recovers refuses it at once', async () => {
  const shards = shardsWith(() => new Promise(() => undefined));
  const context = { shards } as unknown as MessageContext;
  shards.apply(replicaState(1, 1));
  await soon();
  const request = messages.encodeShardCall({
    shard: { indexUuid: 'u', shard: 0 },
    indexName: 'i',
    action: 'refresh',
    body: new Uint8Array(0),
  });
  await assert.rejects(
    answerers(messages.methods, shardHandlers(context)).get('shard/call')!(request, new AbortController().signal),
    {
      type: 'retry_on_primary_exception',
    },
  );
});

const NOTE: ShardAtRest = { stats: { docs: { count: 7 } }, segments: [], report: { segments: 1, bytes: 100 } };

/** Assigns its own primary `a` to node `n` again, whose cleanly closed store has the note `NOTE`. */
function restingShard(inSync: readonly string[] = ['a']) {
  const reported: unknown[] = [];
  const opened: unknown[] = [];
  let open = (_outcome: Promise<Shard>): void => undefined;
  const info = { allocationId: 'a', previousAllocationId: null } as ShardStoreInfo;
  const clock = fakeClock();
  const shards = shardsWith(
    (_index, _routing, _context, _onFailure, copy) => {
      opened.push(copy!.identity);
      return new Promise((resolve) => (open = resolve));
    },
    {
      clock,
      atRest: async () => ({ info, note: NOTE }),
      report: (_routing, failure, term) => void reported.push(failure ?? term),
    },
  );
  const state = stateWith(1, 'a');
  const [copy] = state.routing.get('u')![0]!;
  const index = { ...INDEX, primaryTerms: [4], inSync: [inSync] } as unknown as IndexMetadata;
  const stated = (version: number, routing: Partial<ShardRouting>): ClusterState => ({
    ...state,
    version,
    indices: new Map([['u', index]]),
    routing: new Map([['u', [[{ ...copy!, recoverySource: 'EXISTING_STORE', ...routing }]]]]),
  });
  shards.apply(stated(1, {}));
  return { shards, clock, reported, opened, stated, give: (outcome: Promise<Shard>) => open(outcome) };
}

const REF = { indexUuid: 'u', shard: 0 } as Parameters<HeldShards['get']>[0];

test(
  'a primary without other copies whose store was closed in order is ' +
    'reported at once and opened when it is needed',
  async () => {
    const { shards, reported, opened, stated, give } = restingShard();
    await soon();
    assert.deepEqual([reported, opened], [[4], []]);
    assert.deepEqual(
      [shards.atRest(REF), shards.recovery(REF).progress.stage, shards.recovery(REF).opened?.bytes],
      [NOTE, 'DONE', 100],
    );
    shards.apply(stated(2, { state: 'STARTED', recoverySource: null }));
    const got = shards.get(REF);
    await soon();
    assert.deepEqual(opened, [{ allocationId: 'a', inSync: ['a'], existing: 'own' }]);
    let term = 0;
    const store = {
      synced: async () => undefined,
      beginTerm: async (next: number) => void (term = next),
      forgetPreviousAllocation: async () => undefined,
      isAlone: true,
      identity: {},
      keepRecords: () => undefined,
    };
    const shard = {
      log: { store, maxSeqNo: 3, gate: null, leases: [], refuseWrites: () => undefined },
      setPrimaryTerm: () => undefined,
      applyMetadata: () => undefined,
      close: async () => undefined,
    } as unknown as Shard;
    give(Promise.resolve(shard));
    assert.equal(await got, shard);
    assert.deepEqual(
      [term, shards.atRest(REF), reported],
      [4, null, [4]],
      'it acts in its term from now on, and is not reported again',
    );
  },
);

test('a write that was sent before its index refused writes is refused where it arrives', async () => {
  const { shards, stated } = restingShard();
  await soon();
  const started = stated(2, { state: 'STARTED', recoverySource: null });
  const block = { id: 8, description: 'index write (api)', retryable: false, levels: ['write' as const] };
  const blockedBy = (indexUuid: string | null): ClusterState => ({ ...started, blocks: [{ ...block, indexUuid }] });
  for (const state of [started, blockedBy('another'), blockedBy(null)]) {
    shards.apply(state);
    assert.ok(await shards.copyToWrite(REF));
  }
  shards.apply(blockedBy('u'));
  await assert.rejects(shards.copyToWrite(REF), {
    type: 'cluster_block_exception',
    reason: 'index [i] blocked by: [FORBIDDEN/8/index write (api)];',
  });
  assert.ok(await shards.copy(REF), 'other messages are let through');
});

test('a shard at rest tells how long nobody has searched it since it came to this node', async () => {
  const { shards, clock } = restingShard();
  const context = { shards, clock, dataPath: '/d' } as unknown as MessageContext;
  await soon();
  const request = messages.encodeShardCall({
    shard: { indexUuid: 'u', shard: 0 },
    indexName: 'i',
    action: 'stats',
    body: Buffer.from('null'),
  });
  const told: unknown[] = [];
  for (let i = 0; i < 2; i++) {
    clock.advance(20_000);
    const { body } = messages.decodeShardCallResponse(
      await answerers(messages.methods, shardHandlers(context)).get('shard/call')!(
        request,
        new AbortController().signal,
      ),
    );
    told.push((JSON.parse(Buffer.from(body).toString('utf8')) as Record<string, unknown>)['search_access']);
  }
  assert.deepEqual(told, [
    { search_idle: false, search_idle_time: 20_000 },
    { search_idle: true, search_idle_time: 40_000 },
  ]);
});

test('a primary at rest whose store turns out to be damaged is given up', async () => {
  const { shards, reported, give } = restingShard();
  await soon();
  const got = shards.get(REF);
  await soon();
  give(Promise.reject(errors.corruption('the log was lost')));
  await assert.rejects(got, { type: 'no_shard_available_action_exception' });
  assert.equal((reported[1] as Error).message, 'the log was lost');
});

test('a primary that shares its operations with another copy is opened before it is reported', async () => {
  const { reported, opened } = restingShard(['a', 'b']);
  await soon();
  assert.deepEqual([reported, opened.length], [[], 1]);
});

test('operations are kept for a copy that is away as long as the index is set to now', async () => {
  const clock = fakeClock();
  const store = {
    synced: async () => undefined,
    beginTerm: async () => undefined,
    isAlone: true,
    identity: {},
    keepRecords: () => undefined,
    commit: null,
  };
  const log = {
    store,
    maxSeqNo: 3,
    gate: null,
    leases: [{ id: 'peer_recovery/away', retainedSeqNo: 1, atMs: clock.now() }] as ShardLeases,
    setLeases: (leases: ShardLeases) => void (log.leases = leases),
    refuseWrites: () => undefined,
  };
  const shard = { log, setPrimaryTerm: () => undefined, applyMetadata: () => undefined } as unknown as Shard;
  const shards = shardsWith(async () => shard, { clock });
  const stated = (version: number, settings: IndexMetadata['settings']): ClusterState => {
    const state = stateWith(version, 'a');
    return {
      ...state,
      indices: new Map([['u', { ...INDEX, settings, primaryTerms: [4], inSync: [['a']] } as unknown as IndexMetadata]]),
    };
  };
  const kept: number[] = [];
  for (const [version, settings] of [
    {},
    { 'index.soft_deletes.retention_lease.period': '1h' },
    { 'index.soft_deletes.retention_lease.period': '1m' },
  ].entries()) {
    shards.apply(stated(version + 1, settings));
    await soon();
    clock.advance(60_000);
    kept.push(log.leases.length);
  }
  assert.deepEqual(kept, [1, 1, 0]);
});

/** Primary `a` of node `n`, open, with one reader context. */
async function readShard() {
  const store = {
    synced: async () => undefined,
    beginTerm: async () => undefined,
    isAlone: true,
    identity: {},
    keepRecords: () => undefined,
  };
  const events: string[] = [];
  const shard = {
    log: { store, maxSeqNo: 3, gate: null, leases: [], refuseWrites: () => undefined },
    setPrimaryTerm: () => undefined,
    applyMetadata: () => undefined,
    close: async () => void events.push('closed'),
  } as unknown as Shard;
  const contexts = createReaderContexts('s', fakeClock());
  const lease = { release: () => void events.push('released') } as unknown as SearcherLease;
  const id = contexts.open(lease, { indexUuid: 'u', shard: 0 }, 60_000);
  const shards = shardsWith(
    async () => {
      events.push('opened');
      return shard;
    },
    { readers: contexts },
  );
  shards.apply(stateWith(1, 'a'));
  await soon();
  const elsewhere: ShardRouting = { ...stateWith(2, 'c').routing.get('u')![0]![0]!, state: 'STARTED', nodeId: 'm' };
  const moved: ClusterState = { ...stateWith(2, null), routing: new Map([['u', [[elsewhere]]]]) };
  shards.apply(moved);
  await soon();
  return { shards, contexts, id, events, moved };
}

test('a copy that moved away closes when the last context that reads it is gone', async () => {
  const { shards, contexts, id, events } = await readShard();
  await assert.rejects(shards.get(REF), { type: 'no_shard_available_action_exception' });
  await contexts.use(id, 0, async () => undefined);
  assert.deepEqual([events, await shards.whileClosed('u', 0, async () => true)], [['opened'], null]);
  contexts.free([id]);
  await soon();
  assert.deepEqual(events, ['opened', 'released', 'closed']);
  assert.equal(await shards.whileClosed('u', 0, async () => true), true);
});

test('contexts of a copy that moved away end with its index, the other copies, its return or the node', async () => {
  for (const end of [
    ({ shards }) => shards.apply(stateWith(3, null)),
    ({ shards, moved }) => shards.apply({ ...moved, version: 3, indices: new Map(), routing: new Map() }),
    ({ shards }) => shards.apply(stateWith(3, 'b')),
    ({ shards }) => shards.close(),
  ] satisfies ((read: Awaited<ReturnType<typeof readShard>>) => unknown)[]) {
    const read = await readShard();
    await end(read);
    await soon();
    assert.deepEqual([read.contexts.count, read.events.slice(0, 3)], [0, ['opened', 'released', 'closed']]);
  }
});
