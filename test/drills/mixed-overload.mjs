// Gets, searches, aggregations and bulks at once, five times as many as the node can do: each kind keeps its share of
// the processor, refusals come at once, and afterwards everything is as it was, beside clients that dribble headers.
// Usage: node test/drills/mixed-overload.mjs [mix=all] [seconds=30] [times=5]
//   A kind's share: of the processor time that the node gets under overload, divided by the number of kinds of the mix,
//   or all that is asked of it if that is less. An answer counts as much as it costs when its kind is alone, so that
//   other programs on the machine change little. Times of refusals are also given in processor time of the node.
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { withLimit } from '../limits.mjs';
import { call, sleep, startNode } from '../node-process.mjs';
import { connect, greet, LATE_MS, requestBytes, summary } from './load.mjs';

const DOCUMENTS = 50_000;
const CONNECTIONS = 256;
const DRIBBLERS = 500;
const CLIENTS = 8;

const document = (i) => ({ k: `k${i % 500}`, n: i, t: `word${i % 97} more${i % 13} some${i % 1009}` });
const ndjson = (lines) => Buffer.from(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);

function bulkBytes(from, count) {
  const body = ndjson(Array.from({ length: count }, (_, i) => [{ index: {} }, document(from + i)]).flat());
  const head = `POST /written/_bulk HTTP/1.1\r\nhost: n\r\ncontent-type: application/x-ndjson\r\n`;
  return Buffer.concat([Buffer.from(`${head}content-length: ${body.length}\r\n\r\n`), body]);
}

const BULKS = Array.from({ length: 16 }, (_, i) => bulkBytes(i * 200, 200));
const search = (body) => requestBytes('POST', '/read/_search?request_cache=false', body);
const averages = { k: { terms: { field: 'k', size: 10 }, aggs: { n: { avg: { field: 'n' } } } } };
const msearch = (i) => {
  const body = ndjson(
    [1, 2, 3, 4, 5].flatMap((j) => [{ index: 'read' }, { query: { match: { t: `some${(i + j) % 1009}` } } }]),
  );
  const head = 'POST /_msearch HTTP/1.1\r\nhost: n\r\ncontent-type: application/x-ndjson\r\n';
  return Buffer.concat([Buffer.from(`${head}content-length: ${body.length}\r\n\r\n`), body]);
};

/** Requests of each kind: the bytes of the i-th. */
const KINDS = {
  get: (i) => requestBytes('GET', `/read/_doc/${(i * 7919) % DOCUMENTS}`),
  match: (i) => search({ query: { match: { t: `word${i % 97}` } } }),
  terms: (i) => search({ size: 0, query: { range: { n: { gte: i % 1000 } } }, aggs: averages }),
  bulk: (i) => BULKS[i % BULKS.length],
  msearch,
  cardinality: (i) =>
    search({ size: 0, query: { range: { n: { gte: i % 1000 } } }, aggs: { c: { cardinality: { field: 'n' } } } }),
};

/** How many requests of each kind there are in a mix. */
export const MIXES = {
  everything: { get: 8, match: 7, terms: 4, bulk: 1 },
  writes: { bulk: 14, get: 3, match: 3 },
  dashboards: { terms: 10, cardinality: 8, match: 2 },
  lookups: { get: 19, terms: 1 },
  batches: { msearch: 4, get: 14, bulk: 2 },
};

/** Endless requests of a mix, in an order that spreads the kinds: { kind, bytes }. */
function requestsOf(mix) {
  const total = Object.values(mix).reduce((sum, count) => sum + count, 0);
  const credit = new Map(Object.keys(mix).map((kind) => [kind, 0]));
  let i = 0;
  return () => {
    for (const [kind, count] of Object.entries(mix)) credit.set(kind, credit.get(kind) + count);
    const [kind] = [...credit].reduce((best, next) => (next[1] > best[1] ? next : best));
    credit.set(kind, credit.get(kind) - total);
    return { kind, bytes: KINDS[kind](i++) };
  };
}

const byKind = (mix, answers, seconds) =>
  Object.fromEntries(
    Object.keys(mix).map((kind) => [
      kind,
      summary(
        answers.filter((answer) => answer.kind === kind),
        seconds,
      ),
    ]),
  );

/** As fast as `clients` can that wait for each answer. */
async function closed(port, mix, clients, seconds) {
  const next = requestsOf(mix);
  const end = performance.now() + seconds * 1000;
  const answers = [];
  const run = async () => {
    const client = connect(port);
    while (performance.now() < end) {
      const { kind, bytes } = next();
      answers.push({ kind, ...(await client.send(bytes)) });
    }
    client.close();
  };
  const all = Promise.all(Array.from({ length: clients }, run));
  await withLimit(all, `answers of ${Object.keys(mix)}`, seconds * 1000 + LATE_MS);
  return { all: summary(answers, seconds), kinds: byKind(mix, answers, seconds) };
}

