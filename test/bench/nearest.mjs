// Searches for nearest vectors over HTTP: what they take with filters, in a sum with a text query, by reciprocal ranks,
// of passages, by a script and with an aggregation, while documents with vectors are written, and what `GET /` takes
// while a graph is made.
// Usage: node test/bench/nearest.mjs [count=50000] [dims=100] [shards=1] [type=hnsw|int8_hnsw] [url= pid=]
// Without a URL it starts a node with 512 MB; with one it takes that server, 8.12 for instance. Processor time is that
// of the server's process, if its pid is known.
import fs from 'node:fs';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { sleep, startNode } from '../node-process.mjs';

const BULK = 64;
const QUERIES = 200;
const CENTRES = 500;
const WORDS = [
  'amber',
  'birch',
  'cedar',
  'delta',
  'ember',
  'fjord',
  'grove',
  'heath',
  'inlet',
  'jetty',
  'knoll',
  'lagoon',
];
const agent = new http.Agent({ keepAlive: true });
export const closeConnections = () => agent.destroy();

/** Sends one request over a kept connection; returns status and JSON. */
export function call(port, method, path, body = null) {
  const text = body === null ? null : typeof body === 'string' ? body : JSON.stringify(body);
  const headers =
    text === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () => resolve({ status: answer.statusCode, json: JSON.parse(Buffer.concat(parts).toString()) }));
    });
    request.on('error', reject);
    request.end(text);
  });
}

export function randomOf(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
}

/** Vectors around centres, as those of texts about some subjects; the same numbers give the same vectors. */
function vectorsOf(dims) {
  const random = randomOf(7);
  const centres = Array.from({ length: CENTRES }, () => Array.from({ length: dims }, () => random() - 0.5));
  return (i) => {
    const own = randomOf(Math.imul(i + 1, 0x9e3779b1));
    const centre = centres[Math.floor(own() * CENTRES)];
    return centre.map((value) => Math.fround(value + 1.6 * (own() - 0.5)));
  };
}

const documentOf = (i, vectorOf) => ({
  v: vectorOf(i),
  p: [{ v: vectorOf(i) }, { v: vectorOf(20_000_000 + i) }],
  t: `${WORDS[i % 12]} ${WORDS[(i * 7) % 11]} ${WORDS[(i * 5) % 9]}`,
  k: `k${i % 20}`,
  n: (Math.imul(i + 1, 0x9e3779b1) >>> 8) % 1000,
});

export const processorSeconds = (pid) => {
  if (pid === null) return Number.NaN;
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
};
export const residentMb = (pid) =>
  pid === null ? Number.NaN : Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
