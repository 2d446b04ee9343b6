import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterState, IndexMetadata, ShardRouting } from '@shoal/state';
import { fakeClock, memoryFiles, type RequestOptions, seededRandom, silentLog } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { shard } from '@shoal/protocol';
import { decodeJson, encodeJson } from '../json-bytes.js';
import { writeCatalog } from './catalog.js';
import { snapshotCalls } from './master-snapshots.js';
import { probeRepository } from './probe-repository.js';
import type { SnapshotInfo } from './snapshot-info.js';
import { Snapshots } from './snapshots.js';

/** An integer that no double is. */
const EXACT = 9007199254740993n;
const PLACE = { repository: 'r', folder: '/repo' };

/** Names of the files that a fake shard writes, and of its manifest. */
const fileOf = (shard: number): string => `${shard}-${String(shard).repeat(64)}`;
const manifestOf = (shard: number): string => `${shard}-${'f'.repeat(64)}.manifest`;
const uuidOf = (name: string): string => name.padEnd(22, 'u');

function indexOf(name: string): IndexMetadata {
  return {
    name,
    uuid: uuidOf(name),
    settings: {},
    mapping: {},
    aliases: {},
    numberOfShards: 2,
    numberOfRoutingShards: 1024,
  } as unknown as IndexMetadata;
}

/** Two shards of each index, with a primary on the node `n`; the first one of `lost` indices is on no node. */
function routingOf(indices: readonly IndexMetadata[], lost: readonly string[]): ClusterState['routing'] {
  const primary = (shard: number, nodeId: string | null = 'n') => [
    { primary: true, nodeId, shard, allocationId: 'a' } as ShardRouting,
  ];
  return new Map(indices.map(({ name, uuid }) => [uuid, [primary(0, lost.includes(name) ? null : 'n'), primary(1)]]));
}

/**
 * A cluster of one node whose shards answer `snapshot` with a manifest of one file, except those of `broken`. Those of
 * `endless` only end when their callers give up.
 */
function openSnapshots(
  indices: readonly IndexMetadata[],
  broken: readonly string[] = [],
  endless: readonly string[] = [],
  lost: readonly string[] = [],
) {
  const files = memoryFiles();
  const [calls, bases] = [[] as string[], [] as unknown[]];
  let state = {
    indices: new Map(indices.map((index) => [index.uuid, index])),
    routing: routingOf(indices, lost),
    customs: new Map<string, object>([['pipelines', { p: { processors: [], version: EXACT } }]]),
    persistentSettings: { 'action.auto_create_index': 'false' },
    term: 1,
    masterNodeId: 'n',
  } as unknown as ClusterState;
  const submitted: [string, unknown][] = [];
  let changes = 0;
  const cluster = {
    state: () => state,
    waitFor: async () => true,
    submit: async (task: string, body: unknown) => {
      if (task === 'begin-repository-change') return { number: ++changes };
      if (task === 'end-repository-change') {
        const { nodeId, number } = body as { nodeId: string; number: number };
        if (nodeId !== state.masterNodeId || number !== changes) throw errors.illegalState('the master has changed');
        return { acknowledged: true };
      }
      submitted.push([task, body]);
      const running = { ...(state.customs.get('snapshots') as Record<string, unknown> | undefined) };
      const { name, names, value } = body as { name: string; names: readonly string[]; value: unknown };
      if (task === 'put-entry') running[name] = value;
      if (task === 'delete-entries') for (const one of names) delete running[one];
      state = { ...state, customs: new Map(state.customs).set('snapshots', running) };
      return { uuid: indices[0]!.uuid };
    },
  };
  const channel = () => ({
    async request(_action: string, payload: Uint8Array, options?: RequestOptions) {
      const call = shard.decodeShardCall(payload);
      const { folder, base } = decodeJson(call.body) as { folder: string; base: unknown };
      bases.push(base);
      calls.push(`${call.action} ${call.indexName}/${call.shard!.shard}`);
      if (broken.includes(call.indexName)) throw errors.corruption('bad');
      if (endless.includes(call.indexName))
        await new Promise((_, reject) => options?.signal?.addEventListener('abort', reject));
      const number = call.shard!.shard;
      const [file, manifest] = [fileOf(number), manifestOf(number)];
      await files.replace(`${folder}/${file}`, encodeJson(call.indexName));
      await files.replace(`${folder}/${manifest}`, encodeJson({ format: 2, files: [file] }));
      const body = { files: [manifest], bytes: 7, documents: 1, primaryTerm: 3 };
      return shard.encodeShardCallResponse({ body: encodeJson(body) });
    },
  });
  const open = (localNodeId: string): Snapshots =>
    new Snapshots({
      cluster,
      localNodeId,
      channel,
      files,
      clock: fakeClock(),
      random: seededRandom(localNodeId.charCodeAt(0)),
      log: silentLog,
      catalogBytesMax: 1 << 20,
    });
  const snapshots = open('n');
  const become = (masterNodeId: string): void => void (state = { ...state, masterNodeId, term: state.term + 1 });
  const running = (): string[] => Object.keys(state.customs.get('snapshots') ?? {});
  return { snapshots, open, running, files, calls, bases, submitted, become };
}

