import { bench } from '@shoal/testing';
import { SERIES } from './constants.js';
import { newJudgement } from './series-model.js';
import { seriesShape } from './shape.js';
import { SeriesSlab } from './slab.js';

const SERIES_COUNT = 256;
const SPAN = 900;

function filled(days: number, value: (i: number, series: number) => number) {
  const slab = new SeriesSlab(seriesShape(SPAN), SERIES);
  const out = newJudgement();
  for (let k = 0; k < SERIES_COUNT; k++) slab.add();
  let i = 0;
  const step = () => {
    for (let k = 0; k < SERIES_COUNT; k++) slab.judge(k, i * SPAN, value(i, k), 0, false, out);
    i++;
  };
  while (i < days * 96) step();
  process.stdout.write(`  ${(slab.bytes / SERIES_COUNT).toFixed(0)} bytes a series, ${slab.recordBytes(0)} a record\n`);
  return step;
}

const noise = (i: number, k: number) => Math.sin(12.9898 * i + 78.233 * k) * 43_758.5453 - Math.floor(Math.sin(i + k));
bench('a bucket of a series without season', SERIES_COUNT, filled(56, noise));
const day = (i: number, k: number) => noise(i, k) / 100 + 50_000 * Math.sin((2 * Math.PI * i) / 96);
bench('a bucket of a series with a day', SERIES_COUNT, filled(56, day));
