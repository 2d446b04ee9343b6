import type { Searcher } from '@shoal/query';

/** Whole numbers of a field that doubles do not hold: some value on the shard is beyond 2^53. */
export function isWide(searcher: Searcher, field: string): boolean {
  return searcher.segments.some(({ reader }) => {
    const column = reader.numbers(field);
    return column !== null && column.kind === 'long' && !column.isExact;
  });
}

const LEAST_SAFE = BigInt(Number.MIN_SAFE_INTEGER);
const GREATEST_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** A whole number in the one form that keys have on all shards: as number where that is exact. */
export const wholeKey = (value: bigint): number | bigint =>
  value >= LEAST_SAFE && value <= GREATEST_SAFE ? Number(value) : value;

/** What a request gives as a whole number, exactly; decimals are cut. Null for what is no finite number. */
export function wholeOf(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'string' && /^[+-]?\d+$/.test(value)) return BigInt(value.replace('+', ''));
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? BigInt(Math.trunc(number)) : null;
}

/** Numbers for the distinct values of a wide field on a shard that order as the values do. */
export interface WholeCodes {
  code(value: bigint): number;
  value(code: number): bigint;
  /** The code of any value; between those of its neighbours when no document has it. */
  codeOf(value: bigint): number;
}

/** Ranks of `values`. */
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
