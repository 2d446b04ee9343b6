// Damages each file of a stopped node's data folder in seven ways and starts the node: it must refuse to start with a
// sentence that says what is wrong, tell which shards are damaged, or have lost nothing. Never may documents, indices
// or passwords be others than before without a word.
// Usage: node test/drills/damage.mjs [places=all] [seed=1] [files below=]
//   The table at the end: what a node said, by kind of file and damage.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { call, startNode, temporaryFolder } from '../node-process.mjs';

const [FIRST, SECOND] = ['elastic:first-password', 'elastic:second-password'];
const SETTINGS = { 'memory.limit': '512mb', 'xpack.security.enabled': true };
const ENV = { ELASTIC_PASSWORD: 'first-password' };

const lines = (from, count) =>
  Array.from(
    { length: count },
    (_, i) =>
      `{"index":{"_id":"${from + i}"}}\n{"n":${from + i},"k":"k${(from + i) % 7}","t":"some text ${from + i}"}\n`,
  ).join('');

async function must(node, ...request) {
  const { status, body } = await call(node, ...request);
  if (status >= 300) throw new Error(`${request[0]} ${request[1]}: ${status} ${JSON.stringify(body)}`);
}

/** A folder after kill -9, an older one of the same node, and what the node answered before it died. */
async function prepare(folder) {
  const data = path.join(folder, 'data');
  fs.mkdirSync(data);
  const first = await startNode({ data, settings: SETTINGS, env: ENV, auth: FIRST });
  const one = { settings: { number_of_shards: 1, number_of_replicas: 0 } };
  await must(first, 'PUT', '/orders', { settings: { number_of_shards: 2, number_of_replicas: 0 } });
  await must(first, 'PUT', '/events', one);
  await must(first, 'POST', '/orders/_bulk?refresh=true', lines(0, 300));
  await must(first, 'POST', '/events/_bulk?refresh=true', lines(0, 200));
  await must(first, 'POST', '/orders,events/_flush');
  await must(first, 'PUT', '/orders/_alias/shop');
  await must(first, 'PUT', '/_index_template/t', { index_patterns: ['t-*'], template: one });
  await first.stop();
  fs.cpSync(data, path.join(folder, 'older'), { recursive: true });
  const second = await startNode({ data, settings: SETTINGS, env: ENV, auth: FIRST });
  await must(second, 'POST', '/_security/user/elastic/_password', { password: 'second-password' });
  Object.assign(second.headers, { authorization: `Basic ${Buffer.from(SECOND).toString('base64')}` });
  await must(second, 'PUT', '/later', one);
  await must(second, 'POST', '/later/_bulk?refresh=true', lines(0, 40));
  await must(second, 'POST', '/orders/_bulk?refresh=true', lines(300, 100));
  await must(second, 'POST', '/orders/_flush');
  await must(second, 'POST', '/events/_bulk?refresh=true', lines(100, 150));
  await must(second, 'DELETE', '/events/_doc/7?refresh=true');
  const expected = await answersOf(second);
  await second.stop('SIGKILL');
  return { data, older: path.join(folder, 'older'), expected };
}

/** All documents by index, or null where the node says that shards are missing; indices, alias and passwords. */
async function answersOf(node) {
  await call(node, 'GET', '/_cluster/health?wait_for_status=yellow&timeout=1500ms');
  const { status, body } = await call(node, 'GET', '/_cluster/state/metadata');
  if (status !== 200) return { refused: `${status} ${body.error?.type}` };
  const documents = {};
  for (const index of ['orders', 'events', 'later']) documents[index] = await documentsOf(node, index);
  const old = await call(node, 'GET', '/', undefined, { authorization: `Basic ${btoa(FIRST)}` });
  return {
    indices: Object.keys(body.metadata.indices)
      .filter((name) => !name.startsWith('.'))
      .toSorted(),
    aliases: body.metadata.indices.orders?.aliases ?? null,
    templates: Object.keys(body.metadata.index_template?.index_template ?? {}),
    oldPassword: old.status,
    documents,
  };
}

