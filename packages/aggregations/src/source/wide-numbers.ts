import type { Searcher } from '@shoal/query';

/** Whether some value of a field on the shard is a whole number beyond 2^53, which a double does not hold exactly. */
export function isWide(searcher: Searcher, field: string): boolean {
  return searcher.segments.some(({ reader }) => {
    const column = reader.numbers(field);
    return column !== null && column.kind === 'long' && !column.isExact;
  });
}

const LEAST_SAFE = BigInt(Number.MIN_SAFE_INTEGER);
const GREATEST_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Returns the form of a whole number as key, the same on all shards: a number if that is exact, otherwise a bigint. */
export const wholeKey = (value: bigint): number | bigint =>
  value >= LEAST_SAFE && value <= GREATEST_SAFE ? Number(value) : value;

/** Parses a whole number exactly; decimals are truncated. Null if the value is no finite number. */
export function wholeOf(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'string' && /^[+-]?\d+$/.test(value)) return BigInt(value.replace('+', ''));
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? BigInt(Math.trunc(number)) : null;
}

/** Numbers for the distinct values of a field on a shard, in the order of the values. */
export interface WholeCodes {
  code(value: bigint): number;
  value(code: number): bigint;
  /** The code of any value; between those of its neighbours if no document has it. */
  codeOf(value: bigint): number;
}

/** Makes codes that are the ranks of `values`. */
export function wholeCodes(values: ReadonlySet<bigint>): WholeCodes {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const ranks = new Map(sorted.map((value, rank) => [value, rank]));
  return {
    code: (value) => ranks.get(value)!,
    value: (code) => sorted[code]!,
    codeOf(value) {
      const known = ranks.get(value);
      if (known !== undefined) return known;
      let [low, high] = [0, sorted.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (sorted[middle]! < value) low = middle + 1;
        else high = middle;
      }
      return low - 0.5;
    },
  };
}
