import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FakeClock, fakeClock, seededRandom, silentLog } from '@shoal/doors';
import {
  clusterHealth,
  UNRESTRICTED,
  resolveIndices,
  OPEN_AND_CLOSED,
  OPEN_ONLY,
  type ClusterState,
  type NodeInfo,
  nameIndex,
} from '@shoal/state';
import { createLocalCluster } from './coordination/local-cluster.js';
import type { ClusterService } from './service.js';
import type { StateLog, StateLogRecord } from './coordination/state-log.js';

const localNode: NodeInfo = {
  id: 'node-1',
  ephemeralId: 'e1',
  name: 'n1',
  host: '127.0.0.1',
  ip: '127.0.0.1',
  transportAddress: '127.0.0.1:9300',
  httpAddress: null,
  roles: ['data', 'master'],
  attributes: {},
  version: '8.12.0',
  dataAddress: null,
};

function memoryLog(records: StateLogRecord[] = []): StateLog {
  return {
    records,
    append: async (more) => void records.push(...more),
    compact: async (all) => void records.splice(0, records.length, ...all),
    sizeInBytes: () => records.reduce((sum, record) => sum + record.payload.length, 0),
    close: async () => undefined,
  };
}

let lives = 0;

/** A service whose shards start as soon as they have a place, unless they are told not to. */
async function startService(
  stateLog: StateLog = memoryLog(),
  shardsStart = true,
  clock: FakeClock = fakeClock(),
): Promise<ClusterService> {
  lives++;
  let service: ClusterService | null = null;
  const startShards = (state: ClusterState): void => {
    if (!shardsStart) return;
    for (const copy of [...state.routing.values()].flat(2)) {
      if (copy.state !== 'INITIALIZING') continue;
      queueMicrotask(
        () =>
          void service?.submit('shard-started', {
            indexUuid: copy.indexUuid,
            shard: copy.shard,
            allocationId: copy.allocationId!,
          }),
      );
    }
  };
  const starting = createLocalCluster({
    clock,
    random: seededRandom(7),
    log: silentLog,
    localNode: { ...localNode, ephemeralId: `e${lives}` },
    clusterName: 'test',
    stateLog,
    nodeSettings: {},
    applier: { apply: async (state) => startShards(state) },
    onFatal: (error) => assert.fail(error.message),
  });
  clock.advance(1);
  service = await starting;
  startShards(service.state());
  return service;
}

const create = (service: ClusterService, name: string, body: Record<string, unknown> = {}): Promise<unknown> =>
  service.submit('create-index', { name, body });

function meta(service: ClusterService, name: string) {
  const found = nameIndex(service.state()).get(name);
  assert.ok(found, `${name} exists`);
  return found;
}

/** The index `books` with one shard that has a place, and starts when a test says so. */
async function startingIndex(clock: FakeClock = fakeClock()) {
  const service = await startService(memoryLog(), false, clock);
  void create(service, 'books', { settings: { number_of_replicas: 0 } });
  await service.waitFor((state) => state.indices.size === 1, -1);
  const { uuid } = meta(service, 'books');
  return { service, uuid, primary: () => service.state().routing.get(uuid)![0]![0]! };
}

const reason =
  (text: string | RegExp) =>
  (error: unknown): boolean => {
    const actual = (error as { reason: string }).reason;
    if (typeof text === 'string') assert.equal(actual, text);
    else assert.match(actual, text);
    return true;
  };

test('a new index is yellow on one node: its replica has no place', async () => {
  const service = await startService();
  assert.deepEqual(await create(service, 'books', { settings: { number_of_shards: 2 } }), {
    acknowledged: true,
    shards_acknowledged: true,
    index: 'books',
  });
  const health = clusterHealth(service.state());
  assert.deepEqual([health.status, health.active, health.unassigned, health.activePercent], ['yellow', 2, 2, 50]);
});

test('an index can be created once', async () => {
  const service = await startService();
  await create(service, 'books');
  await assert.rejects(create(service, 'books'), reason(`index [books/${meta(service, 'books').uuid}] already exists`));
});

