// Kills the node that has an anomaly detection job with SIGKILL, again and again while it is given data, and compares
// its results with those of a job that nobody disturbed: byte for byte, besides the times of the clock. Prints how soon
// after the node has left the job is open on another one.
// Usage: node test/drills/kill-jobs.mjs [--kills 50] [--seed 1]
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { startCluster } from '../cluster-processes.mjs';
import { call, sleep } from '../node-process.mjs';

const { values } = parseArgs({ options: { kills: { type: 'string' }, seed: { type: 'string' } } });
const kills = Number(values.kills ?? 50);
let state = Number(values.seed ?? 1) >>> 0;
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296;

const SPAN_S = 900;
const START_S = 1_700_000_100 - (1_700_000_100 % SPAN_S);
const PIECE = 24;
const WARM = 200;
const JOB = {
  analysis_config: {
    bucket_span: '15m',
    detectors: [{ function: 'mean', field_name: 'v', by_field_name: 'h' }, { function: 'high_count' }],
    influencers: ['h'],
  },
  data_description: { time_field: 'time', time_format: 'epoch' },
  model_plot_config: { enabled: true },
  alert: { score: 50, cooldown: '2h' },
};

const cluster = await startCluster({ settings: { 'shoal.shard_threads': 1 } });
let ask = cluster.nodes[0];
const ok = async (method, path, body, status = 200) => {
  const answer = await call(ask, method, path, body);
  assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};
async function until(what, condition) {
  for (const startMs = Date.now(); Date.now() - startMs < 120_000; await sleep(20))
    if (await condition().catch(() => false)) return Date.now();
  throw new Error(`not within 120 s: ${what}`);
}

/** Buckets from one to another: now and then a host shows something, each time more. */
const rows = (from, to) =>
  Array.from({ length: to - from }, (_, k) => from + k).flatMap((i) =>
    Array.from({ length: 6 }, (_, h) => {
      const more = i > 100 && (i * 31 + h * 17) % 97 === 0 ? 20 * 1.05 ** (i - 100) : 0;
      return JSON.stringify({ time: START_S + i * SPAN_S + h, h: `h${h}`, v: 100 + ((i * 7919 + h * 31) % 23) + more });
    }),
  );
const post = (job, from, to) => ok('POST', `/_ml/anomaly_detectors/${job}/_data`, rows(from, to).join('\n'), 202);

async function documentsOf(job, index, query) {
  await ok('POST', `/${index}/_refresh`);
  const { hits } = await ok('POST', `/${index}/_search`, { size: 10_000, query });
  const isOfClock = new Set(['processing_time_ms', 'created']);
  return hits.hits
    .map(({ _id, _source }) => `${_id} ${JSON.stringify(_source, (key, v) => (isOfClock.has(key) ? undefined : v))}`)
    .map((text) => text.replaceAll(`${job}_`, '_').replaceAll(`"${job}"`, '""').replaceAll(`[${job}]`, '[]'))
    .sort();
}

async function everythingOf(job) {
  await ok('POST', `/_ml/anomaly_detectors/${job}/_flush`);
  const kinds = { terms: { result_type: ['bucket', 'record', 'influencer'] } };
  return [
    ...(await documentsOf(job, `.ml-anomalies-${job}`, kinds)),
    ...(await documentsOf(job, `.ml-anomalies-${job}`, { term: { result_type: 'model_plot' } })),
    ...(await documentsOf(job, '.alerts-ml', { term: { job_id: job } })),
  ];
}

const times = [];
try {
  for (const job of ['calm', 'shaken']) {
    await ok('PUT', `/_ml/anomaly_detectors/${job}`, JOB);
    await ok('POST', `/_ml/anomaly_detectors/${job}/_open`);
  }
  const end = WARM + kills * PIECE;
  for (let from = 0; from < end; from += 200) await post('calm', from, Math.min(end, from + 200));
  const calm = await everythingOf('calm');
  await post('shaken', 0, WARM);
  for (let kill = 0; kill < kills; kill++) {
    const { jobs } = await ok('GET', '/_ml/anomaly_detectors/shaken/_stats');
    const victim = cluster.nodes.findIndex((_, i) => `n${i + 1}` === jobs[0].node.name);
    await post('shaken', WARM + kill * PIECE, WARM + (kill + 1) * PIECE);
    await sleep(random() * 400);
    ask = cluster.nodes[(victim + 1) % cluster.nodes.length];
    await cluster.nodes[victim].stop('SIGKILL');
    const leftMs = await until('the node has left', async () => {
      const { number_of_nodes: count } = await ok('GET', '/_cluster/health');
      return count === cluster.nodes.length - 1;
    });
    const openMs = await until('the job is open elsewhere', async () => {
      const [one] = (await ok('GET', '/_ml/anomaly_detectors/shaken/_stats')).jobs;
      return one.state === 'opened' && one.open_time !== undefined && one.node.name !== jobs[0].node.name;
    });
    times.push(openMs - leftMs);
    await cluster.restart(victim);
    await until('all copies are there', async () => {
      const { status, number_of_nodes: count } = await ok('GET', '/_cluster/health');
      return status === 'green' && count === cluster.nodes.length;
    });
    process.stdout.write(`kill ${kill + 1}: open ${times.at(-1)} ms after the node had left\n`);
  }
  const shaken = await everythingOf('shaken');
  assert.ok(calm.length > end);
  assert.deepEqual(shaken, calm);
  const { jobs } = await ok('GET', '/_ml/anomaly_detectors/shaken/_stats');
  assert.equal(jobs[0].data_counts.processed_record_count, 6 * end);
  const sorted = times.toSorted((a, b) => a - b);
  console.log(
    `${kills} kills, ${calm.length} documents equal; open again: ` +
      `median ${sorted[kills >> 1]} ms, worst ${sorted.at(-1)} ms`,
  );
} finally {
  await cluster.stop('SIGKILL');
}