async function documentsOf(node, index) {
  const search = { size: 1000, query: { range: { n: { gte: 0 } } }, sort: [{ n: 'asc' }] };
  const { status, body } = await call(node, 'POST', `/${index}/_search`, search);
  if (status !== 200) return { told: `${status} ${body.error?.type}` };
  if (body._shards.failed > 0 || body._shards.successful < body._shards.total) return { told: 'shards failed' };
  const terms = await call(node, 'POST', `/${index}/_search`, { size: 0, query: { match: { t: 'text' } } });
  return { hits: body.hits.hits.map(({ _id, _source }) => [_id, _source]), text: terms.body.hits?.total?.value };
}

function filesOf(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)))
    .toSorted();
}

/** Kind of a file: its path without numbers and uuids. */
const kindOf = (file) =>
  file
    .replace(/[A-Za-z0-9_-]{22}/g, 'UUID')
    .replace(/\d{6}/g, 'N')
    .replace(/\/\d+\//g, '/N/');

/** What can happen to a file: (folder, file, prepared) → whether the file is another now. */
const DAMAGES = {
  emptied: (folder, file) => cut(folder, file, () => 0),
  halved: (folder, file) => cut(folder, file, (size) => Math.floor(size / 2)),
  'last byte cut': (folder, file) => cut(folder, file, (size) => size - 1),
  'bit flipped'(folder, file, { random }) {
    const bytes = fs.readFileSync(path.join(folder, file));
    if (bytes.length === 0) return false;
    bytes[Math.floor(random() * bytes.length)] ^= 1 << Math.floor(random() * 8);
    fs.writeFileSync(path.join(folder, file), bytes);
    return true;
  },
  removed(folder, file) {
    fs.rmSync(path.join(folder, file));
    return true;
  },
  'older copy'(folder, file, { older }) {
    const before = path.join(older, file);
    if (!fs.existsSync(before) || fs.readFileSync(before).equals(fs.readFileSync(path.join(folder, file))))
      return false;
    fs.copyFileSync(before, path.join(folder, file));
    return true;
  },
  swapped(folder, file, { files }) {
    const other = files.find((name) => name > file && kindOf(name) === kindOf(file));
    if (other === undefined) return false;
    const [a, b] = [file, other].map((name) => fs.readFileSync(path.join(folder, name)));
    if (a.equals(b)) return false;
    fs.writeFileSync(path.join(folder, file), b);
    fs.writeFileSync(path.join(folder, other), a);
    return true;
  },
};

function cut(folder, file, lengthOf) {
  const { size } = fs.statSync(path.join(folder, file));
  if (size === 0) return false;
  fs.truncateSync(path.join(folder, file), lengthOf(size));
  return true;
}

/** Repeatable numbers in [0, 1). */
function numbers(seed) {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296;
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** 'intact', 'told: …', or 'LOST: …' for what differs without a word. */
function verdict(found, expected, log) {
  if (found.refused) return `told: ${found.refused}`;
  const told = [];
  for (const [index, documents] of Object.entries(found.documents)) {
    if (documents.told) told.push(`${index} ${documents.told}`);
    else if (!same(documents, expected.documents[index])) return `LOST: documents of ${index}`;
  }
  for (const part of ['indices', 'aliases', 'templates', 'oldPassword'])
    if (!same(found[part], expected[part])) return `LOST: ${part} ${JSON.stringify(found[part])}`;
  if (told.length === 0) return 'intact';
  return /"log.level":"(?:ERROR|WARN)"/.test(log) ? `told: ${told.join(', ')}` : `LOST: no line in the log: ${told}`;
}

/** A node that is not up by then hangs; one on a machine with other work may take minutes. */
const START_MS_MAX = 600_000;

/** Starts a node on a damaged folder; what it said. */
async function inspect(data, expected) {
  let node;
  try {
    node = await startNode({
      data,
      settings: SETTINGS,
      env: ENV,
      auth: SECOND,
      waitForStatus: 'any',
      startMsMax: START_MS_MAX,
    });
  } catch (error) {
    const text = error.message;
    if (!text.startsWith('the node ended')) return `LOST: ${text.slice(0, 300)}`;
    const last = text
      .trim()
      .split('\n')
      .filter((line) => !/^\s+at /.test(line))
      .at(-1);
    const isSentence = last.length > 40 && !/^\s*(?:TypeError|RangeError|Node\.js)/.test(last);
    return isSentence ? `refused: ${last}` : `LOST: no sentence: ${last}`;
  }
  try {
    return verdict(await answersOf(node), expected, node.log());
  } catch (error) {
    return `LOST: ${error.message}`;
  } finally {
    await node.stop('SIGKILL');
  }
}

/** Files that are one thing twice: damage to both is another matter than to one. */
const STATE_MIRRORS = ['state/state-a', 'state/state-b'];

/**
 * Runs the drill on files whose paths in the data folder begin with `below`; returns { file, kind, damage, said } of
 * each place. `print` gets each line.
 */
export async function damageDrill({ count = Infinity, seed = 1, below = '', print = () => undefined }) {
  const folder = temporaryFolder('damage');
  const random = numbers(seed);
  const prepared = await prepare(folder);
  const files = filesOf(prepared.data).filter((file) => !/(?:^|\/)(?:LOG|LOG\.old|LOCK)$/.test(file));
  const places = [...files.map((file) => [file]), STATE_MIRRORS].filter(([file]) => file.startsWith(below));
  const all = places.flatMap((together) => Object.keys(DAMAGES).map((damage) => ({ together, damage })));
  const chosen =
    count >= all.length ? all : Array.from({ length: count }, () => all[Math.floor(random() * all.length)]);
  const results = [];
  for (const { together, damage } of chosen) {
    const data = path.join(folder, 'work');
    fs.rmSync(data, { recursive: true, force: true });
    fs.cpSync(prepared.data, data, { recursive: true });
    const done = together.map((file) => DAMAGES[damage](data, file, { ...prepared, files, random }));
    if (done.includes(false)) continue;
    const file = together.join(' and ');
    const said = await inspect(data, prepared.expected);
    results.push({ file, kind: kindOf(file), damage, said });
    print(`${damage} ${file}: ${said}`);
  }
  return results;
}

function table(results) {
  const rows = new Map();
  for (const { kind, damage, said } of results) {
    const row = rows.get(kind) ?? rows.set(kind, {}).get(kind);
    const word = said.split(':')[0];
    row[damage] = { ...row[damage], [word]: (row[damage]?.[word] ?? 0) + 1 };
  }
  const cell = (counts = {}) =>
    Object.entries(counts)
      .map(([word, count]) => `${count} ${word}`)
      .join(', ');
  const head = ['file', ...Object.keys(DAMAGES)];
  return [
    `| ${head.join(' | ')} |`,
    `| ${head.map(() => '---').join(' | ')} |`,
    ...[...rows].map(
      ([kind, row]) =>
        `| ${kind} | ${Object.keys(DAMAGES)
          .map((name) => cell(row[name]))
          .join(' | ')} |`,
    ),
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [places = 'all', seed = '1', below = ''] = process.argv.slice(2);
  const results = await damageDrill({
    count: places === 'all' ? Infinity : Number(places),
    seed: Number(seed),
    below,
    print: (line) => process.stdout.write(`${line}\n`),
  });
  process.stdout.write(`${table(results)}\n`);
  const lost = results.filter(({ said }) => said.startsWith('LOST'));
  process.stdout.write(`${results.length} places, ${lost.length} without a word\n`);
  process.exit(lost.length > 0 ? 1 : 0);
}