/**
 * So many requests a second whatever becomes of them; what finds no free connection is not sent. Each kind has its own
 * connections, as applications have: clients that wait for slow answers do not hold back those of another kind.
 */
async function open(port, mix, perSecond, seconds, connections) {
  const total = Object.values(mix).reduce((sum, count) => sum + count, 0);
  const idle = {};
  for (const [kind, count] of Object.entries(mix)) {
    idle[kind] = Array.from({ length: Math.ceil((connections * count) / total) }, () => connect(port));
    await greet(idle[kind]);
  }
  const next = requestsOf(mix);
  const [answers, running] = [[], new Set()];
  const start = performance.now();
  let [sent, unsent] = [0, 0];
  const fire = () => {
    const { kind, bytes } = next();
    const client = idle[kind].pop();
    if (client === undefined) return void unsent++;
    const done = client.send(bytes).then((answer) => {
      answers.push({ kind, ...answer });
      running.delete(done);
      idle[kind].push(client.isOpen ? client : connect(port));
    });
    running.add(done);
  };
  for (let elapsed = 0; elapsed < seconds; elapsed = (performance.now() - start) / 1000) {
    for (; sent < elapsed * perSecond; sent++) fire();
    await sleep(2);
  }
  const inTime = answers.slice();
  await Promise.race([Promise.all(running), sleep(10_000)]);
  for (const client of Object.values(idle).flat()) client.close();
  return { all: summary(inTime, seconds), kinds: byKind(mix, inTime, seconds), sent, unsent };
}

/** Connections that send a byte of their headers each half second. */
function dribble(port, count) {
  const head = `GET / HTTP/1.1\r\nhost: n\r\nx-slow: ${'x'.repeat(200)}`;
  const sockets = Array.from({ length: count }, () => net.connect(port, '127.0.0.1').on('error', () => undefined));
  let at = 0;
  const timer = setInterval(() => {
    for (const socket of sockets) if (!socket.destroyed) socket.write(head[at % head.length]);
    at++;
  }, 500);
  return () => {
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
  };
}

async function fill(node) {
  const settings = { number_of_shards: 1, number_of_replicas: 0 };
  const properties = { k: { type: 'keyword' }, n: { type: 'long' }, t: { type: 'text' } };
  for (const index of ['read', 'written']) await call(node, 'PUT', `/${index}`, { settings, mappings: { properties } });
  for (let from = 0; from < DOCUMENTS; from += 5000) {
    const lines = Array.from({ length: 5000 }, (_, i) => [{ index: { _id: String(from + i) } }, document(from + i)]);
    const { body } = await call(node, 'POST', '/read/_bulk', ndjson(lines.flat()).toString());
    if (body.errors) throw new Error('the documents were not indexed');
  }
  await call(node, 'POST', '/read/_flush');
  await call(node, 'POST', '/read/_refresh');
}

/** Seconds of processor that a process has taken. */
function processorSeconds(pid) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Seconds that each kind of work has used of the node's main thread, by the node's own account. */
async function workSeconds(node) {
  const { body } = await call(node, 'GET', '/_prometheus/metrics');
  const lines = body.matchAll(/^shoal_work_seconds_total\{kind="(\w+)"\} (\S+)$/gm);
  return new Map([...lines].map(([, kind, seconds]) => [kind, Number(seconds)]));
}

/** At most so many answers of a kind within so long: until then the engine of the language still compiles. */
const WARM_ANSWERS = 1000;

async function warm(port, kind, seconds) {
  const client = connect(port);
  const end = performance.now() + 1000 * seconds;
  for (let i = 0; i < WARM_ANSWERS && performance.now() < end; i++) await client.send(KINDS[kind](i));
  client.close();
}

/** What each kind does alone: { perSecond, costS }, the processor seconds of an answer. */
async function measureAlone(node, kinds, seconds, warmSeconds) {
  const alone = {};
  for (const kind of kinds) {
    await warm(node.port, kind, warmSeconds);
    const before = processorSeconds(node.pid);
    const { all } = await closed(node.port, { [kind]: 1 }, CLIENTS, seconds);
    const costS = (processorSeconds(node.pid) - before) / (all.goodPerSecond * seconds);
    alone[kind] = { perSecond: all.goodPerSecond, costS };
  }
  return alone;
}

/** Runs `load` and adds the processors that the node got and, of its own account, the share of each kind of work. */
async function accounted(node, seconds, load) {
  const [used, before] = [processorSeconds(node.pid), await workSeconds(node)];
  const figures = await load();
  const processors = (processorSeconds(node.pid) - used) / seconds;
  const after = await workSeconds(node);
  const work = [...after].map(([kind, at]) => [kind, (at - (before.get(kind) ?? 0)) / seconds / processors]);
  return { ...figures, processors, work: Object.fromEntries(work) };
}

