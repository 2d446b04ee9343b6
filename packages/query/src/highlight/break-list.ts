/** A list of text boundaries, searched by offset. */
export interface BreakList {
  /** The last boundary before an offset, -1 for none. */
  preceding(offset: number): number;
  /** The first boundary after an offset, -1 for none. */
  following(offset: number): number;
}

/** Returns a break list over the ascending boundaries of `find`, which is called at the first search. */
export function breakList(find: () => readonly number[]): BreakList {
  let breaks: readonly number[] | null = null;
  /** Index of the first boundary > offset. */
  const above = (offset: number): number => {
    breaks ??= find();
    let low = 0;
    let high = breaks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (breaks[middle]! > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return {
    preceding: (offset) => {
      const at = above(offset - 1) - 1;
      return at < 0 ? -1 : breaks![at]!;
    },
    following: (offset) => {
      const at = above(offset);
      return breaks![at] ?? -1;
    },
  };
}
