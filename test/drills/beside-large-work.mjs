// node test/drills/beside-large-work.mjs [--scale 1] [--only NAME] [--processors N]
// Whether a node answers about itself while it does the largest things that clients ask for: `GET /` and
// `_cluster/health` each 20 ms beside bulks of 10,000, a terms aggregation, a scroll of everything, a merge of all
// segments and 100 MB of JSON. A line each: percentiles of both calls, and how many of them took over 20 and 100 ms.
// Beside the clock's times stand the share of the processors that the node got, because what others take is not its
// fault, and the longest stretches of processor time by kind of work, as far as they are longer than those before:
// however busy the machine is, they tell how long a call waits for the thread.
// Scale 1 has 2 million documents; --scale 0.1 a tenth of all.
import fs from 'node:fs';
import http from 'node:http';
import { parseArgs } from 'node:util';
import { call, sleep, startNode } from '../node-process.mjs';
import { cpuSeconds } from '../bench/processes.mjs';

const { values } = parseArgs({
  options: {
    scale: { type: 'string', default: '1' },
    only: { type: 'string' },
    processors: { type: 'string' },
  },
});
const scale = Number(values.scale);
const DOCS = Math.round(2_000_000 * scale);
const BATCH = 10_000;
const JSON_BYTES = Math.round(100e6 * scale);
const EVERY_MS = 20;

const node = await startNode({ settings: values.processors ? { 'node.processors': values.processors } : {} });
const agent = new http.Agent({ keepAlive: true });

/** Milliseconds until a call is answered. */
const timed = (path) =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    const request = http.get({ host: '127.0.0.1', port: node.port, path, agent }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(performance.now() - began));
    });
    request.on('error', reject);
  });

/** Asks each 20 ms, one call of a kind at a time, until `stop`, which returns what they took. */
function watch() {
  const took = { '/': [], '/_cluster/health': [] };
  let isOver = false;
  const ask = async (path) => {
    while (!isOver) {
      const ms = await timed(path);
      took[path].push(ms);
      if (ms < EVERY_MS) await sleep(EVERY_MS - ms);
    }
  };
  const asking = Object.keys(took).map(ask);
  return async () => {
    isOver = true;
    await Promise.all(asking);
    return took;
  };
}

function percentiles(list) {
  const sorted = list.sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(1);
  const over = (ms) => list.filter((one) => one > ms).length;
  return `${list.length} | ${at(0.5)} | ${at(0.99)} | ${at(1)} | ${over(20)} | ${over(100)}`;
}

const longest = new Map();

/** The longest stretches of the main thread by kind of work, in milliseconds, that are longer than those before. */
async function longerStretches() {
  const { body } = await call(node, 'GET', '/_prometheus/metrics');
  const found = [...String(body).matchAll(/^shoal_work_longest_seconds\{kind="(\w+)"\} (\S+)/gm)].map(
    ([, kind, seconds]) => [kind, 1_000 * Number(seconds)],
  );
  const longer = found.filter(([kind, ms]) => ms > (longest.get(kind) ?? 0));
  for (const [kind, ms] of longer) longest.set(kind, ms);
  return longer.map(([kind, ms]) => `${kind} ${ms.toFixed(1)}`).join(', ') || 'none longer';
}

async function beside(name, work) {
  if (values.only && values.only !== name) return;
  const cpuBefore = cpuSeconds(node.pid);
  const began = performance.now();
  const stop = watch();
  const status = await work();
  const took = await stop();
  const seconds = (performance.now() - began) / 1_000;
  const share = (cpuSeconds(node.pid) - cpuBefore) / seconds;
  const stretches = await longerStretches();
  for (const [path, list] of Object.entries(took)) {
    const line = [
      `${name} (${status})`,
      `${seconds.toFixed(1)} s`,
      share.toFixed(2),
      path,
      percentiles(list),
      stretches,
    ];
    process.stdout.write(`${line.join(' | ')}\n`);
  }
}

const line = (i) => `{"index":{}}\n{"t":"word${i % 977} word${i % 13}","key":"k${i % 50_000}","n":${i}}\n`;

async function fill() {
  let status = 200;
  for (let from = 0; from < DOCS; from += BATCH) {
    const lines = Array.from({ length: Math.min(BATCH, DOCS - from) }, (_, i) => line(from + i));
    const { body } = await call(node, 'POST', '/all/_bulk?filter_path=errors', lines.join(''));
    if (body.errors) status = 500;
  }
  await call(node, 'POST', '/all/_refresh');
  return status;
}

async function scrollAll() {
  let { status, body } = await call(node, 'POST', '/all/_search?scroll=1m', { size: 10_000, sort: ['_doc'] });
  while (status === 200 && body.hits.hits.length > 0)
    ({ status, body } = await call(node, 'POST', '/_search/scroll', { scroll: '1m', scroll_id: body._scroll_id }));
  await call(node, 'DELETE', '/_search/scroll', { scroll_id: body._scroll_id });
  return status;
}

const terms = { size: 0, aggs: { k: { terms: { field: 'key', size: 100 }, aggs: { n: { avg: { field: 'n' } } } } } };
const large = () =>
  `{"query":{"match":{"t":"${'a'.repeat(90)}"}},"x":[${'"some text of it",'.repeat(JSON_BYTES / 18)}1]}`;

try {
  const properties = { t: { type: 'text' }, key: { type: 'keyword' }, n: { type: 'long' } };
  await call(node, 'PUT', '/all', { settings: { number_of_replicas: 0 }, mappings: { properties } });
  process.stdout.write(
    'work | took | cores | call | calls | p50 ms | p99 | most | over 20 | over 100 | stretches ms\n',
  );
  await beside('nothing', () => sleep(5_000).then(() => 200));
  await beside(`bulks of ${BATCH}`, fill);
  if (values.only) await fill();
  await beside('terms', async () => {
    let status = 0;
    for (let i = 0; i < 5; i++) ({ status } = await call(node, 'POST', '/all/_search?request_cache=false', terms));
    return status;
  });
  await beside('scroll', scrollAll);
  await beside('merge', async () => (await call(node, 'POST', '/all/_forcemerge?max_num_segments=1')).status);
  const body = large();
  await beside('json', async () => {
    let status = 0;
    for (const path of ['/all/_search', '/all/_doc', '/_bulk', '/all/_mapping'])
      ({ status } = await call(node, path.endsWith('mapping') ? 'PUT' : 'POST', path, body));
    return status;
  });
} finally {
  agent.destroy();
  await node.stop();
  fs.rmSync(node.data, { recursive: true, force: true });
}
