// Searches for nearest vectors over HTTP: what they take with filters, in a sum with a text query, by reciprocal ranks,
// of passages, by a script and with an aggregation, while documents with vectors are written, and what `GET /` takes
// while a graph is made.
// Usage: node test/bench/nearest.mjs [count=50000] [dims=100] [shards=1] [type=hnsw|int8_hnsw] [file=FILE]
//   [steps=write,left,merge,ask] [rounds=2] [only=NAME] [url= pid=]
// Without a URL it starts a node with 512 MB; with one it takes that server, 8.12 for instance, where `steps` may be
// run one after another. Processor time is that of the server's process, if its pid is known. FILE has rows of 32-bit
// floats, little endian, of which the last are the queries; without it vectors are made, and documents have passages.
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

/** Documents with made vectors, two passages each. */
function madeVectors(dims) {
  const vectorOf = vectorsOf(dims);
  return {
    ofDocument: vectorOf,
    ofQuery: (i) => vectorOf(10_000_000 + i),
    passages: (i) => ({ p: [{ v: vectorOf(i) }, { v: vectorOf(20_000_000 + i) }] }),
  };
}

/** Documents with the vectors of a file. */
function filedVectors(file, dims) {
  const bytes = fs.readFileSync(file);
  const floats = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const first = floats.length / dims - QUERIES;
  const row = (i) => Array.from(floats.subarray(i * dims, (i + 1) * dims), (value) => Number(value.toFixed(5)));
  return { ofDocument: row, ofQuery: (i) => row(first + i), passages: () => ({}) };
}

const documentOf = (i, vectors) => ({
  v: vectors.ofDocument(i),
  ...vectors.passages(i),
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
  'knn, 20 candidates': (q) => ({ knn: nearest(q, { num_candidates: 20 }) }),
  'knn, 50 candidates': (q) => ({ knn: nearest(q, { num_candidates: 50 }) }),
  'knn, 100 candidates': (q) => ({ knn: nearest(q) }),
  'knn, 200 candidates': (q) => ({ knn: nearest(q, { num_candidates: 200 }) }),
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

async function write(port, from, to, vectors) {
  for (let i = from; i < to; i += BULK) {
    let body = '';
    for (let d = i; d < Math.min(i + BULK, to); d++)
      body += `{"index":{"_id":"${d}"}}\n${JSON.stringify(documentOf(d, vectors))}\n`;
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

/** Ids of the ten documents whose vectors have the largest cosine with a query's. */
function nearestIds(rows, dims, query) {
  const best = [];
  for (let i = 0; i < rows.length / dims; i++) {
    let dot = 0;
    for (let k = 0, at = i * dims; k < dims; k++) dot += rows[at + k] * query[k];
    if (best.length === 10 && dot <= best[9].dot) continue;
    best.splice(best.findLastIndex((one) => one.dot >= dot) + 1, 0, { dot, id: String(i) });
    best.length = Math.min(best.length, 10);
  }
  return best.map(({ id }) => id);
}

const scaled = (vector) => vector.map((value) => value / Math.hypot(...vector));

/** Share of the ten nearest that are found. */
async function recall(port, queries, { count, dims, vectors }) {
  const rows = new Float32Array(count * dims);
  for (let i = 0; i < count; i++) rows.set(scaled(vectors.ofDocument(i)), i * dims);
  const wanted = queries.map((query) => nearestIds(rows, dims, query));
  for (const num_candidates of [10, 20, 50, 100, 200]) {
    let found = 0;
    for (const [i, query] of queries.entries()) {
      const body = { _source: false, knn: nearest(query, { num_candidates }) };
      const { json } = await call(port, 'POST', '/nearest/_search', body);
      found += json.hits.hits.filter(({ _id }) => wanted[i].includes(_id)).length;
    }
    console.log(`recall of 10 with ${num_candidates} candidates: ${(found / queries.length / 10).toFixed(3)}`);
  }
}

async function makeIndex(port, { dims, shards, type }) {
  await call(port, 'DELETE', '/nearest');
  const v = { type: 'dense_vector', dims, index: true, similarity: 'cosine', index_options: { type } };
  const p = { type: 'nested', properties: { v } };
  const properties = { v, p, t: { type: 'text' }, k: { type: 'keyword' }, n: { type: 'integer' } };
  await call(port, 'PUT', '/nearest', {
    settings: { number_of_shards: shards, number_of_replicas: 0 },
    mappings: { properties },
  });
}

/** Writes all documents, half of them beside searches. */
async function writeAll({ port, pid }, queries, sizes) {
  await makeIndex(port, sizes);
  const { count, vectors } = sizes;
  const started = processorSeconds(pid);
  const half = Math.floor(count / 2);
  const asked = await beside(port, write(port, 0, half, vectors));
  console.log(`GET / while bulks of ${BULK} are written: ${quantiles(asked)}`);
  let isWritten = false;
  const writing = write(port, half, count, vectors).finally(() => (isWritten = true));
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
}

/** Searches the segments that bulks left, once merges that they began have ended. */
async function searchLeft(server, queries) {
  const { port } = server;
  for (;;) {
    const { json } = await call(port, 'GET', '/nearest/_stats/merge');
    if (json._all.primaries.merges.current === 0) break;
    await sleep(200);
  }
  const { json } = await call(port, 'GET', '/_cat/segments/nearest?format=json');
  console.log(`as bulks left it: segments of ${json.map((segment) => segment['docs.count']).join(', ')} documents`);
  for (const name of ['knn, 100 candidates', 'knn, filter of 5 %']) await measure(server, name, queries);
}

async function mergeAll({ port, pid }) {
  const merging = processorSeconds(pid);
  const roots = await beside(port, call(port, 'POST', '/nearest/_forcemerge?max_num_segments=1'));
  console.log(
    `merged to one segment: CPU s ${shown(processorSeconds(pid) - merging)}, RSS MB ${shown(residentMb(pid))}`,
  );
  console.log(`GET / meanwhile: ${roots.length}, ${quantiles(roots)}`);
  const stats = await call(port, 'GET', '/nearest/_stats/store');
  console.log(`on disk: MB ${shown(stats.json._all.primaries.store.size_in_bytes / 1e6)}`);
}

async function ask(server, queries, sizes) {
  const names = Object.keys(OPERATIONS)
    .filter((name) => sizes.file === undefined || !name.includes('passages'))
    .filter((name) => name.includes(sizes.only));
  for (let round = 0; round < sizes.rounds; round++) for (const name of names) await measure(server, name, queries);
  await recall(server.port, queries, sizes);
  console.log(`RSS MB ${shown(residentMb(server.pid))}`);
}

const STEPS = { write: writeAll, left: searchLeft, merge: mergeAll, ask };

async function run(server, sizes) {
  const queries = Array.from({ length: QUERIES }, (_, i) => sizes.vectors.ofQuery(i));
  for (const step of sizes.steps) await STEPS[step](server, queries, sizes);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const given = Object.fromEntries(process.argv.slice(2).map((argument) => argument.split(/=(.*)/s)));
  const { file, type = 'hnsw', steps = 'write,left,merge,ask', only = '' } = given;
  const dims = Number(given.dims ?? 100);
  const sizes = {
    count: Number(given.count ?? 50_000),
    dims,
    shards: Number(given.shards ?? 1),
    type,
    file,
    only,
    steps: steps.split(','),
    rounds: Number(given.rounds ?? 2),
    vectors: file === undefined ? madeVectors(dims) : filedVectors(file, dims),
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
