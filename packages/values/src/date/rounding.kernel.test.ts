import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { floorFixed } from './rounding.kernel.js';

kernelContract(
  'floorFixed goes down to the multiple of the interval from the origin',
  ({ times, interval, origin }) => {
    const values = Float64Array.from(times);
    floorFixed(values, times.length - 1, interval, origin);
    return [...values];
  },
  ({ times, interval, origin }) =>
    times.map((time, i) => {
      if (i === times.length - 1) return time;
      const over = (((time - origin) % interval) + interval) % interval;
      return time - over;
    }),
  fc.record({
    times: fc.array(fc.integer({ min: -1e12, max: 1e12 }), { minLength: 1 }),
    interval: fc.integer({ min: 1, max: 1e9 }),
    origin: fc.integer({ min: -1e9, max: 1e9 }),
  }),
);