/** Prints a kind's figures under overload; returns its share. */
function shareOf(name, kind, { alone, over, asked, kinds, times, print }) {
  const { goodPerSecond, goodP50, goodP99, refusedP99, others } = over.kinds[kind];
  const { perSecond, costS } = alone[kind];
  const share = (goodPerSecond * costS) / Math.min(asked * costS, over.processors / kinds);
  print(
    `${name} ${kind}: alone ${perSecond.toFixed(0)}/s at ${(1000 * costS).toFixed(2)} ms, at ${times}x ` +
      `${goodPerSecond.toFixed(0)}/s of ${asked.toFixed(0)} = ${(100 * share).toFixed(0)} % of its share; answered ` +
      `p50 ${goodP50.toFixed(0)} p99 ${goodP99.toFixed(0)} ms, refused p99 ${refusedP99.toFixed(0)}, failed ${others}`,
  );
  return share;
}

/** Prints a mix's figures under overload. */
function printWhole(name, { peak, over, times, print }) {
  const { all, processors, work } = over;
  const { goodPerSecond, refusedPerSecond, refusedP50, refusedP99 } = all;
  const parts = Object.entries(work).map(([kind, part]) => `${kind} ${(100 * part).toFixed(0)} %`);
  print(
    `${name}: peak ${peak.all.goodPerSecond.toFixed(0)}/s; of ${times}x ${goodPerSecond.toFixed(0)}/s answered and ` +
      `${refusedPerSecond.toFixed(0)} refused (p50 ${refusedP50.toFixed(0)}, p99 ${refusedP99.toFixed(0)} ms, of the ` +
      `processor ${(refusedP99 * processors).toFixed(0)} ms) by ${processors.toFixed(2)} processors; work ` +
      `${parts.join(', ')}; ${over.unsent} of ${over.sent} found no connection; load of the machine ` +
      os.loadavg()[0].toFixed(1),
  );
}

/**
 * What each kind does alone, its share of the mix under overload, and how the mix does afterwards. `asks`: what is
 * asked of each kind, as a part of the processor time that the node gets.
 */
async function measure(node, name, { seconds, times, print, calmSeconds = 3, warmSeconds = 10 }) {
  const mix = MIXES[name];
  const kinds = Object.keys(mix);
  const total = Object.values(mix).reduce((sum, count) => sum + count, 0);
  const alone = await measureAlone(node, kinds, calmSeconds / 2, warmSeconds);
  const peak = await closed(node.port, mix, 32, calmSeconds);
  const perSecond = peak.all.goodPerSecond * times;
  const over = await accounted(node, seconds, () => open(node.port, mix, perSecond, seconds, CONNECTIONS));
  const shares = {};
  const asks = {};
  for (const kind of kinds) {
    const asked = (perSecond * mix[kind]) / total;
    asks[kind] = (asked * alone[kind].costS) / over.processors;
    shares[kind] = shareOf(name, kind, { alone, over, asked, kinds: kinds.length, times, print });
  }
  const stop = dribble(node.port, DRIBBLERS);
  await sleep(1000);
  const half = (forSeconds) => open(node.port, mix, peak.all.goodPerSecond / 2, forSeconds, CONNECTIONS);
  const after = await half(Math.max(calmSeconds, seconds / 3));
  stop();
  const calm = await half(calmSeconds);
  for (const [when, figures] of [
    [`half the load beside ${DRIBBLERS} that dribble`, after],
    ['half the load', calm],
  ])
    print(
      `${name} ${when}: p50 ${figures.all.goodP50.toFixed(1)} p99 ${figures.all.goodP99.toFixed(0)} ms, refused ` +
        `${figures.all.refusedPerSecond.toFixed(1)}/s, failed ${figures.all.others}, unsent ${figures.unsent}`,
    );
  printWhole(name, { peak, over, times, print });
  return { shares, asks, peak, over, after, calm };
}

/** Runs the mixes on a node of its own; returns what was measured, by mix. */
export async function mixedOverload({ mixes, print = () => undefined, ...options }) {
  const node = await startNode({ settings: { 'memory.limit': '512mb' } });
  try {
    await fill(node);
    const measured = {};
    for (const name of mixes) measured[name] = await measure(node, name, { ...options, print });
    return measured;
  } finally {
    await node.stop();
    fs.rmSync(node.data, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [mix = 'all', seconds = '30', times = '5'] = process.argv.slice(2);
  await mixedOverload({
    mixes: mix === 'all' ? Object.keys(MIXES) : mix.split(','),
    seconds: Number(seconds),
    times: Number(times),
    print: (line) => process.stdout.write(`${line}\n`),
  });
}
