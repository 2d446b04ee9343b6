import { type Samples, sampleCount } from './digest.js';

/**
 * Ranks and quantiles as an HdrHistogram of doubles computes them. Each power of two is divided into equal steps,
 * enough for the requested significant digits. A value is replaced by the top of its step (HdrHistogram 2.1,
 * `highestEquivalentValue`).
 */
export interface Hdr {
  valueAt(percent: number): number;
  /** Share of values up to `x`, in percent. */
  rankOf(x: number): number;
}

/** Returns the number of steps between a power of two and the next. */
function halfSteps(digits: number): number {
  return 2 ** Math.ceil(Math.log2(2 * 10 ** digits)) / 2;
}

/** Views exact samples with `digits` significant digits. */
export function hdrView(samples: Samples, digits: number): Hdr {
  const half = halfSteps(digits);
  const { values, weights } = samples;
  const total = sampleCount(samples);
  const least = values.find((value) => value > 0) ?? 1;
  const unit = 2 ** Math.floor(Math.log2(least)) / half;
  const step = (value: number): number => Math.max(unit, 2 ** Math.floor(Math.log2(Math.max(value, unit))) / half);
  const lowest = (value: number): number => Math.floor(value / step(value)) * step(value);
  const highest = (value: number): number => lowest(value) + step(value) - unit;
  return {
    valueAt(percent) {
      const wanted = Math.max(1, Math.floor((percent / 100) * total + 0.5));
      let count = 0;
      for (let i = 0; i < values.length; i++) {
        count += weights[i]!;
        if (count >= wanted) return percent === 0 ? lowest(values[i]!) : highest(values[i]!);
      }
      return Number.NaN;
    },
    rankOf(x) {
      let count = 0;
      for (let i = 0; i < values.length && lowest(values[i]!) <= highest(x); i++) count += weights[i]!;
      return (count / total) * 100;
    },
  };
}