const request = (name: string, indices: readonly IndexMetadata[], partial = false) => ({
  name,
  indices,
  includeGlobalState: false,
  partial,
  metadata: null,
});

test('a snapshot is in the catalog once all its shards are written', async () => {
  const indices = [indexOf('a')];
  const { snapshots, calls } = openSnapshots(indices);
  const { finished } = await snapshots.create(PLACE, request('s', indices));
  assert.equal((await snapshots.list(PLACE))[0]?.state, 'IN_PROGRESS');
  assert.equal((await finished).state, 'SUCCESS');
  assert.deepEqual(
    (await snapshots.list(PLACE)).map((info) => [info.name, info.state]),
    [['s', 'SUCCESS']],
  );
  assert.deepEqual(calls, ['snapshot a/0', 'snapshot a/1']);
});

test('nothing changes a repository that may only be read', async () => {
  const indices = [indexOf('a')];
  const { snapshots, files } = openSnapshots(indices);
  const source = await (await snapshots.create(PLACE, request('s', indices))).finished;
  await files.replace(`/repo/${'g'.repeat(22)}/${'a'.repeat(22)}/0-0.json.gz`, encodeJson('x'));
  const place = { ...PLACE, isReadOnly: true } as const;
  const before = await files.list('/repo');
  const refused = (what: string): object => ({
    type: 'repository_exception',
    status: 400,
    message: `[r] cannot ${what} readonly repository`,
  });
  await assert.rejects(snapshots.create(place, request('t', indices)), refused('create snapshot in a'));
  await assert.rejects(snapshots.clone(place, source, 't', source.indices), refused('create snapshot in a'));
  await assert.rejects(snapshots.delete(place, [source]), refused('delete snapshot from a'));
  await assert.rejects(snapshots.cleanup(place), refused('run cleanup on'));
  await snapshots.verify(place);
  assert.deepEqual(await files.list('/repo'), before);
  assert.deepEqual(
    (await snapshots.list(place)).map(({ name }) => name),
    ['s'],
  );
});

