/** Numbers between 0 and 1 that depend on a seed alone. */
export type Draws = () => number;

/** Returns draws of a seed. Algorithm: mulberry32 (Tommy Ettinger, 2017, public domain). */
export function seededDraws(seed: number): Draws {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Shuffles rows in place. Algorithm: Fisher and Yates, in Durstenfeld's form (1964). */
export function shuffle(rows: Int32Array, draw: Draws): Int32Array {
  for (let i = rows.length - 1; i > 0; i--) {
    const j = Math.floor(draw() * (i + 1));
    [rows[i], rows[j]] = [rows[j]!, rows[i]!];
  }
  return rows;
}

/** The numbers from 0 to `count` - 1. */
export const countUp = (count: number): Int32Array => Int32Array.from({ length: count }, (_, i) => i);
