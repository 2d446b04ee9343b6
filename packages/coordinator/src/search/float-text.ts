import { formatDouble } from '@shoal/values';

/** Shortest text that reads back as the same 32-bit float, in Java's notation: `0.2373417`, `1.0`. */
export function floatText(value: number): string {
  const float = Math.fround(value);
  if (!Number.isFinite(float)) return 'null';
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(float.toPrecision(digits));
    if (Math.fround(short) === float) return formatDouble(short);
  }
  return formatDouble(Number(float.toPrecision(9)));
}