test('tasks of one batch fail alone', async () => {
  const service = await startService();
  const results = await Promise.allSettled([create(service, 'a'), create(service, 'Bad'), create(service, 'b')]);
  assert.deepEqual(
    results.map((result) => result.status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual([...nameIndex(service.state()).keys()], ['a', 'b']);
});

test('a restarted node goes on with its last state and starts its shards from their stores', async () => {
  const records: StateLogRecord[] = [];
  const first = await startService(memoryLog(records));
  await create(first, 'books', { aliases: { library: {} } });
  const before = meta(first, 'books');
  await first.close();
  const second = await startService(memoryLog(records));
  const copy = second.state().routing.get(before.uuid)![0]![0]!;
  assert.deepEqual([copy.state, copy.recoverySource, copy.nodeId], ['INITIALIZING', 'EXISTING_STORE', 'node-1']);
  assert.deepEqual(meta(second, 'books').aliases, { library: {} });
  assert.deepEqual(meta(second, 'books').primaryTerms, [2]);
  assert.equal(second.state().clusterUuid, first.state().clusterUuid);
  assert.ok(await second.waitFor((state) => clusterHealth(state).active === 1, -1));
});

test('settings of the request win over the template, mappings are merged, aliases united', async () => {
  const service = await startService();
  const component = {
    template: {
      settings: { number_of_replicas: 0, refresh_interval: '5s' },
      mappings: { properties: { a: { type: 'keyword' } } },
      aliases: { all: {} },
    },
  };
  await service.submit('put-component-template', { name: 'base', body: component });
  await service.submit('put-index-template', {
    name: 'logs',
    body: { index_patterns: ['logs-*'], composed_of: ['base'], template: { settings: { refresh_interval: '7s' } } },
  });
  await create(service, 'logs-1', {
    settings: { number_of_shards: 3 },
    mappings: { properties: { b: { type: 'long' } } },
    aliases: { mine: {} },
  });
  const index = meta(service, 'logs-1');
  assert.equal(index.settings['index.refresh_interval'], '7s');
  assert.deepEqual([index.numberOfShards, index.numberOfReplicas], [3, 0]);
  assert.deepEqual(index.mapping, { properties: { a: { type: 'keyword' }, b: { type: 'long' } } });
  assert.deepEqual(Object.keys(index.aliases), ['all', 'mine']);
});

test('composable templates of one priority must not overlap', async () => {
  const service = await startService();
  await service.submit('put-index-template', { name: 'one', body: { index_patterns: ['tp-*'], priority: 10 } });
  await assert.rejects(
    service.submit('put-index-template', { name: 'two', body: { index_patterns: ['tp-x*'], priority: 10 } }),
    reason(
      'index template [two] has index patterns [tp-x*] matching patterns from existing templates [one] with ' +
        'patterns (one => [tp-*]) that have the same priority [10], multiple index templates may not match during ' +
        'index creation, please use a different priority',
    ),
  );
});

test('legacy templates are merged by order and ignored once a composable one matches', async () => {
  const service = await startService();
  await service.submit('put-legacy-template', {
    name: 'low',
    body: { index_patterns: ['x-*'], order: 1, settings: { number_of_shards: 4, number_of_replicas: 0 } },
  });
  await service.submit('put-legacy-template', {
    name: 'high',
    body: { index_patterns: ['x-*'], order: 2, settings: { number_of_shards: 2 } },
  });
  await create(service, 'x-1');
  assert.deepEqual([meta(service, 'x-1').numberOfShards, meta(service, 'x-1').numberOfReplicas], [2, 0]);
  await service.submit('put-index-template', { name: 'new', body: { index_patterns: ['x-*'] } });
  await create(service, 'x-2');
  assert.equal(meta(service, 'x-2').numberOfShards, 1);
});

test('static settings cannot change on an open index', async () => {
  const service = await startService();
  await create(service, 'books');
  const { uuid } = meta(service, 'books');
  await assert.rejects(
    service.submit('update-settings', { uuids: [uuid], settings: { 'index.codec': 'best_compression' } }),
    reason(
      `Can't update non dynamic settings [[index.codec]] for open indices [[books/${uuid}]] unless the \`reopen\` ` +
        'query parameter is set to true. Alternatively, close the indices, apply the settings changes, and reopen ' +
        'the indices',
    ),
  );
  // Several are named in the order of a hash table, as 8.12 does.
  const several = { 'index.number_of_shards': '2', 'index.codec': 'default', 'index.sort.field': 'a' };
  await assert.rejects(
    service.submit('update-settings', { uuids: [uuid], settings: several }),
    ({ reason: text }: { reason: string }) =>
      text.startsWith("Can't update non dynamic settings [[index.codec, index.sort.field, index.number_of_shards]]"),
  );
  await service.submit('close-index', { uuids: [uuid] });
  await service.submit('update-settings', { uuids: [uuid], settings: { 'index.codec': 'best_compression' } });
  assert.equal(meta(service, 'books').settings['index.codec'], 'best_compression');
  await assert.rejects(
    service.submit('update-settings', { uuids: [uuid], settings: { 'index.number_of_shards': '2' } }),
    reason('final books setting [index.number_of_shards], not updateable'),
  );
});

test('fewer replicas make a yellow index green', async () => {
  const service = await startService();
  await create(service, 'books');
  await service.submit('update-settings', {
    uuids: [meta(service, 'books').uuid],
    settings: { 'index.number_of_replicas': '0' },
  });
  assert.equal(clusterHealth(service.state()).status, 'green');
});

test('unknown settings are refused with the nearest known name', async () => {
  const service = await startService();
  await assert.rejects(
    create(service, 'x', { settings: { number_of_replica: 1 } }),
    reason('unknown setting [index.number_of_replica] did you mean [index.number_of_replicas]?'),
  );
  await assert.rejects(
    create(service, 'x', { settings: { number_of_shards: 0 } }),
    reason('Failed to parse value [0] for setting [index.number_of_shards] must be >= 1'),
  );
});

test('a read-only index can neither be deleted nor mapped until its block is gone', async () => {
  const service = await startService();
  await create(service, 'books');
  const { uuid } = meta(service, 'books');
  await service.submit('add-block', { uuids: [uuid], block: 'read_only' });
  await assert.rejects(
    service.submit('delete-index', { uuids: [uuid] }),
    reason('index [books] blocked by: [FORBIDDEN/5/index read-only (api)];'),
  );
  await service.submit('update-settings', { uuids: [uuid], settings: { 'index.blocks.read_only': null } });
  await service.submit('delete-index', { uuids: [uuid] });
  assert.equal(service.state().indices.size, 0);
  assert.ok(service.state().customs.get('tombstones')?.[uuid]);
});

test('what blocks metadata refuses other blocks and settings, and is removed alone', async () => {
  const service = await startService();
  await create(service, 'books');
  const uuids = [meta(service, 'books').uuid];
  await service.submit('add-block', { uuids, block: 'metadata' });
  await service.submit('add-block', { uuids, block: 'read_only' });
  const refused = /^index \[books\] blocked by: \[.*FORBIDDEN\/9\/index metadata \(api\)\];$/;
  const isRefused = (call: Promise<unknown>): Promise<void> => assert.rejects(call, { reason: refused });
  await isRefused(service.submit('add-block', { uuids, block: 'write' }));
  await isRefused(service.submit('add-block', { uuids, block: 'read' }));
  await isRefused(service.submit('update-settings', { uuids, settings: { 'index.blocks.write': 'true' } }));
  const both = { 'index.blocks.metadata': null, 'index.blocks.read_only': null };
  await isRefused(service.submit('update-settings', { uuids, settings: both }));
  await service.submit('update-settings', { uuids, settings: { 'index.blocks.metadata': null } });
  await service.submit('update-settings', { uuids, settings: { 'index.blocks.read_only': null } });
  assert.deepEqual(service.state().blocks, []);
});

test('an index at the flood stage refuses documents but takes new fields and settings', async () => {
  const service = await startService();
  await create(service, 'books');
  const { uuid } = meta(service, 'books');
  const settings = { 'index.blocks.read_only_allow_delete': 'true' };
  await service.submit('update-settings', { uuids: [uuid], settings });
  await service.submit('put-mapping', { uuids: [uuid], mapping: { properties: { title: { type: 'keyword' } } } });
  await service.submit('update-settings', { uuids: [uuid], settings: { 'index.priority': '5' } });
  assert.deepEqual(meta(service, 'books').mapping, { properties: { title: { type: 'keyword' } } });
  assert.deepEqual(service.state().blocks[0]?.levels, ['write']);
});

test('rollover moves the write mark of an alias and counts the name up', async () => {
  const service = await startService();
  await create(service, 'logs-000009', { aliases: { logs: { is_write_index: true } } });
  const answer = await service.submit('rollover', {
    alias: 'logs',
    newName: null,
    body: {},
    metConditions: [],
    answer: {},
  });
  assert.equal((answer as { new_index: string }).new_index, 'logs-000010');
  assert.equal(meta(service, 'logs-000009').aliases['logs']?.isWriteIndex, false);
  assert.equal(meta(service, 'logs-000010').aliases['logs']?.isWriteIndex, true);
});

test('a split needs a write block and a multiple of the shards', async () => {
  const service = await startService();
  await create(service, 'source', { settings: { number_of_shards: 2 } });
  const split = (shards: number): Promise<unknown> =>
    service.submit('resize', {
      kind: 'split',
      source: 'source',
      target: 'target',
      body: { settings: { number_of_shards: shards } },
    });
  await assert.rejects(
    split(4),
    reason('index source must be read-only to resize index. use "index.blocks.write=true"'),
  );
  await assert.rejects(split(3), reason('the number of source shards [2] must be a factor of [3]'));
  await service.submit('add-block', { uuids: [meta(service, 'source').uuid], block: 'write' });
  await split(4);
  assert.equal(meta(service, 'target').resizeSource?.kind, 'split');
});

test('a data stream is made by a write to a name that its template matches', async () => {
  const service = await startService();
  await service.submit('put-index-template', { name: 't', body: { index_patterns: ['metrics-*'], data_stream: {} } });
  await assert.rejects(
    create(service, 'metrics-x'),
    reason(/creates data streams only, use create data stream api instead$/),
  );
  await service.submit('auto-create-index', { index: 'metrics-x' });
  const [index] = [...service.state().indices.values()];
  assert.match(index!.name, /^\.ds-metrics-x-\d{4}\.\d\d\.\d\d-000001$/);
  await assert.rejects(
    service.submit('delete-index', { uuids: [index!.uuid] }),
    reason(/^index \[\.ds-.*\] is the write index for data stream \[metrics-x\] and cannot be deleted$/),
  );
});

test('cluster settings are checked, and null with a wildcard removes', async () => {
  const service = await startService();
  const put = (transient: Record<string, string | null>): Promise<unknown> =>
    service.submit('cluster-settings', { persistent: {}, transient });
  await put({ 'search.max_buckets': '5' });
  await assert.rejects(put({ 'foo.bar': '1' }), reason('transient setting [foo.bar], not recognized'));
  await assert.rejects(
    put({ 'cluster.name': 'x' }),
    reason('transient setting [cluster.name], not dynamically updateable'),
  );
  await put({ 'search.*': null });
  assert.deepEqual(service.state().transientSettings, {});
});

test('more shards than the cluster may hold are refused', async () => {
  const service = await startService();
  await service.submit('cluster-settings', { persistent: { 'cluster.max_shards_per_node': '1' }, transient: {} });
  await assert.rejects(
    create(service, 'books'),
    reason(
      'Validation Failed: 1: this action would add [2] shards, but this cluster currently has [0]/[1] maximum ' +
        'normal shards open;',
    ),
  );
});

test('indices asked for by the hundred share states, and end where the cluster has enough shards', async () => {
  const service = await startService();
  const before = service.state().version;
  const asked = Array.from({ length: 600 }, (_, i) => create(service, `made-${i}`));
  const answers = await Promise.allSettled(asked);
  const refused = answers.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  assert.deepEqual([service.state().indices.size, refused.length], [500, 100]);
  assert.match(String(refused[0]!.reason), /this action would add \[2\] shards/);
  const states = service.state().version - before;
  assert.ok(states < 60, `${states} states`);
});

test('a primary that fails to start five times is given up and its index red', async () => {
  const clock = fakeClock();
  const { service, uuid, primary } = await startingIndex(clock);
  assert.equal(clusterHealth(service.state()).status, 'yellow');
  for (let attempt = 1; attempt <= 5; attempt++) {
    await service.waitFor(() => primary().state === 'INITIALIZING', -1);
    await service.submit('shard-failed', {
      indexUuid: uuid,
      shard: 0,
      allocationId: primary().allocationId!,
      failure: { type: 'corrupt_index_exception', reason: 'bad' },
    });
    clock.advance(5_000);
  }
  assert.deepEqual(
    [primary().state, primary().unassigned?.reason, primary().unassigned?.failedAttempts],
    ['UNASSIGNED', 'ALLOCATION_FAILED', 5],
  );
  assert.equal(clusterHealth(service.state()).status, 'red');
});

test('copies of a closed index start as those of an open one, also when it is closed while they start', async () => {
  const { service, uuid, primary } = await startingIndex();
  const closing = service.submit('close-index', { uuids: [uuid] });
  await service.waitFor(() => meta(service, 'books').state === 'close' && primary().state === 'INITIALIZING', -1);
  await service.submit('shard-started', { indexUuid: uuid, shard: 0, allocationId: primary().allocationId! });
  assert.deepEqual(await closing, {
    acknowledged: true,
    shards_acknowledged: true,
    indices: { books: { closed: true } },
  });
  assert.equal(clusterHealth(service.state()).status, 'green');
  assert.deepEqual(await service.submit('close-index', { uuids: [uuid] }), {
    acknowledged: true,
    shards_acknowledged: false,
    indices: {},
  });
});

test('a number of copies to wait for that is none is refused, and nothing is closed', async () => {
  const service = await startService();
  await create(service, 'books');
  const uuids = [meta(service, 'books').uuid];
  await assert.rejects(
    service.submit('close-index', { uuids, waitForActiveShards: 'many' }),
    reason('cannot parse ActiveShardCount[many]'),
  );
  assert.equal(meta(service, 'books').state, 'open');
});

test('who opens an index is answered when it is closed again, long before the time is over', async () => {
  const { service, uuid } = await startingIndex();
  const uuids = [uuid];
  void service.submit('close-index', { uuids });
  const opening = service.submit('open-index', { uuids }, { timeoutMs: 1_000_000 });
  await service.waitFor((state) => state.indices.get(uuids[0]!)?.settingsVersion === 3, -1);
  void service.submit('close-index', { uuids });
  assert.deepEqual(await opening, { acknowledged: true, shards_acknowledged: true });
});

test('hidden indices and closed ones are seen by wildcards only when asked for', async () => {
  const service = await startService();
  await create(service, 'open');
  await create(service, 'secret', { settings: { hidden: true } });
  await create(service, 'shut');
  await service.submit('close-index', { uuids: [meta(service, 'shut').uuid] });
  const names = (expressions: string[], options = OPEN_AND_CLOSED): string[] =>
    resolveIndices(service.state(), expressions, options, UNRESTRICTED).map((index) => index.name);
  assert.deepEqual(names(['*']), ['open', 'shut']);
  assert.deepEqual(names(['*'], { ...OPEN_AND_CLOSED, expandHidden: true }), ['open', 'secret', 'shut']);
  assert.deepEqual(names(['*', '-sh*']), ['open']);
  assert.throws(() => resolveIndices(service.state(), ['shut'], OPEN_ONLY, UNRESTRICTED), reason('closed'));
  assert.throws(
    () => resolveIndices(service.state(), ['-open'], OPEN_ONLY, UNRESTRICTED),
    reason(/^no such index \[-open\] and if you intended to exclude/),
  );
});