const quantile = (values, share) => values.sort((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? Number.NaN;
const quantiles = (ms) => `p50 ${shown(quantile(ms, 0.5))} p99 ${shown(quantile(ms, 0.99))} ms`;
export const shown = (value) => (Number.isNaN(value) ? '-' : value.toFixed(2));

const nearest = (query_vector, more = {}) => ({ field: 'v', query_vector, k: 10, num_candidates: 100, ...more });
const below = (share) => ({ filter: { range: { n: { lt: 1000 * share } } } });
const text = { match: { t: 'amber birch' } };

/** Bodies of the measured requests, by name. */
const OPERATIONS = {
  'knn, 10 candidates': (q) => ({ knn: nearest(q, { num_candidates: 10 }) }),
  'knn, 50 candidates': (q) => ({ knn: nearest(q, { num_candidates: 50 }) }),
  'knn, 100 candidates': (q) => ({ knn: nearest(q) }),
  'knn, filter of 50 %': (q) => ({ knn: nearest(q, below(0.5)) }),
  'knn, filter of 5 %': (q) => ({ knn: nearest(q, below(0.05)) }),
  'knn, filter of 0.5 %': (q) => ({ knn: nearest(q, below(0.005)) }),
  'knn query in a bool': (q) => ({
    query: { bool: { should: [{ knn: { field: 'v', query_vector: q, num_candidates: 50 } }, text] } },
  }),
  'sum with a match': (q) => ({ knn: nearest(q), query: text }),
  'two knn and a match': (q) => ({ knn: [nearest(q), nearest([...q].reverse(), { boost: 0.5 })], query: text }),
  'reciprocal ranks with a match': (q) => ({ knn: nearest(q), query: text, rank: { rrf: { window_size: 50 } } }),
  'reciprocal ranks, second page': (q) => ({
    knn: nearest(q),
    query: text,
    rank: { rrf: { window_size: 50 } },
    from: 10,
    size: 10,
  }),
  'knn of passages': (q) => ({ knn: nearest(q, { field: 'p.v' }) }),
  'script_score of a tenth': (q) => ({
    query: {
      script_score: {
        query: { range: { n: { lt: 100 } } },
        script: { source: "cosineSimilarity(params.q, 'v') + 1.0", params: { q } },
      },
    },
  }),
  'knn and terms': (q) => ({ knn: nearest(q, { k: 100 }), aggs: { k: { terms: { field: 'k' } } } }),
};

async function write(port, from, to, vectorOf) {
  for (let i = from; i < to; i += BULK) {
    let body = '';
    for (let d = i; d < Math.min(i + BULK, to); d++)
      body += `{"index":{"_id":"${d}"}}\n${JSON.stringify(documentOf(d, vectorOf))}\n`;
    const { status, json } = await call(port, 'POST', '/nearest/_bulk', body);
    if (status !== 200 || json.errors) throw new Error(`bulk: ${status} ${JSON.stringify(json).slice(0, 300)}`);
  }
}

/** Asks `GET /` until `work` is done; returns what the answers took, in ms. */
async function beside(port, work) {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  const took = [];
  while (!isDone) {
    const start = performance.now();
    await call(port, 'GET', '/');
    took.push(performance.now() - start);
    await sleep(5);
  }
  await done;
  return took;
}

async function measure({ port, pid }, name, queries) {
  const took = [];
  const before = processorSeconds(pid);
  for (const q of queries) {
    const start = performance.now();
    const { status, json } = await call(port, 'POST', '/nearest/_search', { _source: false, ...OPERATIONS[name](q) });
    if (status !== 200)
      return console.log(`${name}: ${status} ${json.error.root_cause?.[0]?.reason ?? json.error.reason}`);
    took.push(performance.now() - start);
  }
  const cpu = ((processorSeconds(pid) - before) * 1000) / queries.length;
  console.log(
    `${name}: CPU ms ${shown(cpu)}, median ms ${shown(quantile(took, 0.5))}, p99 ${shown(quantile(took, 0.99))}`,
  );
}

/** Share of the ten nearest that are found, for a server that compares all on demand. */
async function recall(port, queries) {
  const idsOf = ({ json }) => json.hits.hits.map(({ _id }) => _id);
  for (const num_candidates of [10, 50, 100]) {
    let found = 0;
    for (const q of queries) {
      const ask = (more) => call(port, 'POST', '/nearest/_search', { _source: false, knn: nearest(q, more) });
      const all = await ask({ exact: true });
      if (all.status !== 200) return;
      const ids = idsOf(await ask({ num_candidates }));
      found += idsOf(all).filter((id) => ids.includes(id)).length;
    }
    console.log(`recall of 10 with ${num_candidates} candidates: ${(found / queries.length / 10).toFixed(3)}`);
  }
}

async function run(server, { count, dims, shards, type }) {
  const { port, pid } = server;
  const vectorOf = vectorsOf(dims);
  const queries = Array.from({ length: QUERIES }, (_, i) => vectorOf(10_000_000 + i));
  await call(port, 'DELETE', '/nearest');
  const v = { type: 'dense_vector', dims, index: true, similarity: 'cosine', index_options: { type } };
  const p = { type: 'nested', properties: { v } };
  const properties = { v, p, t: { type: 'text' }, k: { type: 'keyword' }, n: { type: 'integer' } };
  await call(port, 'PUT', '/nearest', {
    settings: { number_of_shards: shards, number_of_replicas: 0 },
    mappings: { properties },
  });
  const started = processorSeconds(pid);
  const half = Math.floor(count / 2);
  const asked = await beside(port, write(port, 0, half, vectorOf));
  console.log(`GET / while bulks of ${BULK} are written: ${quantiles(asked)}`);
  let isWritten = false;
  const writing = write(port, half, count, vectorOf).finally(() => (isWritten = true));
  const took = [];
  for (let i = 0; !isWritten; i++) {
    const start = performance.now();
    await call(port, 'POST', '/nearest/_search', { _source: false, knn: nearest(queries[i % QUERIES]) });
    took.push(performance.now() - start);
  }
  await writing;
  console.log(`knn while bulks are written: ${took.length}, ${quantiles(took)}`);
  await call(port, 'POST', '/nearest/_refresh');
  console.log(
    `${count} documents written: CPU s ${shown(processorSeconds(pid) - started)}, RSS MB ${shown(residentMb(pid))}`,
  );
  for (const name of ['knn, 100 candidates', 'knn, filter of 5 %']) await measure(server, name, queries);
  const merging = processorSeconds(pid);
  const roots = await beside(port, call(port, 'POST', '/nearest/_forcemerge?max_num_segments=1'));
  console.log(
    `merged to one segment: CPU s ${shown(processorSeconds(pid) - merging)}, RSS MB ${shown(residentMb(pid))}`,
  );
  console.log(`GET / meanwhile: ${roots.length}, ${quantiles(roots)}`);
  const stats = await call(port, 'GET', '/nearest/_stats/store');
  console.log(`on disk: MB ${shown(stats.json._all.primaries.store.size_in_bytes / 1e6)}`);
  for (let round = 0; round < 2; round++)
    for (const name of Object.keys(OPERATIONS)) await measure(server, name, queries);
  await recall(port, queries);
  console.log(`RSS MB ${shown(residentMb(pid))}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const given = Object.fromEntries(process.argv.slice(2).map((argument) => argument.split(/=(.*)/s)));
  const sizes = {
    count: Number(given.count ?? 50_000),
    dims: Number(given.dims ?? 100),
    shards: Number(given.shards ?? 1),
    type: given.type ?? 'hnsw',
  };
  if (given.url !== undefined) {
    const pid = given.pid === undefined ? null : Number(given.pid);
    await run({ port: Number(new URL(given.url).port), pid }, sizes);
  } else {
    const node = await startNode({ settings: { 'memory.limit': '512mb' } });
    await run({ port: node.port, pid: node.pid }, sizes);
    await node.stop();
  }
  closeConnections();
}
