// node test/drills/soak.mjs [--minutes 60] [--rate 20] [--processors N]
// One node under a constant mixed load for a long time: bulks that replace and delete, gets, searches, aggregations,
// refreshes, merges, new fields, indices that come and go, scrolls that are left open, clients that hang up. A line a
// minute: percentiles of what was answered, resident memory and what it is of (heap: V8's old space of the main thread,
// with garbage; external: buffers outside of it), open descriptors, contexts. What grows from line to line
// leaks; at the end the last third of the run is compared with the one before it.
import fs from 'node:fs';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startNode } from '../node-process.mjs';
import { residentParts } from '../resident-memory.mjs';
import { cpuSeconds } from '../bench/processes.mjs';

const IDS = 20_000;
const WORDS = Array.from({ length: 2_000 }, (_, i) => `w${((i * 7919) % 2_000).toString(36)}`);
const MAPPINGS = { properties: { text: { type: 'text' }, key: { type: 'keyword' }, n: { type: 'long' } } };
const ONE_SHARD = { number_of_replicas: 0, refresh_interval: '1s' };
/** Requests under way at once; beyond it the next ones wait, and the line tells how many came too late. */
const RUNNING_MAX = 64;

const text = (words) => Array.from({ length: words }, () => WORDS[Math.floor(Math.random() ** 2 * 2_000)]).join(' ');
const below = (limit) => Math.floor(Math.random() * limit);
const pick = (list) => list[below(list.length)];
const document = () => ({ text: text(20), key: `k${below(500)}`, n: below(1_000_000) });

function bulk(size, index) {
  const lines = [];
  for (let i = 0; i < size; i++) {
    const _id = String(below(IDS));
    if (i % 10 === 9) lines.push(JSON.stringify({ delete: { _index: index, _id } }));
    else lines.push(JSON.stringify({ index: { _index: index, _id } }), JSON.stringify(document()));
  }
  return `${lines.join('\n')}\n`;
}

const AGGS = { keys: { terms: { field: 'key', size: 20 }, aggs: { n: { percentiles: { field: 'n' } } } } };

/** Kinds of requests with their shares of the rate; `run` is given the client. */
const KINDS = [
  { name: 'bulk', share: 4, run: (client) => client.ask('POST', '/_bulk', bulk(50, pick(['a', 'b']))) },
  { name: 'get', share: 6, run: (client) => client.ask('GET', `/a/_doc/${below(IDS)}`) },
  {
    name: 'match',
    share: 5,
    run: (client) => client.ask('POST', '/a,b/_search', { query: { match: { text: text(3) } } }),
  },
  { name: 'aggs', share: 2, run: (client) => client.ask('POST', '/a/_search', { size: 0, aggs: AGGS }) },
  { name: 'refresh', share: 0.2, run: (client) => client.ask('POST', '/a/_refresh') },
  { name: 'merge', share: 0.02, run: (client) => client.ask('POST', '/b/_forcemerge?max_num_segments=1') },
  { name: 'mapping', share: 0.05, run: changeMapping },
  { name: 'index', share: 0.1, run: replaceIndex },
  { name: 'scroll', share: 0.5, run: leaveScroll },
  { name: 'hang up', share: 0.5, run: (client) => client.hangUp('POST', '/a/_search', { size: 0, aggs: AGGS }) },
];

/** Adds one of a hundred fields: a constant load must not have a mapping that grows for ever. */
function changeMapping(client) {
  return client.ask('PUT', '/b/_mapping', { properties: { [`f${below(100)}`]: { type: 'keyword' } } });
}

async function replaceIndex(client) {
  const name = `passing-${below(5)}`;
  await client.ask('DELETE', `/${name}?ignore_unavailable=true`);
  const { status } = await client.ask('PUT', `/${name}/_doc/1?refresh=true`, document());
  // Another request may have taken the name meanwhile.
  return { status: status === 404 ? 200 : status };
}

/** One scroll in two is never asked again, and goes when its ten seconds are over. */
async function leaveScroll(client) {
  const first = await client.ask('POST', '/a,b/_search?scroll=10s', { size: 50, sort: ['_doc'] });
  if (first.status !== 200 || Math.random() < 0.5) return first;
  return client.ask('POST', '/_search/scroll', { scroll: '10s', scroll_id: first.body._scroll_id });
}

/** Requests over kept connections. */
function clientOf(port) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: RUNNING_MAX });
  const send = (method, path, body) => {
    const payload = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const type = path === '/_bulk' ? 'application/x-ndjson' : 'application/json';
    const headers = { 'content-type': type, 'content-length': Buffer.byteLength(payload) };
    const request = http.request({ host: '127.0.0.1', port, method, path, agent, headers });
    request.end(payload);
    return request;
  };
  return {
    ask: (method, path, body) =>
      new Promise((resolve, reject) => {
        const request = send(method, path, body);
        request.on('error', reject);
        request.on('response', (answer) => {
          const chunks = [];
          answer.on('data', (chunk) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () =>
            resolve({ status: answer.statusCode, body: JSON.parse(Buffer.concat(chunks).toString() || 'null') }),
          );
        });
      }),
    hangUp: (method, path, body) =>
      new Promise((resolve) => {
        const request = send(method, path, body);
        request.on('error', () => resolve({ status: 200 }));
        request.on('close', () => resolve({ status: 200 }));
        setTimeout(() => request.destroy(), below(20));
      }),
    close: () => agent.destroy(),
  };
}

/** What was answered since the last line. */
class Window {
  #ms = new Map();
  refused = 0;
  late = 0;
  failed = new Map();

