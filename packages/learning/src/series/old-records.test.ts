import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import zlib from 'node:zlib';
import { ByteReader, ByteWriter } from '@shoal/codec';
import { SERIES } from './constants.js';
import { newJudgement } from './series-model.js';
import { seriesShape } from './shape.js';
import { SeriesSlab } from './slab.js';

const SPAN = 3600;
const WEEK = 7 * 86_400;
const BUCKETS = 24 * 49;
/** Series of `valueAt` with hourly buckets of 49 days, two of a week and one without a season, in layout 1. */
const GOLDEN = new URL('../../golden/slab-layout-1.bin.deflate', import.meta.url);

const golden = () =>
  SeriesSlab.decode(seriesShape(SPAN), SERIES, new ByteReader(zlib.inflateSync(fs.readFileSync(GOLDEN))));

function valueAt(i: number, series: number): number {
  let state = (i * 3 + series) * 2 + 1;
  for (let k = 0; k < 2; k++) state = (state * 48_271) % 2_147_483_647;
  const isWeekend = Math.floor(i / 24) % 7 > 4;
  const usual = series === 2 ? 0 : (isWeekend ? 20 : 100) + 30 * Math.sin((Math.PI * (i % 24)) / 12);
  return usual + (10 * state) / 2_147_483_647;
}

/** Surprises of the week after what a slab has learnt, with a spike in the middle. */
function nextWeek(slab: SeriesSlab): number[] {
  const out = newJudgement();
  const found: number[] = [];
  for (let i = BUCKETS; i < BUCKETS + 168; i++)
    for (let series = 0; series < 3; series++) {
      slab.judge(series, i * SPAN, valueAt(i, series) + (i === BUCKETS + 80 ? 60 : 0), 0, false, out);
      found.push(out.surprise);
    }
  return found;
}

test('series of layout 1 are judged by what they had learnt, and are smaller', () => {
  const old = golden();
  const shown = [0, 1, 2].map((series) => [old.periodOf(series), old.recordBytes(series)]);
  assert.deepEqual(shown, [
    [WEEK, 2040],
    [WEEK, 2040],
    [0, 816],
  ]);
  const found = nextWeek(old);
  const spikes = found.slice(3 * 80, 3 * 81);
  const others = [...found.slice(0, 3 * 80), ...found.slice(3 * 81)];
  assert.ok(Math.min(...spikes) > 2, `${spikes.join(', ')}`);
  assert.ok(Math.max(...others) < Math.min(...spikes), `${Math.max(...others)} beside ${spikes.join(', ')}`);
});

test('a slab that was read from an earlier layout is written and read as it is', () => {
  const out = new ByteWriter();
  golden().encode(out);
  const again = SeriesSlab.decode(seriesShape(SPAN), SERIES, new ByteReader(out.finish()));
  assert.deepEqual(nextWeek(again), nextWeek(golden()));
});
