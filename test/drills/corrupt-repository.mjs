// Random corruptions of snapshot repositories, in a folder and in an object store: each restore is refused by name or
// has all documents. Then an object store that refuses every fifth request or cuts its connection, while snapshots are
// taken, restored and deleted: what was taken is whole, and nothing is left over once all is deleted. A node is
// restarted for no damage: it must live through all of them.
// Usage: node test/drills/corrupt-repository.mjs [--count 100] [--busy 25] [--seed 1]
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { startObjectStore } from '../../packages/node/dist/testing/object-store.js';
import { call, root, startNode, temporaryFolder } from '../node-process.mjs';

const args = process.argv.slice(2);
const number = (name, fallback) => (args.includes(name) ? Number(args[args.indexOf(name) + 1]) : fallback);
const COUNT = number('--count', 100);
const BUSY = number('--busy', 25);
const DOCUMENTS = 1_500;

let state = number('--seed', 1) >>> 0;
/** Numbers from 0 to 1, by a linear congruence. */
function random() {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}
const below = (count) => Math.floor(random() * count);

const repository = temporaryFolder('repository');
const conf = temporaryFolder('conf');
const account = { bucket: 'backups', accessKey: 'AKID', secretKey: 'secret' };
const store = await startObjectStore(account);
const keystore = (words, input) =>
  execFileSync(process.execPath, [path.join(root, 'packages/node/bin/shoal.mjs'), 'keystore', ...words], { input });
keystore(['create', '-E', `path.conf=${conf}`]);
for (const [name, value] of [
  ['access_key', account.accessKey],
  ['secret_key', account.secretKey],
])
  keystore(['add', '--force', `s3.client.default.${name}`, '-E', `path.conf=${conf}`], value);
