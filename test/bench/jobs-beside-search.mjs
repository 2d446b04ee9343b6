// What real-time anomaly detection costs those who search beside it: CPU of the process per search and p99, with jobs
// and without, while documents are written all the time. Four phases in turns: documents alone, with searches, with
// jobs, with both; the CPU of a search is that of a phase with searches less that of the phase without.
// Usage: node test/bench/jobs-beside-search.mjs [--jobs 8] [--seconds 15] [--rounds 2] [--rate 20] [--documents 200]
//   [--history 100000] [--port 9380]
//   --rate: searches a second; --documents: documents a second; --history: documents that are there before.
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { call, sleep, startNode } from '../node-process.mjs';
import { cpuSeconds } from './processes.mjs';

const options = {
  jobs: '8',
  seconds: '15',
  rounds: '2',
  rate: '20',
  documents: '200',
  history: '100000',
  port: '9380',
};
const { values } = parseArgs({
  options: Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, { type: 'string', default: value }]),
  ),
});
const [jobs, seconds, rounds, rate, documents, history, port] = Object.keys(options).map((name) =>
  Number(values[name]),
);
const PIECE = 5000;
const PATHS = ['/', '/search', '/basket', '/login', '/item', '/pay', '/api/v1/items', '/api/v1/users'];

const node = await startNode({ settings: { 'http.port': port } });
const ok = async (method, path, body) => {
  const answer = await call(node, method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};

let state = 1;
const random = (n) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % n;

/** A line of an access log. */
const documentAt = (timeMs) => ({
  '@timestamp': timeMs,
  host: `web-${random(12)}`,
  status: [200, 200, 200, 304, 404, 500][random(6)],
  took: 20 + random(400),
  bytes: random(60_000),
  message: `GET ${PATHS[random(8)]} ${random(100_000)} from 10.0.${random(9)}.${random(250)}`,
});

async function index(count, timeOf) {
  for (let from = 0; from < count; from += PIECE) {
    const piece = Array.from({ length: Math.min(PIECE, count - from) }, (_, i) => documentAt(timeOf(from + i)));
    const { errors } = await ok(
      'POST',
      '/logs/_bulk',
      piece.map((doc) => `{"index":{}}\n${JSON.stringify(doc)}\n`).join(''),
    );
    assert.equal(errors, false);
  }
}

const SEARCHES = [
  () => ({ query: { match: { message: PATHS[random(8)].slice(1) || 'from' } } }),
  () => ({ size: 0, query: { term: { host: `web-${random(12)}` } }, aggs: { s: { terms: { field: 'status' } } } }),
  () => ({
    size: 0,
    query: { range: { '@timestamp': { gte: 'now-1h' } } },
    aggs: {
      t: { date_histogram: { field: '@timestamp', fixed_interval: '1m' }, aggs: { m: { avg: { field: 'took' } } } },
    },
  }),
  () => ({ size: 20, sort: [{ '@timestamp': 'desc' }], query: { range: { took: { gte: random(400) } } } }),
];

const DETECTORS = [
  [{ function: 'high_count' }],
  [{ function: 'count', partition_field_name: 'host' }],
  [{ function: 'mean', field_name: 'took', partition_field_name: 'host' }],
  [{ function: 'high_sum', field_name: 'bytes', over_field_name: 'host' }],
  [{ function: 'distinct_count', field_name: 'status', by_field_name: 'host' }],
  [{ function: 'max', field_name: 'took', by_field_name: 'status' }],
  [{ function: 'rare', by_field_name: 'status' }],
  [
    { function: 'varp', field_name: 'bytes' },
    { function: 'min', field_name: 'took' },
  ],
];

async function startJobs() {
  for (let i = 0; i < jobs; i++) {
    const id = `job-${i}`;
    await ok('PUT', `/_ml/anomaly_detectors/${id}`, {
      analysis_config: { bucket_span: '5s', detectors: DETECTORS[i % DETECTORS.length], influencers: ['host'] },
      data_description: { time_field: '@timestamp' },
      datafeed_config: { datafeed_id: id, indices: ['logs'], query_delay: '2s', frequency: '5s' },
    });
    await ok('POST', `/_ml/anomaly_detectors/${id}/_open`);
    await ok('POST', `/_ml/datafeeds/${id}/_start?start=${Date.now()}`);
  }
}

async function stopJobs() {
  for (let i = 0; i < jobs; i++) {
    await ok('POST', `/_ml/datafeeds/job-${i}/_stop`);
    await ok('POST', `/_ml/anomaly_detectors/job-${i}/_close`);
    await ok('DELETE', `/_ml/anomaly_detectors/job-${i}?force=true`);
  }
}

/** Calls `work` so many times a second, whether the last call has ended or not; returns how long each took. */
async function paced(perSecond, work) {
  const took = [];
  const calls = [];
  const start = performance.now();
  for (let i = 0; i < seconds * perSecond; i++) {
    await sleep(Math.max(0, start + (i * 1000) / perSecond - performance.now()));
    const at = performance.now();
    calls.push(work(i).then(() => took.push(performance.now() - at)));
  }
  await Promise.all(calls);
  return took;
}

async function phase(searches) {
  const before = cpuSeconds(node.pid);
  const [took] = await Promise.all([
    searches
      ? paced(rate, (i) => ok('POST', '/logs/_search?request_cache=false', SEARCHES[i % SEARCHES.length]()))
      : [],
    paced(2, () => index(documents / 2, () => Date.now())),
  ]);
  return { cpu: cpuSeconds(node.pid) - before, took };
}

const p99 = (took) => took.toSorted((a, b) => a - b)[Math.floor(0.99 * took.length)];
const total = { without: { cpu: 0, took: [] }, with: { cpu: 0, took: [] } };
try {
  const properties = Object.fromEntries(
    Object.entries({ '@timestamp': 'date', host: 'keyword', status: 'integer', took: 'integer', bytes: 'long' }).map(
      ([name, type]) => [name, { type }],
    ),
  );
  await ok('PUT', '/logs', { mappings: { properties }, settings: { number_of_shards: 1, number_of_replicas: 0 } });
  const nowMs = Date.now();
  await index(history, (i) => nowMs - (history - i) * 30);
  await ok('POST', '/logs/_refresh');
  await phase(true);
  for (let round = 0; round < rounds; round++)
    for (const kind of ['without', 'with']) {
      if (kind === 'with') await startJobs();
      const alone = await phase(false);
      const { cpu, took } = await phase(true);
      total[kind].cpu += cpu - alone.cpu;
      total[kind].took.push(...took);
      process.stdout.write(
        `${kind} jobs: documents alone ${alone.cpu.toFixed(2)} CPU s, with searches ${cpu.toFixed(2)}, ` +
          `p99 ${p99(took).toFixed(1)} ms\n`,
      );
      if (kind !== 'with') continue;
      const { jobs: opened } = await ok('GET', '/_ml/anomaly_detectors/_all/_stats');
      const counted = opened.map(({ data_counts: counts }) => counts.processed_record_count);
      process.stdout.write(`documents that the jobs have: ${counted.join(', ')}\n`);
      await stopJobs();
    }
  const shown = (kind) => (1000 * total[kind].cpu) / total[kind].took.length;
  process.stdout.write(
    `CPU ms a search: ${shown('without').toFixed(2)} without jobs, ${shown('with').toFixed(2)} with; ` +
      `p99 ${p99(total.without.took).toFixed(1)} and ${p99(total.with.took).toFixed(1)} ms ` +
      `(${(p99(total.with.took) / p99(total.without.took)).toFixed(2)} times), ` +
      `${total.with.took.length} searches each\n`,
  );
} finally {
  await node.stop();
}
