import { bench } from '@shoal/testing';
import { SERIES } from './constants.js';
import { addSize, BINS, logTail, UNIT } from './tail.kernel.js';

const counts = new Uint16Array(BINS);
for (let i = 1; i <= 7000; i++) addSize(counts, 0, -Math.log(i / 7001), UNIT);
bench('probability within the histogram', 1000, () => {
  for (let i = 0; i < 1000; i++) logTail(counts, 0, 1 + i / 1000, 7000, SERIES.tail);
});
bench('probability in the fitted tail', 1000, () => {
  for (let i = 0; i < 1000; i++) logTail(counts, 0, 5 + i / 1000, 7000, SERIES.tail);
});
