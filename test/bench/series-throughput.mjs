// Throughput and memory of series models on one thread: series x buckets judged and learnt, without parsing documents.
// Usage: node test/bench/series-throughput.mjs [--series 1000] [--buckets 2000] [--day]
import { parseArgs } from 'node:util';
import { newJudgement, SERIES, SeriesSlab, seriesShape } from '@shoal/learning';

const options = { series: { type: 'string' }, buckets: { type: 'string' }, day: { type: 'boolean' } };
const { values } = parseArgs({ options });
const [series, buckets] = [Number(values.series ?? 1000), Number(values.buckets ?? 2000)];
const SPAN_S = 900;
const slab = new SeriesSlab(seriesShape(SPAN_S), SERIES);
const out = newJudgement();
for (let k = 0; k < series; k++) slab.add();
/** Noise from a table, so that making the values costs nothing; with `--day` on a wave of a day. */
const noise = Float64Array.from({ length: 4096 }, (_, i) => ((i * 7919) % 4093) / 4093);
const wave = Float64Array.from({ length: 96 }, (_, i) => (values.day ? 50 * Math.sin((2 * Math.PI * i) / 96) : 0));
const startedMs = performance.now();
for (let i = 0; i < buckets; i++)
  for (let k = 0; k < series; k++)
    slab.judge(k, i * SPAN_S, 100 + wave[i % 96] + noise[(i * 31 + k * 7) & 4095], 0, false, out);
const seconds = (performance.now() - startedMs) / 1000;
const rate = (series * buckets) / seconds / 1e6;
const rss = process.memoryUsage().rss / 2 ** 20;
console.log(
  `${series} series x ${buckets} buckets: ${rate.toFixed(2)} M series-buckets/s, ` +
    `${(slab.bytes / series).toFixed(0)} bytes a series, RSS ${rss.toFixed(0)} MB`,
);
