/** Where a result of one variant stands in the other: places moved, null if it is not among those shown. */
export interface Move {
  readonly key: string;
  readonly by: number | null;
}

/** For each result its move from the other list: 2 is two places up, -1 one down. */
export const movesFrom = (keys: readonly string[], other: readonly string[]): readonly Move[] =>
  keys.map((key, i) => {
    const at = other.indexOf(key);
    return { key, by: at === -1 ? null : at - i };
  });

/** A move in words. */
export function moveText(by: number | null): string {
  if (by === null) return 'only here';
  if (by === 0) return 'same place';
  return by > 0 ? `▲ ${by} up` : `▼ ${-by} down`;
}
