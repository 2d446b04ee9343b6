// Forecasts of a day of generated series without anomalies, asked of a real node: share of values within the bounds,
// and error beside that of repeating the last cycle (mean absolute scaled error, Hyndman and Koehler 2006; series
// without a season repeat the last value). Exits with 1 if the bounds of 95 % of a process hold fewer than 90 or
// more than 98 %, or if the scaled error of a process with a season is above 0.8: a mean over processes would hide
// bounds that are too wide behind others that are too narrow.
// Usage: node test/bench/forecast.mjs [--seeds 3]
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { call, startNode } from '../node-process.mjs';

const { values } = parseArgs({ options: { seeds: { type: 'string' } } });
const seeds = Number(values.seeds ?? 3);
const SPAN_S = 1800;
const DAY = 48;
const WEEK = 7 * DAY;
const LENGTH = 8 * WEEK;
const START_S = 1_704_067_200;
const [COVER_MIN, COVER_MAX, ERROR_MAX] = [0.9, 0.98, 0.8];

const wave = (i) =>
  Math.sin(2 * Math.PI * ((i % DAY) / DAY - 0.3)) + 0.4 * Math.sin(4 * Math.PI * ((i % DAY) / DAY - 0.1));
const isWeekend = (i) => [5, 6].includes(Math.floor(i / DAY) % 7);
const counted = (rate, draw) => poisson(Math.max(0.3, rate), draw);
/** Value of bucket `i`; `cycle` in buckets, 0 without a season; `counts` are judged by `sum`, the others by `mean`. */
const PROCESSES = {
  flat: { cycle: 0, value: (_, draw) => 50 + 2 * draw.normal() },
  trend: { cycle: 0, value: (i, draw) => 100 + 0.05 * i + 3 * draw.normal() },
  day: { cycle: DAY, value: (i, draw) => 100 + 40 * wave(i) + 4 * draw.normal() },
  trendDay: { cycle: DAY, value: (i, draw) => 100 + 0.04 * i + 25 * wave(i) + 3 * draw.normal() },
  noisyDay: {
    cycle: DAY,
    value: (i, draw) => 80 + 60 * Math.max(0, wave(i)) * (1 + 0.08 * draw.normal()) + draw.normal(),
  },
  week: {
    cycle: WEEK,
    value: (i, draw) => (isWeekend(i) ? 70 + 15 * wave(i) : 150 + 60 * wave(i)) + 6 * draw.normal(),
  },
  countsHigh: { cycle: DAY, counts: true, value: (i, draw) => counted(300 + 180 * wave(i), draw) },
  countsLow: { cycle: DAY, counts: true, value: (i, draw) => counted(2.5 + 2 * wave(i), draw) },
};

/** Uniform and normal draws of a seed (Marsaglia's xorshift, Box and Muller's transform). */
function draws(seed) {
  let state = Math.imul(seed, 0x9e3779b1) | 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  for (let i = 0; i < 20; i++) next();
  return { next, normal };
}

/** Knuth's product of uniform draws; the sum of parts of at most 30, so that no product underflows. */
function poisson(mean, draw) {
  if (mean > 30) return poisson(30, draw) + poisson(mean - 30, draw);
  let count = -1;
  for (let product = 1; product > Math.exp(-mean); count++) product *= draw.next();
  return count;
}

const node = await startNode();
const ok = async (method, path, body, status = 200) => {
  const answer = await call(node, method, path, body);
  assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

/** Forecast of a day by time in milliseconds, from a job that has seen all values but those of the last day. */
async function forecastOf(job, isCounts, series) {
  const detector = { function: isCounts ? 'sum' : 'mean', field_name: 'v' };
  await ok('PUT', `/_ml/anomaly_detectors/${job}`, {
    analysis_config: { bucket_span: '30m', detectors: [detector] },
    data_description: { time_field: 'time', time_format: 'epoch' },
  });
  await ok('POST', `/_ml/anomaly_detectors/${job}/_open`);
  const seen = series.slice(0, LENGTH - DAY).map((v, i) => JSON.stringify({ time: START_S + i * SPAN_S, v }));
  await ok('POST', `/_ml/anomaly_detectors/${job}/_data`, seen.join('\n'), 202);
  await ok('POST', `/_ml/anomaly_detectors/${job}/_flush?advance_time=${(START_S + (LENGTH - DAY) * SPAN_S) * 1000}`);
  const { forecast_id: id } = await ok('POST', `/_ml/anomaly_detectors/${job}/_forecast?duration=1d`);
  await ok('POST', `/_ml/anomaly_detectors/${job}/_flush`);
  await ok('POST', `/.ml-anomalies-${job}/_refresh`);
  const query = { bool: { filter: [{ term: { result_type: 'model_forecast' } }, { term: { forecast_id: id } }] } };
  const { hits } = await ok('POST', `/.ml-anomalies-${job}/_search`, { size: 1000, query });
  await ok('DELETE', `/_ml/anomaly_detectors/${job}?force=true`);
  return new Map(hits.hits.map(({ _source: source }) => [source.timestamp, source]));
}

/** Values within the bounds, and the scaled error, of one series. */
function judge(series, cycle, forecast) {
  const step = cycle === 0 ? 1 : cycle;
  let [inside, error, naive] = [0, 0, 0];
  for (let i = LENGTH - DAY; i < LENGTH; i++) {
    const {
      forecast_lower: lower,
      forecast_upper: upper,
      forecast_prediction: value,
    } = forecast.get((START_S + i * SPAN_S) * 1000) ?? assert.fail(`no forecast of bucket ${i}`);
    if (series[i] >= lower && series[i] <= upper) inside++;
    error += Math.abs(series[i] - value) / DAY;
  }
  for (let i = step; i < LENGTH - DAY; i++) naive += Math.abs(series[i] - series[i - step]) / (LENGTH - DAY - step);
  return { cover: inside / DAY, scaled: error / naive };
}

const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
const [covers, seasonal] = [[], []];
try {
  for (const [name, { cycle, counts = false, value }] of Object.entries(PROCESSES)) {
    const judged = [];
    for (let seed = 1; seed <= seeds; seed++) {
      const draw = draws(seed);
      const series = Array.from({ length: LENGTH }, (_, i) => value(i, draw));
      judged.push(judge(series, cycle, await forecastOf(`${name.toLowerCase()}-${seed}`, counts, series)));
    }
    const [cover, scaled] = [mean(judged.map((one) => one.cover)), mean(judged.map((one) => one.scaled))];
    covers.push(cover);
    if (cycle > 0) seasonal.push(scaled);
    const percent = (100 * cover).toFixed(1).padStart(5);
    console.log(`${name.padEnd(12)}${percent} % within the bounds, scaled error ${scaled.toFixed(2)}`);
  }
} finally {
  await node.stop();
}
const good = covers.filter((cover) => cover >= COVER_MIN && cover <= COVER_MAX).length;
const few = seasonal.filter((scaled) => scaled <= ERROR_MAX).length;
console.log(
  `bounds hold in ${good} of ${covers.length} processes (mean ${(100 * mean(covers)).toFixed(1)} %); ` +
    `error in ${few} of ${seasonal.length} with a season (mean ${mean(seasonal).toFixed(3)})`,
);
process.exitCode = good === covers.length && few === seasonal.length ? 0 : 1;
