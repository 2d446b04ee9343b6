// What snapshots cost on servers that run already: the first of an index, the second of unchanged data, one after 1 %
// of new documents, a restore, a delete; then many snapshots in one repository. Megabytes of the repository, seconds,
// CPU seconds of the process.
// Usage: node test/bench/snapshots.mjs --target NAME=URL,PID,FOLDER [--target …] [--bulk NAME=FILE …] [--docs 50000]
//     [--many 1000]
//   FOLDER is below `path.repo` of that server. FILE has an action and a source line for each document.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { cpuSeconds } from './processes.mjs';

const args = process.argv.slice(2);
const all = (name) => args.flatMap((arg, i) => (arg === name ? [args[i + 1]] : []));
const number = (name, fallback) => Number(all(name)[0] ?? fallback);
const BATCH = 2_000;
const MEGABYTE = 1e6;

const targets = all('--target').map((text) => {
  const [name, rest] = [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)];
  const [url, pid, folder] = rest.split(',');
  return { name, url, pid: Number(pid), folder };
});

async function call({ url }, method, where, body, type = 'application/json') {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(url + where, { method, body: text, headers: text ? { 'content-type': type } : {} });
  const json = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${where}: ${JSON.stringify(json).slice(0, 500)}`);
  return json;
}

function bytesOf(folder) {
  if (!fs.existsSync(folder)) return 0;
  return fs.readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const file = path.join(folder, entry.name);
    return sum + (entry.isDirectory() ? bytesOf(file) : fs.statSync(file).size);
  }, 0);
}

async function measured(target, repository, what, work) {
  const [bytes, cpu, at] = [bytesOf(`${target.folder}/${repository}`), cpuSeconds(target.pid), performance.now()];
  await work();
  const seconds = (performance.now() - at) / 1000;
  const megabytes = (bytesOf(`${target.folder}/${repository}`) - bytes) / MEGABYTE;
  const row = { megabytes, seconds, cpu: cpuSeconds(target.pid) - cpu };
  const cells = Object.entries(row).map(([name, value]) => `${name} ${value.toFixed(2)}`);
  process.stdout.write(`${repository} ${target.name} ${what}: ${cells.join(', ')}\n`);
  return row;
}

async function* documents(file, from, count) {
  let line = 0;
  const lines = readline.createInterface({ input: fs.createReadStream(file) });
  for await (const text of lines) {
    const doc = line++ >> 1;
    if (line % 2 === 1 || doc < from) continue;
    if (doc >= from + count) break;
    yield text;
  }
  lines.close();
}

async function load(target, index, file, from, count) {
  let body = [];
  const send = async () => {
    const answer = await call(target, 'POST', `/${index}/_bulk`, body.join(''), 'application/x-ndjson');
    if (answer.errors) throw new Error(JSON.stringify(answer.items.find((item) => Object.values(item)[0].error)));
    body = [];
  };
  for await (const source of documents(file, from, count)) {
    body.push(`{"index":{}}\n${source}\n`);
    if (body.length >= BATCH) await send();
  }
  if (body.length > 0) await send();
  await call(target, 'POST', `/${index}/_flush`);
  await call(target, 'POST', `/${index}/_refresh`);
}

const take = (target, repository, name, indices) =>
  call(target, 'PUT', `/_snapshot/${repository}/${name}?wait_for_completion=true`, {
    indices,
    include_global_state: false,
  });

async function dataset(target, name, file, count) {
  const settings = { number_of_shards: 1, number_of_replicas: 0 };
  await call(target, 'PUT', `/_snapshot/${name}`, {
    type: 'fs',
    settings: { location: `${target.folder}/${name}`, max_snapshot_bytes_per_sec: '1gb' },
  });
  await call(target, 'PUT', `/${name}`, { settings });
  await load(target, name, file, 0, count);
  await measured(target, name, 'first snapshot', () => take(target, name, 'one', name));
  await measured(target, name, 'second, unchanged', () => take(target, name, 'two', name));
  await load(target, name, file, count, Math.ceil(count / 100));
  await measured(target, name, 'after 1 % new', () => take(target, name, 'three', name));
  const before = (await call(target, 'GET', `/${name}/_count`)).count;
  const body = { indices: name, rename_pattern: '(.+)', rename_replacement: 'again-$1' };
  await measured(target, name, 'restore', () =>
    call(target, 'POST', `/_snapshot/${name}/three/_restore?wait_for_completion=true`, body),
  );
  const after = (await call(target, 'GET', `/again-${name}/_count`)).count;
  if (after !== before) throw new Error(`${before} documents were saved, ${after} are there`);
  await measured(target, name, 'delete of two', () => call(target, 'DELETE', `/_snapshot/${name}/one,two`));
  await measured(target, name, 'delete of the last', () => call(target, 'DELETE', `/_snapshot/${name}/three`));
  await call(target, 'DELETE', `/${name},again-${name}`);
}

/** Takes a snapshot after each new document. */
async function many(target, count) {
  const repository = 'many';
  await call(target, 'PUT', `/_snapshot/${repository}`, {
    type: 'fs',
    settings: { location: `${target.folder}/${repository}`, max_number_of_snapshots: count },
  });
  await call(target, 'PUT', '/many', { settings: { number_of_shards: 1, number_of_replicas: 0 } });
  const one = async (i) => {
    await call(target, 'POST', '/many/_doc?refresh=true', { n: i, text: `line ${i} of many` });
    await take(target, repository, `s${i}`, 'many');
  };
  const tenth = Math.floor(count / 10);
  for (let i = 0; i < count; i += tenth)
    await measured(target, repository, `snapshots ${i} to ${i + tenth - 1}`, async () => {
      for (let j = i; j < i + tenth; j++) await one(j);
    });
  await measured(target, repository, 'list', () => call(target, 'GET', `/_snapshot/${repository}/_all`));
  for (const name of ['s0', `s${count >> 1}`])
    await measured(target, repository, `delete of ${name}`, () =>
      call(target, 'DELETE', `/_snapshot/${repository}/${name}`),
    );
  process.stdout.write(
    `many ${target.name}: ${(bytesOf(`${target.folder}/${repository}`) / MEGABYTE).toFixed(2)} MB\n`,
  );
  await measured(target, repository, 'delete of the others', () =>
    call(target, 'DELETE', `/_snapshot/${repository}/*`),
  );
}

for (const bulk of all('--bulk')) {
  const [name, file] = bulk.split('=');
  for (const target of targets) await dataset(target, name, file, number('--docs', 50_000));
}
if (number('--many', 0) > 0) for (const target of targets) await many(target, number('--many', 0));
