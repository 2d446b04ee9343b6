import { formatDouble } from '@shoal/values';

/** Formats a 32-bit float as Java's `Float.toString` does. */
export function formatFloat(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : value < 0 ? '-Infinity' : 'NaN';
  for (let digits = 1; digits < 17; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === Math.fround(value)) return formatDouble(short);
  }
  return formatDouble(value);
}
