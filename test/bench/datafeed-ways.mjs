// A datafeed that reads history from columns beside one that reads documents one by one: documents a second of wall
// clock and of processor time, and whether both give the same buckets, records and influencers. Sums are the same to
// the last bit; variances, whose squares are added in another order, and what follows from them may differ in the last
// digits.
// Usage: node test/bench/datafeed-ways.mjs [--documents 60000] [--seconds 10] [--shards 2] [--ties] [--simple]
//   [--hosts 24] [--addresses 600] [--columns-only] [--port 9380] [--seed 1]
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { call, sleep, startNode } from '../node-process.mjs';
import { cpuSeconds } from './processes.mjs';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '60000' },
    seconds: { type: 'string', default: '10' },
    shards: { type: 'string', default: '2' },
    port: { type: 'string', default: '9380' },
    seed: { type: 'string', default: '1' },
    ties: { type: 'boolean', default: false },
    hosts: { type: 'string', default: '24' },
    addresses: { type: 'string', default: '600' },
    simple: { type: 'boolean', default: false },
    'columns-only': { type: 'boolean', default: false },
  },
});
const [documents, apartS, shards] = [values.documents, values.seconds, values.shards].map(Number);
const [hosts, addresses] = [values.hosts, values.addresses].map(Number);
const START_MS = Date.UTC(2024, 0, 1);
const PIECE = 5000;
/** What follows from the clock, or from the name of the job. */
const NOT_OF_DATA = new Set(['job_id', 'processing_time_ms', 'log_time', 'last_data_time', 'input_bytes']);

const node = await startNode({ settings: { 'http.port': Number(values.port) } });
const ok = async (method, path, body) => {
  const answer = await call(node, method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};

let state = Number(values.seed) >>> 0;
const random = (n) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % n;

/** A request of a service: several may have one millisecond, some lack a value, now and then a host is slow. */
function documentOf(i) {
  const host = random(hosts);
  const isSlow = random(2000) === 0 || (i > documents * 0.7 && i < documents * 0.7 + 400 && host === 3);
  const own = {
    at: START_MS + (values.ties ? i - (i % 2) : i) * apartS * 1000,
    host: `h${host}`,
    code: 200 + 100 * (random(40) === 0 ? 3 : random(2)),
    ip: `10.0.${random(3)}.${random(addresses / 3)}`,
  };
  if (random(11) > 0) own.ms = (random(9700) + (isSlow ? 90_000 : 0)) / 100;
  return own;
}

const detectors = values.simple
  ? [{ function: 'count' }, { function: 'mean', field_name: 'ms' }, { function: 'sum', field_name: 'ms' }]
  : [
      { function: 'count' },
      ...['mean', 'min', 'max', 'sum', 'varp'].map((name) => ({
        function: name,
        field_name: 'ms',
        by_field_name: 'host',
      })),
      { function: 'high_mean', field_name: 'ms', partition_field_name: 'code' },
      { function: 'distinct_count', field_name: 'ip', partition_field_name: 'host' },
      { function: 'rare', by_field_name: 'ip' },
      { function: 'high_count', over_field_name: 'ip' },
    ];
const analysis_config = { bucket_span: '15m', detectors, influencers: values.simple ? [] : ['host', 'ip'] };

async function feed(id, runtime_mappings) {
  const datafeed_config = { datafeed_id: id, indices: ['requests'], runtime_mappings };
  await ok('PUT', `/_ml/anomaly_detectors/${id}`, {
    analysis_config,
    data_description: { time_field: 'at' },
    datafeed_config,
  });
  await ok('POST', `/_ml/anomaly_detectors/${id}/_open`);
  const [cpuBefore, startedMs] = [cpuSeconds(node.pid), performance.now()];
  await ok('POST', `/_ml/datafeeds/${id}/_start?end=${START_MS + (documents + 1) * apartS * 1000}`);
  let reading;
  for (;;) {
    const { state: fed, reading: by } = (await ok('GET', `/_ml/datafeeds/${id}/_stats`)).datafeeds[0];
    reading = by ?? reading;
    const { state: opened, data_counts: counts } = (await ok('GET', `/_ml/anomaly_detectors/${id}/_stats`)).jobs[0];
    if (fed === 'stopped' && opened === 'closed') {
      const [cpu, seconds] = [cpuSeconds(node.pid) - cpuBefore, (performance.now() - startedMs) / 1000];
      console.log(
        `${id}: read by ${reading?.history ?? '?'}${reading?.why === undefined ? '' : ` (${reading.why})`}, ` +
          `${counts.processed_record_count} documents, ${(documents / cpu / 1000).toFixed(1)} k a CPU second, ` +
          `${(documents / seconds / 1000).toFixed(1)} k a second`,
      );
      return counts;
    }
    await sleep(100);
  }
}

async function resultsOf(job) {
  await ok('POST', `/.ml-anomalies-${job}/_refresh`);
  const found = new Map();
  const query = { terms: { result_type: ['bucket', 'record', 'influencer'] } };
  for (let after; ; ) {
    const body = { size: 5000, query, sort: [{ timestamp: 'asc' }, { _doc: 'asc' }], search_after: after };
    const { hits } = (await ok('POST', `/.ml-anomalies-${job}/_search`, body)).hits;
    for (const { _id, _source } of hits)
      found.set(
        _id.replace(job, ''),
        JSON.stringify(_source, (key, value) => (NOT_OF_DATA.has(key) ? undefined : value)),
      );
    if (hits.length < 5000) return found;
    after = hits.at(-1).sort;
  }
}

/** Relative difference of numbers that rounding explains. */
const ROUNDING = 1e-6;
/** Whether two results say the same: every text is equal, and every number but for rounding. */
function isNear(a, b) {
  if (typeof a === 'number' && typeof b === 'number')
    return Math.abs(a - b) <= ROUNDING * Math.max(Math.abs(a), Math.abs(b), 1e-9);
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => isNear(a[key], b[key]));
}

