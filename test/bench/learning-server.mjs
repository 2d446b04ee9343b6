// The room learning behind the calls of the machine learning API that quality benchmarks make: jobs, posted data and
// records, all in memory. It measures the mathematics apart from jobs, tasks and indices.
// Usage: node test/bench/learning-server.mjs [--port 9380]
import { createServer } from 'node:http';
import { newJudgement, SERIES, SeriesSlab, seriesShape } from '@shoal/learning';

const portAt = process.argv.indexOf('--port');
const port = portAt < 0 ? 9380 : Number(process.argv[portAt + 1]);
const jobs = new Map();
const UNITS = { s: 1, m: 60, h: 3600, d: 86_400 };
const seconds = (text) => Number(text.slice(0, -1)) * UNITS[text.at(-1)];
/** 50 at a surprise of 2.3, 75 at 3.1, 98 at 6: the order of surprises is all that the benchmarks use. */
const scoreOf = (surprise) => 100 * (1 - Math.exp(-Math.max(0, surprise - 1.5) / 1.15));

/** Value of a bucket by function: from how many documents, their sum, least and greatest value. */
const FUNCTIONS = {
  count: ({ count }) => count,
  mean: ({ count, sum }) => sum / count,
  sum: ({ sum }) => sum,
  min: ({ min }) => min,
  max: ({ max }) => max,
};
const AMOUNTS = new Set(['count', 'sum']);

function createDetector(config, spanS) {
  const slab = new SeriesSlab(seriesShape(spanS), SERIES);
  const series = new Map();
  const out = newJudgement();
  const isAmount = AMOUNTS.has(config.function);
  return {
    slab,
    /** Judges the gathered documents of a bucket; a series without documents has none, or nothing to count. */
    step(time, gathered, report) {
      if (isAmount) for (const key of series.keys()) if (!gathered.has(key)) gathered.set(key, { count: 0, sum: 0 });
      for (const [key, g] of gathered) {
        if (!series.has(key)) series.set(key, slab.add());
        slab.judge(series.get(key), time, FUNCTIONS[config.function](g), 0, isAmount, out);
        if (out.surprise >= 1.5) report(key, out);
      }
    },
  };
}

function createJob(id, config) {
  const spanS = seconds(config.analysis_config.bucket_span);
  const detectors = config.analysis_config.detectors.map((d) => ({ d, model: createDetector(d, spanS) }));
  const records = [];
  let bucket = null;
  let gathered = detectors.map(() => new Map());

  const finish = () => {
    detectors.forEach(({ d, model }, index) => {
      model.step(bucket, gathered[index], (key, { surprise, typical }) => {
        const partition = { partition_field_name: d.partition_field_name, partition_field_value: key };
        const score = scoreOf(surprise);
        records.push({
          job_id: id,
          result_type: 'record',
          timestamp: bucket * 1000,
          detector_index: index,
          initial_record_score: score,
          record_score: score,
          typical: [typical],
          ...(d.partition_field_name === undefined ? {} : partition),
        });
      });
    });
    gathered = detectors.map(() => new Map());
  };

  return {
    records,
    bytes: () => detectors.reduce((sum, { model }) => sum + model.slab.bytes, 0),
    add(document) {
      const start = Math.floor(document[config.data_description.time_field] / spanS) * spanS;
      if (bucket !== null && start < bucket) return;
      for (; bucket !== null && start > bucket; bucket += spanS) finish();
      bucket = start;
      detectors.forEach(({ d }, index) => {
        const key = String(document[d.partition_field_name]);
        const value = document[d.field_name];
        const g = gathered[index].get(key) ?? { count: 0, sum: 0, min: Infinity, max: -Infinity };
        gathered[index].set(key, g);
        g.count++;
        g.sum += value;
        g.min = Math.min(g.min, value);
        g.max = Math.max(g.max, value);
      });
    },
    close() {
      if (bucket !== null) finish();
      bucket = null;
    },
  };
}

const JOB = '/_ml/anomaly_detectors/([^/]+)';
const ROUTES = [
  ['PUT', JOB, ([id], body) => (jobs.set(id, createJob(id, body)), { job_id: id })],
  ['DELETE', JOB, ([id]) => ({ acknowledged: jobs.delete(id) })],
  ['POST', `${JOB}/_open`, () => ({ opened: true })],
  ['POST', `${JOB}/_close`, ([id]) => (jobs.get(id)?.close(), { closed: true })],
  [
    'POST',
    `${JOB}/_data`,
    ([id], body) => {
      for (const document of body) jobs.get(id).add(document);
      return { processed_record_count: body.length };
    },
  ],
  [
    'GET',
    `${JOB}/_stats`,
    ([id]) => ({ jobs: [{ job_id: id, model_size_stats: { model_bytes: jobs.get(id).bytes() } }] }),
  ],
  [
    'POST',
    `${JOB}/results/records`,
    ([id], body) => {
      const all = jobs.get(id).records.filter((r) => r.timestamp >= Number(body.start ?? -Infinity));
      return { count: all.length, records: all.slice(0, body.page.size) };
    },
  ],
].map(([method, pattern, answer]) => ({ method, pattern: new RegExp(`^${pattern}$`), answer }));

function answerTo(method, path, text) {
  const route = ROUTES.find((r) => r.method === method && r.pattern.test(path));
  if (route === undefined) return [404, { error: `no route ${method} ${path}` }];
  const isLines = path.endsWith('/_data');
  const body =
    text === ''
      ? undefined
      : isLines
        ? text
            .trimEnd()
            .split('\n')
            .map((l) => JSON.parse(l))
        : JSON.parse(text);
  return [200, route.answer(route.pattern.exec(path).slice(1), body)];
}

createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const path = decodeURIComponent(request.url.split('?')[0]);
    let result;
    try {
      result = answerTo(request.method, path, Buffer.concat(chunks).toString());
    } catch (error) {
      result = [500, { error: String(error.stack) }];
    }
    response.writeHead(result[0], { 'content-type': 'application/json' }).end(JSON.stringify(result[1]));
  });
}).listen(port, '127.0.0.1', () => process.stdout.write(`listening on http://127.0.0.1:${port}\n`));