const node = await startNode({
  settings: {
    'path.repo': repository,
    'path.conf': conf,
    's3.client.default.endpoint': store.endpoint,
    's3.client.default.max_retries': 1,
  },
});
const ok = async (method, url, body) => {
  const answer = await call(node, method, url, body);
  if (answer.status !== 200) throw new Error(`${method} ${url}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};

const filesBelow = (folder) =>
  fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(file) : [file];
  });
/** How a repository is read and changed behind the back of the node. */
const PLACES = {
  fs: {
    settings: { location: path.join(repository, 'r') },
    names: () => filesBelow(path.join(repository, 'r')),
    read: (name) => fs.readFileSync(name),
    write: (name, bytes) => (bytes === null ? fs.rmSync(name) : fs.writeFileSync(name, bytes)),
  },
  s3: {
    settings: { bucket: account.bucket, base_path: 'r' },
    names: () => [...store.objects.keys()],
    read: (name) => store.objects.get(name).bytes,
    write(name, bytes) {
      const known = store.objects.get(name) ?? { headers: {} };
      if (bytes === null) store.objects.delete(name);
      else store.objects.set(name, { ...known, bytes });
    },
  },
};

const DAMAGES = {
  flipped(bytes) {
    const damaged = Buffer.from(bytes);
    damaged[below(bytes.length)] ^= 1 << below(8);
    return damaged;
  },
  truncated: (bytes) => bytes.subarray(0, below(bytes.length)),
  zeroed(bytes) {
    const damaged = Buffer.from(bytes);
    const at = below(bytes.length);
    return damaged.fill(0, at, Math.min(bytes.length, at + 1 + below(512)));
  },
  extended: (bytes) => Buffer.concat([bytes, Buffer.alloc(1 + below(100), below(256))]),
  exchanged: (_bytes, { names, read }) => read(names()[below(names().length)]),
  removed: () => null,
};

async function fill() {
  await ok('PUT', '/logs', { settings: { number_of_shards: 2, number_of_replicas: 0 } });
  for (let part = 0; part < 3; part++) {
    const lines = Array.from({ length: DOCUMENTS / 3 }, (_, i) => {
      const n = (part * DOCUMENTS) / 3 + i;
      return `{"index":{"_id":"${n}"}}\n{"n":${n},"text":"line ${n} of the log, word${n % 97}"}\n`;
    });
    await ok('POST', '/logs/_bulk?refresh=true', lines.join(''));
    await ok('POST', '/logs/_flush');
  }
  for (let n = 0; n < 30; n++) await ok('DELETE', `/logs/_doc/${n}`);
  await ok('POST', '/logs/_refresh');
}

/** Restores, and tells what came of it: `whole`, `refused`, or what must not be. */
async function restored(type, round, snapshot = 's') {
  const name = `again-${type}-${round}`;
  const body = { indices: 'logs', rename_pattern: '.+', rename_replacement: name };
  const answer = await call(node, 'POST', `/_snapshot/${type}/${snapshot}/_restore?wait_for_completion=true`, body);
  if (answer.status !== 200) return answer.body?.error?.reason ? 'refused' : `status ${answer.status}`;
  const { failed } = answer.body.snapshot.shards;
  const count = failed > 0 ? null : (await ok('GET', `/${name}/_count`)).count;
  const words = failed > 0 ? null : (await ok('GET', `/${name}/_count?q=text:word13`)).count;
  await ok('DELETE', `/${name}`);
  if (failed > 0) return 'refused';
  return count === expected.count && words === expected.words ? 'whole' : `${count} documents, ${words} of the word`;
}

const FAULTS = [{ status: 500, code: 'InternalError' }, { status: 503, code: 'SlowDown' }, 'cut', 'cut-answer'];
const BUSY_SHARE = 0.2;

/** Takes, restores and deletes snapshots in a store that fails now and then; returns the number of wrong outcomes. */
async function underFaults() {
  const folder = '/_snapshot/busy';
  await ok('PUT', folder, { type: 's3', settings: { bucket: account.bucket, base_path: 'busy' } });
  const outcomes = {};
  const note = (outcome) => (outcomes[outcome] = (outcomes[outcome] ?? 0) + 1);
  const tried = async (what, method, url) => {
    const { status, body } = await call(node, method, url, method === 'PUT' ? { indices: 'logs' } : undefined);
    const isDone = status === 200 && (body.snapshot?.state ?? 'SUCCESS') === 'SUCCESS';
    note(
      `${what} ${isDone ? 'done' : body?.error?.reason || body?.snapshot?.failures?.[0]?.reason ? 'refused' : status}`,
    );
  };
  for (let round = 0; round < BUSY; round++) {
    store.fault = () => (random() < BUSY_SHARE ? FAULTS[below(FAULTS.length)] : null);
    await tried('snapshot', 'PUT', `${folder}/b${round}?wait_for_completion=true`);
    note(`restore ${await restored('busy', round, `b${round}`)}`);
    if (round % 3 === 2) await tried('deletion', 'DELETE', `${folder}/b${round - 1}`);
    store.fault = () => null;
  }
  const { snapshots } = await ok('GET', `${folder}/_all`);
  for (const { snapshot, state } of snapshots)
    if (state === 'SUCCESS') note(`afterwards ${await restored('busy', snapshot, snapshot)}`);
  if (snapshots.length > 0) await ok('DELETE', `${folder}/*`);
  await ok('POST', `${folder}/_cleanup`);
  const left = [...store.objects.keys()].filter((name) => /^busy\/(?!snapshots[-.])/.test(name));
  if (left.length > 0) note(`left over: ${left.join(' ')}`);
  process.stdout.write(`faults of the store: ${JSON.stringify(outcomes)}\n`);
  const fine = /^(snapshot|deletion) (done|refused)$|^restore (whole|refused)$|^afterwards whole$/;
  return Object.keys(outcomes).filter((outcome) => !fine.test(outcome)).length;
}

await fill();
const expected = {
  count: (await ok('GET', '/logs/_count')).count,
  words: (await ok('GET', '/logs/_count?q=text:word13')).count,
};
let bad = 0;
for (const [type, place] of Object.entries(PLACES)) {
  await ok('PUT', `/_snapshot/${type}`, { type, settings: place.settings });
  await ok('PUT', `/_snapshot/${type}/s?wait_for_completion=true`, { indices: 'logs' });
  const outcomes = {};
  for (let round = 0; round < COUNT; round++) {
    const names = place.names().sort();
    const name = names[below(names.length)];
    const kinds = Object.keys(DAMAGES);
    const kind = kinds[below(kinds.length)];
    const before = place.read(name);
    place.write(name, DAMAGES[kind](before, place));
    const outcome = await restored(type, round);
    place.write(name, before);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (outcome === 'whole' || outcome === 'refused') continue;
    bad++;
    process.stdout.write(`${type} ${kind} ${path.basename(name)}: ${outcome}\n`);
  }
  if ((await restored(type, 'last')) !== 'whole') throw new Error('the mended repository is not whole');
  process.stdout.write(`${type}: ${JSON.stringify(outcomes)}\n`);
}
bad += await underFaults();
await node.stop();
await store.close();
process.exitCode = bad > 0 ? 1 : 0;
