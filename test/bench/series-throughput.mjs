// Throughput and memory of series models on one thread: series x buckets judged and learnt, without parsing documents,
// in processor time. Buckets of `--warm` come before: after 4,500 of them, 47 days, series have only the seasons that
// they need.
// Usage: node test/bench/series-throughput.mjs [--series 1000] [--buckets 2000] [--warm 0] [--day]
import { parseArgs } from 'node:util';
import { newJudgement, SERIES, SeriesSlab, seriesShape } from '@shoal/learning';

const options = {
  series: { type: 'string' },
  buckets: { type: 'string' },
  warm: { type: 'string' },
  day: { type: 'boolean' },
};
const { values } = parseArgs({ options });
const [series, buckets, warm] = [values.series ?? 1000, values.buckets ?? 2000, values.warm ?? 0].map(Number);
const SPAN_S = 900;
const slab = new SeriesSlab(seriesShape(SPAN_S), SERIES);
const out = newJudgement();
for (let k = 0; k < series; k++) slab.add();
let state = 1;
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
/** Noise from a table, so that making the values costs nothing; with `--day` on a wave of a day. */
const noise = Float64Array.from({ length: 65_536 }, random);
const starts = Array.from({ length: series }, () => Math.floor(65_536 * random()));
const wave = Float64Array.from({ length: 96 }, (_, i) => (values.day ? 50 * Math.sin((2 * Math.PI * i) / 96) : 0));
function judge(from, to) {
  for (let i = from; i < to; i++)
    for (let k = 0; k < series; k++)
      slab.judge(k, i * SPAN_S, 100 + wave[i % 96] + noise[(starts[k] + i) & 0xffff], 0, false, out);
}
judge(0, warm);
const before = process.cpuUsage();
judge(warm, warm + buckets);
const { user, system } = process.cpuUsage(before);
const seconds = (user + system) / 1e6;
const rate = (series * buckets) / seconds / 1e6;
const rss = process.memoryUsage().rss / 2 ** 20;
console.log(
  `${series} series x ${buckets} buckets: ${rate.toFixed(2)} M series-buckets/s, ` +
    `${(slab.bytes / series).toFixed(0)} bytes a series, RSS ${rss.toFixed(0)} MB`,
);