function compare(a, b) {
  const ids = [...new Set([...a.keys(), ...b.keys()])].sort();
  const inBits = ids.filter((id) => a.get(id) !== b.get(id));
  const isFar = (id) => !a.has(id) || !b.has(id) || !isNear(JSON.parse(a.get(id)), JSON.parse(b.get(id)));
  const different = inBits.filter(isFar);
  console.log(
    `${a.size} and ${b.size} results: ${inBits.length} differ in the last digits or more, ${different.length} in more`,
  );
  for (const id of different.slice(0, 6)) console.log(`  ${id}\n    ${a.get(id)}\n    ${b.get(id)}`);
  return different.length === 0;
}

let isSame = true;
try {
  const kinds = { at: 'date', host: 'keyword', code: 'integer', ms: 'double', ip: 'ip' };
  const properties = Object.fromEntries(Object.entries(kinds).map(([name, type]) => [name, { type }]));
  await ok('PUT', '/requests', { mappings: { properties }, settings: { number_of_shards: shards } });
  for (let from = 0; from < documents; from += PIECE) {
    let lines = '';
    for (let i = from; i < Math.min(documents, from + PIECE); i++)
      lines += `{"index":{}}\n${JSON.stringify(documentOf(i))}\n`;
    const { errors } = await ok('POST', '/requests/_bulk', lines);
    assert.equal(errors, false);
  }
  await ok('POST', '/requests/_refresh');
  const { input_bytes: _, ...columns } = await feed('columns', {});
  if (!values['columns-only']) {
    // Runtime fields have no columns.
    const { input_bytes: __, ...sources } = await feed('sources', { unused: { type: 'long' } });
    for (const name of NOT_OF_DATA) {
      delete columns[name];
      delete sources[name];
    }
    isSame = compare(await resultsOf('columns'), await resultsOf('sources'));
    if (JSON.stringify(columns) !== JSON.stringify(sources)) {
      isSame = false;
      console.log('counts differ', columns, sources);
    }
  }
} finally {
  await node.stop();
}
if (!isSame) process.exitCode = 1;