test('a catalog that names files elsewhere is refused', async () => {
  const indices = [indexOf('a')];
  const { snapshots, open, files } = openSnapshots(indices);
  await (await snapshots.create(PLACE, request('s', indices))).finished;
  const catalog = Buffer.from((await files.read('/repo/snapshots-1.json'))!).toString();
  for (const odd of ['../../other', '..', '', 'a/b', '/etc']) {
    const changed = catalog.replace(/"sha256":"\w+",/, '').replace(`"${uuidOf('a')}"`, JSON.stringify(odd));
    await files.replace('/repo/snapshots-1.json', Buffer.from(changed));
    // By a node that has not written it.
    await assert.rejects(open('n').list(PLACE), /names a file \[/, odd);
  }
});

test('a name is taken from the moment its snapshot starts', async () => {
  const indices = [indexOf('a')];
  const { snapshots } = openSnapshots(indices);
  const { finished } = await snapshots.create(PLACE, request('s', indices));
  await assert.rejects(snapshots.create(PLACE, request('s', indices)), /snapshot with the same name already exists/);
  await finished;
  await assert.rejects(snapshots.create(PLACE, request('s', indices)), /snapshot with the same name already exists/);
});

test('shards that cannot be read make a snapshot partial where that is allowed, else failed', async () => {
  const indices = [indexOf('a'), indexOf('b')];
  const { snapshots } = openSnapshots(indices, ['b']);
  const partial = await (await snapshots.create(PLACE, request('p', indices, true))).finished;
  assert.deepEqual([partial.state, partial.failures.length], ['PARTIAL', 2]);
  assert.equal((await (await snapshots.create(PLACE, request('f', indices))).finished).state, 'FAILED');
});

test('a snapshot that must be whole does not begin while a shard has no primary', async () => {
  const indices = [indexOf('a'), indexOf('b')];
  const { snapshots } = openSnapshots(indices, [], [], ['b']);
  await assert.rejects(snapshots.create(PLACE, request('s', indices)), {
    type: 'snapshot_exception',
    message: /^\[r:s\/[\w-]{22}\] Indices don't have primary shards \[b\]$/,
  });
  assert.deepEqual(await snapshots.list(PLACE), []);
  const partial = await (await snapshots.create(PLACE, request('p', indices, true))).finished;
  assert.deepEqual(
    partial.failures.map(({ index, shard, reason }) => [index, shard, reason]),
    [['b', 0, 'primary shard is not allocated']],
  );
});

test('a clone shares its files, so that its source can be deleted; the last one takes them with it', async () => {
  const indices = [indexOf('a')];
  const { snapshots, files } = openSnapshots(indices);
  const source = await (await snapshots.create(PLACE, request('s', indices))).finished;
  await snapshots.clone(PLACE, source, 'copy', source.indices);
  await snapshots.delete(PLACE, [source]);
  const [copy] = await snapshots.list(PLACE);
  assert.equal(copy?.name, 'copy');
  const file = `/repo/data/${uuidOf('a')}/${fileOf(0)}`;
  assert.ok(await files.read(file));
  await snapshots.delete(PLACE, [copy]);
  assert.equal(await files.read(file), null);
  assert.deepEqual(await files.list(`/repo/data/${uuidOf('a')}`), []);
});

test('a snapshot of format 1 is read and deleted, and a clone of it has files of its own', async () => {
  const { snapshots, files } = openSnapshots([]);
  const [uuid, index] = ['s'.repeat(22), uuidOf('a')];
  const old = {
    ...request('old', []),
    uuid,
    state: 'SUCCESS',
    indices: [{ name: 'a', uuid: index, settings: {}, mapping: {}, aliases: {}, shards: [{ files: ['0-0.json.gz'] }] }],
    startedAtMs: 1,
    endedAtMs: 2,
    failures: [],
    totalShards: 1,
  };
  await files.replace('/repo/snapshots.json', encodeJson({ format: 1, snapshots: [old] }));
  await files.replace(`/repo/${uuid}/${index}/0-0.json.gz`, encodeJson('x'));
  const [source] = await snapshots.list(PLACE);
  await snapshots.clone(PLACE, source!, 'copy', source!.indices);
  await snapshots.delete(PLACE, [source!]);
  const [copy] = await snapshots.list(PLACE);
  assert.ok(await files.read(`/repo/${copy!.uuid}/${index}/0-0.json.gz`));
  assert.equal(await files.read(`/repo/${uuid}/${index}/0-0.json.gz`), null);
});

test('a snapshot of a shard begins at the newest one in the repository', async () => {
  const indices = [indexOf('a')];
  const { snapshots, bases } = openSnapshots(indices);
  for (const name of ['s', 't']) await (await snapshots.create(PLACE, request(name, indices))).finished;
  assert.deepEqual(bases, [null, null, manifestOf(0), manifestOf(1)]);
});

test("a master that was replaced writes no catalog: the snapshot is the next master's", async () => {
  const indices = [indexOf('a')];
  const { snapshots, become, files } = openSnapshots(indices);
  const { finished } = await snapshots.create(PLACE, request('s', indices));
  become('other');
  await assert.rejects(finished, /the master has changed while/);
  assert.deepEqual(await files.list('/repo'), []);
  assert.deepEqual(
    (await snapshots.list(PLACE)).map(({ state }) => state),
    ['IN_PROGRESS'],
  );
});

for (const stage of ['before', 'after'] as const)
  test(`a deletion that ends ${stage} the catalog is written loses nothing, and cleanup takes the rest`, async () => {
    const indices = [indexOf('a')];
    const { snapshots, files } = openSnapshots(indices);
    const one = await (await snapshots.create(PLACE, request('s', indices))).finished;
    await snapshots.clone(PLACE, one, 't', one.indices);
    const [kept] = (await snapshots.list(PLACE)).filter(({ name }) => name === 't');
    const stray = `/repo/data/${uuidOf('a')}/${fileOf(7)}`;
    await files.replace(stray, encodeJson('of nobody'));
    if (stage === 'after') await files.replace('/repo/snapshots-9.json', encodeJson({ format: 3, snapshots: [kept] }));
    const { blobs } = await snapshots.cleanup(PLACE);
    assert.equal(blobs, 1);
    assert.equal(await files.read(stray), null);
    assert.ok(await files.read(`/repo/data/${uuidOf('a')}/${fileOf(0)}`));
  });

test('a restored index says which files fill its shards; those that do not start have failed', async () => {
  const indices = [indexOf('a')];
  const { snapshots, submitted } = openSnapshots(indices);
  const source = await (await snapshots.create(PLACE, request('s', indices))).finished;
  const outcome = await snapshots.restore(PLACE, source, [
    { from: source.indices[0]!, name: 'b', settings: {}, aliases: {} },
  ]);
  assert.deepEqual(outcome, { total: 2, failed: 2 });
  const [[task, body]] = submitted.filter(([name]) => name === 'restore-index') as [
    [string, { restoredFrom: { folder: string; files: string[][] }; primaryTerms: number[] }],
  ];
  assert.deepEqual(body.primaryTerms, [4, 4]);
  assert.equal(task, 'restore-index');
  assert.deepEqual(
    [body.restoredFrom.folder, body.restoredFrom.files],
    [`/repo/data/${uuidOf('a')}`, [[manifestOf(0)], [manifestOf(1)]]],
  );
});

test('an index that is mounted while its snapshot is deleted keeps it, or is taken back', async () => {
  const indices = [indexOf('a')];
  const { snapshots, files, submitted } = openSnapshots(indices);
  const source = await (await snapshots.create(PLACE, request('s', indices))).finished;
  const restored = { from: source.indices[0]!, name: 'b', settings: {}, aliases: {}, mount: { isPartial: true } };
  const replace = files.replace;
  Object.assign(files, {
    async replace(name: string, content: Uint8Array) {
      await replace.call(files, name, content);
      // The index is there before the deletion goes on.
      const mounted = { 'index.store.type': 'snapshot', 'index.store.snapshot.snapshot_uuid': source.uuid };
      if (/snapshots-\d+\.json$/.test(name)) Object.assign(indices[0]!.settings, mounted);
    },
  });
  await assert.rejects(snapshots.delete(PLACE, [source]), { type: 'repository_conflict_exception' });
  assert.deepEqual(
    (await snapshots.list(PLACE)).map(({ name }) => name),
    ['s'],
  );
  assert.ok(await files.read(`/repo/data/${uuidOf('a')}/${manifestOf(0)}`));
  const isThere = async (): Promise<boolean> => false;
  await assert.rejects(snapshots.restore(PLACE, source, [restored], null, isThere), {
    type: 'snapshot_restore_exception',
    reason: '[r:s] snapshot does not exist',
  });
  assert.deepEqual(submitted.at(-1), ['delete-index', { uuids: [uuidOf('a')] }]);
});

test('a repository is shared when all nodes see what one wrote; where they do not, it says which', async () => {
  const { snapshots, files } = openSnapshots([]);
  await snapshots.verify(PLACE, async (probe) => {
    await probeRepository(files, 'n2', probe);
    return [];
  });
  assert.deepEqual(await files.list('/repo'), []);
  await assert.rejects(
    probeRepository(memoryFiles(), 'n3', { folder: '/repo/tests-x' }),
    /cannot be accessed on the node \[n3\]/,
  );
  await assert.rejects(
    snapshots.verify(PLACE, async () => [{ nodeId: 'n3', reason: 'gone' }]),
    /\[r\] \[\[n3, 'gone'\]\]/,
  );
});

test('what an unfinished snapshot left behind is cleaned up', async () => {
  const indices = [indexOf('a')];
  const { snapshots, files } = openSnapshots(indices);
  await (await snapshots.create(PLACE, request('s', indices))).finished;
  await files.replace(`/repo/${'g'.repeat(22)}/${'a'.repeat(22)}/0-0.json.gz`, encodeJson('x'));
  // Another repository, a folder of its snapshots, and what somebody else keeps there.
  const others = [
    '/repo/x/snapshots.json',
    `/repo/x/${'s'.repeat(22)}/${'a'.repeat(22)}/0-0.json.gz`,
    `/repo/${'n'.repeat(22)}/snapshots.json`,
    '/repo/letters/2024/may.txt',
  ];
  for (const file of others) await files.replace(file, encodeJson('x'));
  assert.deepEqual(await snapshots.cleanup(PLACE), { bytes: 3, blobs: 1 });
  const own = `/repo/data/${uuidOf('a')}/${fileOf(0)}`;
  for (const file of [...others, own]) assert.ok(await files.read(file), file);
  assert.deepEqual(await snapshots.cleanup(PLACE), { bytes: 0, blobs: 0 });
});

test('an index that the master does not have any more refuses the snapshot, which would be without it', async () => {
  const [kept, gone] = [indexOf('kept'), indexOf('gone')];
  const { snapshots } = openSnapshots([kept]);
  const state = { indices: new Map([[kept.uuid, kept]]) } as unknown as ClusterState;
  const create = snapshotCalls(snapshots, () => state)['snapshot-create']!;
  const request = {
    name: 's',
    uuids: [kept.uuid, gone.uuid],
    names: ['kept', 'gone'],
    includeGlobalState: false,
    partial: false,
    metadata: null,
  };
  await assert.rejects(create({ place: PLACE, request, waits: true }), {
    type: 'index_not_found_exception',
    message: 'no such index [gone]',
  });
  assert.deepEqual(await snapshots.list(PLACE), []);
});

test('snapshots of the same cluster state share it; a restore brings it back; it goes with the last', async () => {
  const indices = [indexOf('a')];
  const { snapshots, files, submitted } = openSnapshots(indices);
  const stateful = { ...request('s', indices), includeGlobalState: true, metadata: { n: EXACT } };
  const first = await (await snapshots.create(PLACE, stateful)).finished;
  const second = await (await snapshots.create(PLACE, { ...stateful, name: 't' })).finished;
  assert.match(first.globalState!, /^[0-9a-f]{64}\.g\d+\.json$/);
  assert.equal(second.globalState, first.globalState);
  assert.deepEqual((await snapshots.list(PLACE))[0]!.metadata, { n: EXACT });
  const more = { globalState: true, features: [], replaced: [], streams: [], authentication: 'me' };
  await snapshots.restore(PLACE, first, [], more);
  const [task, body] = submitted.at(-1)!;
  assert.equal(task, 'restore-global-state');
  const { persistentSettings, sections, authentication } = body as Record<string, Record<string, unknown>>;
  assert.deepEqual(persistentSettings, { 'action.auto_create_index': 'false' });
  assert.deepEqual(sections!['pipelines'], { p: { processors: [], version: EXACT } });
  assert.equal(authentication, 'me');
  await snapshots.delete(PLACE, [first]);
  assert.deepEqual(await files.list('/repo/global'), [first.globalState]);
  await files.replace(`/repo/global/${first.globalState}`, encodeJson({ sections: {} }));
  await assert.rejects(snapshots.restore(PLACE, second, [], more), /is damaged: its hash differs/);
  await snapshots.delete(PLACE, [second]);
  assert.deepEqual(await files.list('/repo/global'), []);
});

test('what crashes left of files that were being written is cleaned up', async () => {
  const indices = [indexOf('a')];
  const { snapshots, files } = openSnapshots(indices);
  await (await snapshots.create(PLACE, { ...request('s', indices), includeGlobalState: true })).finished;
  const ending = `.${'0'.repeat(16)}.new`;
  const [state] = await files.list('/repo/global');
  const own = `/repo/data/${uuidOf('a')}`;
  const [file] = await files.list(own);
  for (const path of ['/repo/snapshots.json', '/repo/snapshots-3.json', `/repo/global/${state}`, `${own}/${file}`])
    await files.replace(`${path}${ending}`, encodeJson(1));
  const before = await files.list(own);
  await snapshots.cleanup(PLACE);
  assert.deepEqual(await files.list('/repo/global'), [state]);
  assert.ok(!(await files.list('/repo')).some((name) => name.endsWith('.new')));
  assert.equal((await files.list(own)).length, before.length - 1);
});

test('a new master goes on with a snapshot, under its uuid; what was begun is not listed twice', async () => {
  const indices = [indexOf('a'), indexOf('b')];
  const { snapshots, open, running, become } = openSnapshots(indices);
  const { finished } = await snapshots.create(PLACE, request('s', indices));
  assert.deepEqual(running(), ['r/s']);
  const [begun] = await snapshots.list(PLACE);
  become('m');
  await assert.rejects(finished, /the master has changed while/);
  assert.deepEqual(running(), ['r/s']);
  await snapshots.resume();
  const next = open('m');
  assert.deepEqual(
    (await next.list(PLACE)).map(({ uuid, state }) => [uuid, state]),
    [[begun!.uuid, 'IN_PROGRESS']],
  );
  await assert.rejects(next.create(PLACE, request('s', indices)), /snapshot with the same name already exists/);
  await next.resume();
  await next.resume();
  await next.cleanup(PLACE);
  const [done, ...more] = await next.list(PLACE);
  assert.deepEqual([done!.uuid, done!.state, more], [begun!.uuid, 'SUCCESS', []]);
  assert.deepEqual(running(), []);
});

test('a snapshot whose master died after it was in the catalog is only forgotten', async () => {
  const indices = [indexOf('a')];
  const { snapshots, open, running, become, files, calls } = openSnapshots(indices);
  const { finished } = await snapshots.create(PLACE, request('s', indices));
  await finished;
  const catalog = (await files.read('/repo/snapshots-1.json'))!;
  const second = await snapshots.create(PLACE, request('t', indices));
  become('m');
  await assert.rejects(second.finished);
  const text = Buffer.from(catalog).toString('utf8');
  const info = (await snapshots.list(PLACE)).find(({ name }) => name === 't')!;
  const parsed = JSON.parse(text) as { snapshots: SnapshotInfo[] };
  await writeCatalog(files, '/repo', 7, encodeJson([...parsed.snapshots, info]));
  const before = calls.length;
  await open('m').resume();
  assert.deepEqual([running(), calls.length], [[], before]);
});

test('a repository that cannot be written or read is named by a repository_exception', async () => {
  const indices = [indexOf('a')];
  const { snapshots, files } = openSnapshots(indices);
  const broken = async (): Promise<never> => {
    throw new Error('EIO: i/o error, write');
  };
  Object.assign(files, { replace: broken });
  const refused = { type: 'repository_exception', message: /^\[r\] could not read or write the repository/ };
  await assert.rejects((await snapshots.create(PLACE, request('s', indices))).finished, refused);
  Object.assign(files, { list: broken });
  await assert.rejects(snapshots.cleanup(PLACE), refused);
});

test('what a store refuses to delete denies no change: a cleanup finds it', async () => {
  const indices = [indexOf('a')];
  const { snapshots, files } = openSnapshots(indices);
  const { remove, removeFolder } = files;
  const refused = (): Promise<never> => Promise.reject(new Error('SlowDown'));
  await (await snapshots.create(PLACE, request('s', indices))).finished;
  Object.assign(files, { remove: refused, removeFolder: refused });
  const second = await (await snapshots.create(PLACE, request('t', indices))).finished;
  assert.equal(second.state, 'SUCCESS');
  await snapshots.delete(PLACE, await snapshots.list(PLACE));
  assert.deepEqual(await snapshots.list(PLACE), []);
  Object.assign(files, { remove, removeFolder });
  assert.ok((await snapshots.cleanup(PLACE)).blobs > 0);
  assert.deepEqual(await files.list(`${PLACE.folder}/data`), []);
});

test('a master that wakes after another one has changed the repository changes nothing any more', async () => {
  const indices = [indexOf('a')];
  const { snapshots, open, files, become } = openSnapshots(indices);
  const first = await (await snapshots.create(PLACE, request('s', indices))).finished;
  const { replace } = files;
  let wakes = (): void => undefined;
  // The first master stops at the catalog of its deletion.
  const isAwake = new Promise<void>((resolve) => (wakes = resolve));
  const stopped = new Promise<void>((reached) =>
    Object.assign(files, {
      async replace(name: string, content: Uint8Array) {
        if (!name.endsWith('snapshots-2.json')) return replace.call(files, name, content);
        reached();
        await isAwake;
        return replace.call(files, name, content);
      },
    }),
  );
  const deleted = snapshots.delete(PLACE, [first]);
  await stopped;
  become('m');
  const next = open('m');
  await (await next.create(PLACE, request('t', indices))).finished;
  wakes();
  await assert.rejects(deleted, /the master has changed/);
  assert.deepEqual(
    (await next.list(PLACE)).map(({ name }) => name),
    ['s', 't'],
  );
  assert.ok(await files.read(`/repo/data/${uuidOf('a')}/${fileOf(0)}`));
});

test('a running snapshot that is deleted ends, leaves nothing behind, and no other master takes it', async () => {
  const indices = [indexOf('a'), indexOf('b')];
  const { snapshots, open, running, become, files, calls } = openSnapshots(indices);
  const { finished } = await snapshots.create(PLACE, request('s', indices));
  const rejected = assert.rejects(finished, /\[r:s\] Snapshot was aborted by deletion/);
  await snapshots.delete(PLACE, await snapshots.list(PLACE));
  await rejected;
  assert.ok(calls.length < 4, calls.join());
  assert.deepEqual([await snapshots.list(PLACE), running(), await files.list(`${PLACE.folder}/data`)], [[], [], []]);

  const again = await snapshots.create(PLACE, request('t', indices));
  const lost = assert.rejects(again.finished, /the master has changed|aborted/);
  const deleted = snapshots.delete(PLACE, await snapshots.list(PLACE));
  become('m');
  await Promise.all([lost, deleted]);
  const next = open('m');
  await next.resume();
  assert.deepEqual([await next.list(PLACE), running()], [[], []]);
});

test('the shard that is being written when its snapshot is deleted is told to end', async () => {
  const indices = [indexOf('a'), indexOf('b')];
  const { snapshots, calls } = openSnapshots(indices, [], ['a']);
  const { finished } = await snapshots.create(PLACE, request('s', indices));
  const rejected = assert.rejects(finished, /aborted by deletion/);
  while (calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await snapshots.delete(PLACE, await snapshots.list(PLACE));
  await rejected;
  assert.deepEqual([calls, await snapshots.list(PLACE)], [['snapshot a/0'], []]);
});

test('a new master ends a snapshot that is deleted before it has begun with it', async () => {
  const indices = [indexOf('a'), indexOf('b')];
  const { snapshots, open, running, become } = openSnapshots(indices);
  const { finished } = await snapshots.create(PLACE, request('s', indices));
  become('m');
  await assert.rejects(finished, /the master has changed while/);
  const next = open('m');
  const [begun] = await next.list(PLACE);
  assert.equal(begun!.state, 'IN_PROGRESS');
  await next.delete(PLACE, [begun!]);
  await next.resume();
  assert.deepEqual([await next.list(PLACE), running()], [[], []]);
});