  note(kind, ms, status) {
    if (status === 429) this.refused++;
    else if (status >= 300 && status !== 404) this.fail(`${kind} ${status}`);
    else this.#ms.set(kind, [...(this.#ms.get(kind) ?? []), ms]);
  }

  fail(what) {
    this.failed.set(what, (this.failed.get(what) ?? 0) + 1);
  }

  percentile(kind, share) {
    const sorted = (this.#ms.get(kind) ?? []).sort((a, b) => a - b);
    return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  }

  count() {
    return [...this.#ms.values()].reduce((sum, list) => sum + list.length, 0);
  }
}

const total = KINDS.reduce((sum, { share }) => sum + share, 0);

function chosenKind() {
  let at = Math.random() * total;
  return KINDS.find(({ share }) => (at -= share) < 0) ?? KINDS[0];
}

/** Starts requests at a constant rate until `stop`; what they took is noted in the window of the moment. */
function constantLoad(client, rate, windowOf) {
  let running = 0;
  const one = async () => {
    if (running >= RUNNING_MAX) return void windowOf().late++;
    running++;
    const { name, run } = chosenKind();
    const began = performance.now();
    try {
      const { status } = await run(client);
      windowOf().note(name, performance.now() - began, status);
    } catch (error) {
      windowOf().fail(`${name} ${error.code ?? error.message}`);
    } finally {
      running--;
    }
  };
  const timer = setInterval(() => void one(), 1_000 / rate);
  return {
    async stop() {
      clearInterval(timer);
      while (running > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    },
  };
}

async function figures(node, client) {
  const { body } = await client.ask('GET', '/_nodes/stats/indices,jvm?level=node');
  const [{ indices, jvm }] = Object.values(body.nodes);
  const megabytes = (bytes) => bytes / 2 ** 20;
  return {
    ...residentParts(node.pid),
    heap: megabytes(jvm.mem.pools.old.used_in_bytes),
    external: megabytes(jvm.mem.non_heap_used_in_bytes),
    descriptors: fs.readdirSync(`/proc/${node.pid}/fd`).length,
    contexts: indices.search.open_contexts,
    segments: indices.segments.count,
  };
}

/** Runs the drill on a node of its own. `onLine` gets a line after each window; returns all of them. */
export async function soak({ windows, windowMs, rate, settings = {}, onLine = () => undefined }) {
  const node = await startNode({ settings });
  const client = clientOf(node.port);
  const lines = [];
  try {
    for (const index of ['a', 'b']) {
      await client.ask('PUT', `/${index}`, { settings: ONE_SHARD, mappings: MAPPINGS });
      for (let i = 0; i < 4; i++) await client.ask('POST', '/_bulk', bulk(500, index));
    }
    let window = new Window();
    const load = constantLoad(client, rate, () => window);
    for (let i = 0; i < windows; i++) {
      const cpuBefore = cpuSeconds(node.pid);
      await new Promise((resolve) => setTimeout(resolve, windowMs));
      const ended = window;
      window = new Window();
      const found = await figures(node, client);
      const line = { ...found, window: ended, cpu: (cpuSeconds(node.pid) - cpuBefore) / (windowMs / 1_000) };
      lines.push(line);
      onLine(line, i);
    }
    await load.stop();
    return lines;
  } finally {
    client.close();
    await node.stop();
    fs.rmSync(node.data, { recursive: true, force: true });
  }
}

const HEAD =
  'minute | answered refused late | bulk p50 p99 | get p50 p99 | match p50 p99 | aggs p50 p99 | CPU | RSS MB | ' +
  'anonymous files heap external | descriptors | contexts | segments | failed';

function lineText({ window, cpu, rss, anonymous, files, heap, external, descriptors, contexts, segments }, i) {
  const times = ['bulk', 'get', 'match', 'aggs'].map(
    (kind) => `${window.percentile(kind, 0.5).toFixed(1)} ${window.percentile(kind, 0.99).toFixed(1)}`,
  );
  const failed = [...window.failed].map(([what, count]) => `${count} ${what}`).join(', ') || 'none';
  const counts = `${window.count()} ${window.refused} ${window.late}`;
  const parts = [anonymous, files, heap, external].map(Math.round).join(' ');
  const memory = [Math.round(rss), parts, descriptors, contexts, segments];
  return [i + 1, counts, ...times, cpu.toFixed(2), ...memory, failed].join(' | ');
}

const mean = (list, of) => list.reduce((sum, line) => sum + of(line), 0) / list.length;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '60' },
      rate: { type: 'string', default: '20' },
      processors: { type: 'string' },
    },
  });
  const say = (line) => process.stdout.write(`${line}\n`);
  say(HEAD);
  const lines = await soak({
    windows: Number(values.minutes),
    windowMs: 60_000,
    rate: Number(values.rate),
    settings: values.processors ? { 'node.processors': values.processors } : {},
    onLine: (line, i) => say(lineText(line, i)),
  });
  const third = Math.max(1, Math.floor(lines.length / 3));
  const [middle, last] = [lines.slice(-2 * third, -third), lines.slice(-third)];
  const ratio = (of) => (mean(last, of) / mean(middle, of)).toFixed(2);
  if (middle.length > 0)
    say(
      `last third against the one before: RSS ${ratio(({ rss }) => rss)}, descriptors ` +
        `${ratio(({ descriptors }) => descriptors)}, p99 of match ` +
        ratio(({ window }) => window.percentile('match', 0.99)),
    );
}
