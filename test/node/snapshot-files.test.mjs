// Snapshots of files: what they share, what goes with the last of them, and what damage does.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { startObjectStore } from '../../packages/node/dist/testing/object-store.js';
import { call, root, startNode, temporaryFolder } from '../node-process.mjs';

const repository = temporaryFolder('repository');
const conf = temporaryFolder('conf');
const location = path.join(repository, 'r');
const account = { bucket: 'backups', accessKey: 'AKID', secretKey: 'secret' };
let node;
let store;
before(async () => {
  store = await startObjectStore(account);
  keepSecrets(conf, { access_key: account.accessKey, secret_key: account.secretKey });
  const client = { 's3.client.default.endpoint': store.endpoint, 's3.client.default.max_retries': 1 };
  node = await startNode({ settings: { 'path.repo': repository, 'path.conf': conf, ...client } });
  await ok('PUT', '/_snapshot/r', { type: 'fs', settings: { location } });
});
after(async () => {
  await node?.stop();
  await store?.close();
});

/** Makes a keystore with secrets of the client `default`. */
function keepSecrets(conf, secrets) {
  runKeystore(['create', '-E', `path.conf=${conf}`]);
  for (const [name, value] of Object.entries(secrets)) keepSecret(conf, name, value);
}

const runKeystore = (args, input) =>
  execFileSync(process.execPath, [path.join(root, 'packages/node/bin/shoal.mjs'), 'keystore', ...args], { input });
const keepSecret = (conf, name, value) =>
  runKeystore(['add', '--force', `s3.client.default.${name}`, '-E', `path.conf=${conf}`], value);

