import { bench } from '@shoal/testing';
import { floorFixed } from './rounding.kernel.js';

const times = Float64Array.from({ length: 4096 }, (_, i) => 1_700_000_000_000 + i * 12_345);
const values = new Float64Array(times.length);
bench('floor to a minute', times.length, () => {
  values.set(times);
  floorFixed(values, times.length, 60_000, 0);
});
