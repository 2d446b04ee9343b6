/** A set of code points as ascending, non-adjacent, inclusive ranges: [low, high, low, high, …]. */
export type CharSet = readonly number[];

/** The largest Unicode code point. */
export const CODE_POINT_MAX = 0x10ffff;
/** The set of all code points. */
export const ANY_CHAR: CharSet = [0, CODE_POINT_MAX];

/** Sorts and joins ranges. */
export function charSet(ranges: readonly (readonly [low: number, high: number])[]): CharSet {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const result: number[] = [];
  for (const [low, high] of sorted) {
    const last = result.length - 1;
    if (last > 0 && low <= result[last]! + 1) result[last] = Math.max(result[last]!, high);
    else result.push(low, high);
  }
  return result;
}

/** Everything that is not in the set. */
export function complement(set: CharSet): CharSet {
  const result: number[] = [];
  let from = 0;
  for (let i = 0; i < set.length; i += 2) {
    if (set[i]! > from) result.push(from, set[i]! - 1);
    from = set[i + 1]! + 1;
  }
  if (from <= CODE_POINT_MAX) result.push(from, CODE_POINT_MAX);
  return result;
}

/** One character, with its other case where only ASCII letters have one. */
export function oneChar(code: number, caseInsensitive: boolean): CharSet {
  if (!caseInsensitive || !isAsciiLetter(code)) return [code, code];
  const upper = code & ~32;
  return [upper, upper, upper | 32, upper | 32];
}

function isAsciiLetter(code: number): boolean {
  const lower = code | 32;
  return code < 128 && lower >= 97 && lower <= 122;
}

/** Returns whether a code point is in the set. */
export function contains(set: CharSet, code: number): boolean {
  for (let i = 0; i < set.length; i += 2) {
    if (code < set[i]!) return false;
    if (code <= set[i + 1]!) return true;
  }
  return false;
}