const ok = async (method, url, body) => {
  const answer = await call(node, method, url, body);
  assert.equal(answer.status, 200, `${method} ${url}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

const filesBelow = (folder) =>
  fs.existsSync(folder)
    ? fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        const file = path.join(folder, entry.name);
        return entry.isDirectory() ? filesBelow(file) : [file];
      })
    : [];
const data = () => filesBelow(path.join(location, 'data'));
const bytes = () => data().reduce((sum, file) => sum + fs.statSync(file).size, 0);

const WORDS = 'the quick brown fox jumps over a lazy dog while rain falls on old roofs'.split(' ');
const line = (n) => ({
  '@timestamp': new Date(1_767_225_600_000 + n * 1000).toISOString(),
  message: Array.from({ length: 8 }, (_, i) => WORDS[(n * (i + 3) + i) % WORDS.length]).join(' '),
  status: 200 + (n % 7),
  host: { name: `host-${n % 50}` },
});

async function write(index, from, count) {
  for (let at = from; at < from + count; at += 1000) {
    const size = Math.min(1000, from + count - at);
    const lines = Array.from(
      { length: size },
      (_, i) => `{"index":{"_id":"${at + i}"}}\n${JSON.stringify(line(at + i))}\n`,
    );
    const answer = await call(node, 'POST', `/${index}/_bulk`, lines.join(''));
    assert.equal(answer.body.errors, false);
  }
}

const snapshot = (name, indices) =>
  ok('PUT', `/_snapshot/r/${name}?wait_for_completion=true`, { indices, include_global_state: false });

async function restored(name, from, to) {
  const body = { indices: from, rename_pattern: '.+', rename_replacement: to };
  const { snapshot: done } = await ok('POST', `/_snapshot/r/${name}/_restore?wait_for_completion=true`, body);
  assert.equal(done.shards.failed, 0, JSON.stringify(done));
  await ok('POST', `/${to}/_refresh`);
}

async function all(index) {
  const { hits } = await ok('POST', `/${index}/_search`, { size: 10_000, sort: ['@timestamp'], version: true });
  return hits.hits.map(({ _id, _version, _source }) => ({ _id, _version, _source }));
}

const settings = { settings: { number_of_shards: 2, number_of_replicas: 0 } };

test('a second snapshot of unchanged data adds next to nothing, and one of few changes little', async () => {
  await ok('PUT', '/logs', settings);
  await write('logs', 0, 6000);
  await snapshot('first', 'logs');
  const first = bytes();
  await snapshot('second', 'logs');
  assert.ok(bytes() - first < first / 100, `${bytes() - first} of ${first}`);
  const [status] = (await ok('GET', '/_snapshot/r/second/_status')).snapshots;
  assert.equal(status.stats.incremental.file_count, 0);
  assert.equal(status.stats.total.size_in_bytes, first);
  await write('logs', 6000, 60);
  await snapshot('third', 'logs');
  assert.ok(bytes() - first < first / 4, `${bytes() - first} of ${first}`);
});

test('a restored index has the documents of the time of its snapshot, and takes writes', async () => {
  await write('logs', 0, 10);
  await call(node, 'DELETE', '/logs/_doc/77?refresh=true');
  await ok('POST', '/logs/_refresh');
  const before = await all('logs');
  await snapshot('changed', 'logs');
  await write('logs', 100, 50);
  await restored('changed', 'logs', 'logs-changed');
  assert.deepEqual(await all('logs-changed'), before);
  assert.equal((await ok('GET', '/logs-changed/_doc/3'))._version, 2);
  const update = await ok('POST', '/logs-changed/_update/3?refresh=true', { doc: { status: 1 } });
  assert.equal(update._version, 3);
  await ok('POST', '/logs-changed/_forcemerge?max_num_segments=1');
  const { count } = await ok('GET', '/logs-changed/_count');
  assert.equal(count, before.length);
  await restored('first', 'logs', 'logs-first');
  assert.equal((await ok('GET', '/logs-first/_count')).count, 6000);
  const term = await ok('POST', '/logs-first/_search', {
    query: { match: { message: 'fox' } },
    track_total_hits: true,
  });
  assert.ok(term.hits.total.value > 0);
});

test('a restored index is there after a restart of the node, and can be saved again', async () => {
  await snapshot('again', 'logs-first');
  await restored('again', 'logs-first', 'logs-again');
  assert.equal((await ok('GET', '/logs-again/_count')).count, 6000);
});

test('a clone shares its files; what no snapshot refers to any more is deleted', async () => {
  const files = data().length;
  await ok('PUT', '/_snapshot/r/first/_clone/copy', { indices: 'logs' });
  assert.equal(data().length, files);
  await ok('DELETE', '/_snapshot/r/first');
  await restored('copy', 'logs', 'logs-copy');
  assert.equal((await ok('GET', '/logs-copy/_count')).count, 6000);
  for (const name of ['second', 'third', 'changed', 'again']) await ok('DELETE', `/_snapshot/r/${name}`);
  await restored('copy', 'logs', 'logs-last');
  assert.equal((await ok('GET', '/logs-last/_count')).count, 6000);
  assert.deepEqual((await ok('POST', '/_snapshot/r/_cleanup')).results, { deleted_bytes: 0, deleted_blobs: 0 });
  const [folder] = fs.readdirSync(path.join(location, 'data'));
  const stray = path.join(location, 'data', folder, `0-${'0'.repeat(64)}`);
  fs.writeFileSync(stray, 'stray');
  assert.deepEqual((await ok('POST', '/_snapshot/r/_cleanup')).results, { deleted_bytes: 5, deleted_blobs: 1 });
  assert.equal(fs.existsSync(stray), false);
});

test('a damaged file is refused by its name, and no shard is restored in part', async () => {
  const victim = data().filter((file) => !file.endsWith('.manifest'))[0];
  const whole = fs.readFileSync(victim);
  const flipped = Buffer.from(whole);
  flipped[flipped.length >> 1] ^= 1;
  for (const content of [flipped, whole.subarray(0, whole.length - 1), null]) {
    if (content === null) fs.rmSync(victim);
    else fs.writeFileSync(victim, content);
    const body = { indices: 'logs', rename_pattern: '.+', rename_replacement: 'damaged' };
    const { snapshot: done } = await ok('POST', '/_snapshot/r/copy/_restore?wait_for_completion=true', body);
    assert.ok(done.shards.failed >= 1);
    const why = await ok('POST', '/_cluster/allocation/explain', {
      index: 'damaged',
      shard: Number(path.basename(victim).split('-')[0]),
      primary: true,
    });
    assert.match(JSON.stringify(why.unassigned_info), new RegExp(path.basename(victim)));
    await ok('DELETE', '/damaged');
  }
  fs.writeFileSync(victim, whole);
  await restored('copy', 'logs', 'mended');
  assert.equal((await ok('GET', '/mended/_count')).count, 6000);
  await ok('DELETE', '/_snapshot/r/copy');
  assert.deepEqual(data(), []);
});

test('a repository in an object store holds snapshots like one in a folder', async () => {
  const settings = { bucket: account.bucket, base_path: 'shoal/daily', storage_class: 'standard_ia' };
  await ok('PUT', '/_snapshot/store', { type: 's3', settings });
  const { nodes } = await ok('POST', '/_snapshot/store/_verify');
  assert.equal(Object.keys(nodes).length, 1);
  const take = (name) =>
    ok('PUT', `/_snapshot/store/${name}?wait_for_completion=true`, { indices: 'mended', include_global_state: false });
  const { snapshot: first } = await take('first');
  assert.deepEqual(first.shards, { total: 2, failed: 0, successful: 2 });
  /** Objects besides the catalog, which has a new name each time. */
  const keysOf = () => [...store.objects.keys()].filter((key) => !/snapshots-\d+\.json$/.test(key));
  const keys = keysOf();
  assert.ok(keys.every((key) => key.startsWith('shoal/daily/')));
  await take('second');
  assert.deepEqual(keysOf(), keys);
  const body = { indices: 'mended', rename_pattern: '.+', rename_replacement: 'from-store' };
  const { snapshot: done } = await ok('POST', '/_snapshot/store/second/_restore?wait_for_completion=true', body);
  assert.equal(done.shards.failed, 0);
  await ok('POST', '/from-store/_refresh');
  assert.deepEqual(await all('from-store'), await all('mended'));
  await ok('DELETE', '/_snapshot/store/first,second');
  assert.deepEqual(keysOf(), ['shoal/daily/snapshots.json']);
  assert.equal(store.objects.size, 2);
});

test('a store that refuses or is not there is told by name, and harms nothing', async () => {
  const put = (settings) => call(node, 'PUT', '/_snapshot/odd', { type: 's3', settings });
  const reason = ({ body }) => body.error.caused_by.reason;
  assert.equal(reason(await put({})), 'No bucket defined for s3 repository');
  assert.match(reason(await put({ bucket: 'b', access_key: 'x' })), /^Setting \[access_key\] is insecure/);
  assert.match(reason(await put({ bucket: 'b', max_size: '1' })), /^unknown setting \[max_size\]/);
  assert.match(reason(await put({ bucket: 'absent' })), /NoSuchBucket/);
  assert.match(reason(await put({ bucket: account.bucket, client: 'other' })), /^Unknown s3 client name \[other\]/);
  store.fault = (line) => (line.startsWith('PUT') ? { status: 403, code: 'AccessDenied' } : null);
  const take = { indices: 'mended', include_global_state: false };
  const failed = await ok('PUT', '/_snapshot/store/failed?wait_for_completion=true', take).catch((error) => error);
  assert.match(String(failed.message), /AccessDenied/);
  store.fault = () => null;
  assert.equal((await ok('GET', '/_snapshot/store/*')).total, 0);
});

test('a snapshot whose answer was lost is there; what the store does not delete goes with a cleanup', async () => {
  const take = (name) =>
    ok('PUT', `/_snapshot/store/${name}?wait_for_completion=true`, { indices: 'mended', include_global_state: false });
  store.fault = (line) => (/^PUT \S*snapshots-\d+\.json/.test(line) ? 'cut-answer' : null);
  assert.equal((await take('kept')).snapshot.state, 'SUCCESS');
  store.fault = (line) => (/^DELETE |^POST \S*\?delete/.test(line) ? { status: 403, code: 'AccessDenied' } : null);
  assert.equal((await take('more')).snapshot.state, 'SUCCESS');
  await ok('DELETE', '/_snapshot/store/kept,more');
  store.fault = () => null;
  assert.equal((await ok('GET', '/_snapshot/store/*')).total, 0);
  const { results } = await ok('POST', '/_snapshot/store/_cleanup');
  assert.ok(results.deleted_blobs > 0);
  await take('last');
  await ok('DELETE', '/_snapshot/store/last');
  assert.deepEqual(
    [...store.objects.keys()].filter((key) => !/snapshots(?:-\d+)?\.json$/.test(key)),
    [],
  );
});

test('an object that is lost fails its shard alone; partial snapshots are restored where asked for', async () => {
  const take = (name, indices, partial) =>
    call(node, 'PUT', `/_snapshot/store/${name}?wait_for_completion=true`, { indices, partial });
  const restore = (name, indices, partial, to) =>
    call(node, 'POST', `/_snapshot/store/${name}/_restore?wait_for_completion=true`, {
      ...{ indices, partial, rename_pattern: '.+', rename_replacement: to },
    });
  assert.equal((await take('pieces', 'mended', false)).body.snapshot.state, 'SUCCESS');
  const lost = [...store.objects.keys()].find((key) => /\/1-\w+\.g\d+$/.test(key));
  const kept = store.objects.get(lost);
  store.objects.delete(lost);
  for (const partial of [true, false]) {
    if (!partial) await ok('DELETE', '/lacking');
    const { body } = await restore('pieces', 'mended', partial, 'lacking');
    assert.deepEqual(body.snapshot.shards, { total: 2, failed: 1, successful: 1 });
    const why = await ok('POST', '/_cluster/allocation/explain', { index: 'lacking', shard: 1, primary: true });
    assert.match(why.unassigned_info.details, new RegExp(`${path.basename(lost)}.* is missing`));
  }
  const refused = await take('whole', 'lacking', false);
  assert.equal(refused.status, 400);
  assert.match(refused.body.error.reason, /Indices don't have primary shards \[lacking\]$/);
  const { snapshot: partial } = (await take('part', 'lacking', true)).body;
  assert.deepEqual([partial.state, partial.failures[0].reason], ['PARTIAL', 'primary shard is not allocated']);
  assert.match((await restore('part', 'lacking', false, 'again')).body.error.reason, /wasn't fully snapshotted/);
  const { shards } = (await restore('part', 'lacking', true, 'again')).body.snapshot;
  assert.deepEqual(shards, { total: 2, failed: 0, successful: 2 });
  const count = async (query = '') => (await ok('GET', `/again/_count${query}`)).count;
  assert.ok((await count()) > 0);
  assert.equal(await count('?preference=_shards:1'), 0);
  store.objects.set(lost, kept);
  for (const index of ['lacking', 'again']) await ok('DELETE', `/${index}`);
  await ok('DELETE', '/_snapshot/store/*');
});

test('keys of a store are taken from the keystore when nodes are told to, by all threads', async () => {
  const settings = { bucket: account.bucket, base_path: 'shoal/daily' };
  const take = (name) =>
    call(node, 'PUT', `/_snapshot/store/${name}?wait_for_completion=true`, {
      indices: 'mended',
      include_global_state: false,
    });
  account.secretKey = 'changed';
  const refused = await call(node, 'PUT', '/_snapshot/store', { type: 's3', settings });
  assert.match(JSON.stringify(refused.body), /SignatureDoesNotMatch/);
  keepSecret(conf, 'secret_key', 'changed');
  const { nodes } = await ok('POST', '/_nodes/reload_secure_settings');
  assert.deepEqual(
    Object.values(nodes).map((one) => one.reload_exception),
    [undefined],
  );
  await ok('PUT', '/_snapshot/store', { type: 's3', settings });
  const { body } = await take('reloaded');
  assert.deepEqual(body.snapshot.shards, { total: 2, failed: 0, successful: 2 });
  await ok('DELETE', '/_snapshot/store/reloaded');
});

test('a mounted index is searched and refuses writes', async () => {
  const take = { indices: 'mended', include_global_state: false };
  await ok('PUT', '/_snapshot/r/kept?wait_for_completion=true', take);
  const mount = (body, more = '') =>
    call(node, 'POST', `/_snapshot/r/kept/_mount?wait_for_completion=true${more}`, body);
  const given = { 'index.refresh_interval': '5s' };
  const body = { index: 'mended', renamed_index: 'mounted', index_settings: given };
  const done = await mount(body);
  assert.deepEqual(done.body.snapshot, {
    snapshot: 'kept',
    indices: ['mounted'],
    shards: { total: 2, failed: 0, successful: 2 },
  });
  assert.deepEqual(await all('mounted'), await all('mended'));
  const { mounted } = await ok('GET', '/mounted/_settings?flat_settings=true');
  assert.equal(mounted.settings['index.refresh_interval'], '5s');
  assert.equal(mounted.settings['index.number_of_replicas'], '0');
  assert.equal((await call(node, 'POST', '/mounted/_doc', { status: 1 })).status, 403);
  const reason = ({ body: answer }) => [answer.error.type, answer.error.reason];
  assert.equal(reason(await mount(body))[0], 'snapshot_restore_exception');
  assert.equal(reason(await mount({ index: 'absent' }))[0], 'index_not_found_exception');
  assert.equal(reason(await mount({ index: 'men*', renamed_index: 'x' }))[0], 'index_not_found_exception');
  assert.match(reason(await mount({ index: 'mended' }, '&storage=odd'))[1], /odd/);
  assert.deepEqual(reason(await mount({})), ['illegal_argument_exception', 'Required [index]']);
  assert.equal(reason(await mount({ index: 'mended', odd: 1 }))[0], 'x_content_parse_exception');
  await ok('DELETE', '/mounted');
  await ok('DELETE', '/_snapshot/r/kept');
});

test('a restore brings back data streams, and with the global state settings, templates and pipelines', async () => {
  const template = { index_patterns: ['events-*'], data_stream: {}, template: { settings: { number_of_replicas: 0 } } };
  await ok('PUT', '/_index_template/events', template);
  await ok('PUT', '/_ingest/pipeline/keep', { processors: [{ set: { field: 'a', value: 1 } }] });
  await ok('PUT', '/_cluster/settings', { persistent: { 'action.destructive_requires_name': false } });
  await call(node, 'POST', '/events-shop/_doc?refresh=true', { '@timestamp': '2026-01-01T00:00:00Z' });
  await ok('POST', '/events-shop/_rollover');
  const body = { indices: 'events-*', feature_states: ['none'] };
  const { snapshot: taken } = await ok('PUT', '/_snapshot/r/whole?wait_for_completion=true', body);
  assert.deepEqual(taken.data_streams, ['events-shop']);
  assert.equal(taken.include_global_state, true);
  await ok('DELETE', '/_data_stream/events-shop');
  await ok('DELETE', '/_index_template/events');
  await ok('DELETE', '/_ingest/pipeline/keep');
  await ok('PUT', '/_cluster/settings', { persistent: { 'action.destructive_requires_name': null } });
  const restore = (more) => call(node, 'POST', '/_snapshot/r/whole/_restore?wait_for_completion=true', more);
  assert.equal((await restore({ indices: 'events-shop', include_global_state: true })).status, 200);
  const [stream] = (await ok('GET', '/_data_stream/events-shop')).data_streams;
  assert.equal(stream.generation, 2);
  assert.equal(stream.indices.length, 2);
  assert.equal((await ok('GET', '/events-shop/_count')).count, 1);
  await ok('GET', '/_index_template/events');
  await ok('GET', '/_ingest/pipeline/keep');
  const { persistent } = await ok('GET', '/_cluster/settings?flat_settings=true');
  assert.equal(persistent['action.destructive_requires_name'], 'false');
  assert.equal((await restore({ rename_pattern: 'events', rename_replacement: 'old' })).status, 200);
  assert.equal(
    (await ok('GET', '/_data_stream/old-shop')).data_streams[0].indices[0].index_name.slice(0, 13),
    '.ds-old-shop-',
  );
  assert.match((await restore({ rename_pattern: 'x' })).body.error.reason, /already exists/);
  await snapshot('without', 'mended');
  const none = await call(node, 'POST', '/_snapshot/r/without/_restore', { indices: 'x*', include_global_state: true });
  assert.match(
    none.body.error.reason,
    /cannot restore global state since the snapshot was created without global state/,
  );
});

test('a repository of type source keeps documents only, and restores an index that is searched', async () => {
  const settings = { delegate_type: 'fs', location: path.join(repository, 'sources') };
  await ok('PUT', '/_snapshot/sources', { type: 'source', settings });
  const body = { indices: 'mended', include_global_state: false };
  await ok('PUT', '/_snapshot/sources/one?wait_for_completion=true', body);
  const [status] = (await ok('GET', '/_snapshot/sources/one/_status')).snapshots;
  const [whole] = (await ok('GET', '/_snapshot/r/without/_status')).snapshots;
  assert.ok(status.stats.total.size_in_bytes < whole.stats.total.size_in_bytes);
  const restore = { rename_pattern: '.+', rename_replacement: 'from-sources' };
  await ok('POST', '/_snapshot/sources/one/_restore?wait_for_completion=true', restore);
  await ok('POST', '/from-sources/_refresh');
  assert.deepEqual(await all('from-sources'), await all('mended'));
});
