/**
 * From surprise to scores. A score is a promise: 25, 50, 75 and 90 are expected once in 500, 2,000, 10,000 and 50,000
 * buckets of one series without anomalies.
 */

/** Surprises that series without anomalies exceed in one of 10^rarity buckets; measured in score.test.ts. */
const SURPRISES = [0, 1.59, 1.88, 2.05, 2.26, 2.43, 2.61, 2.82, 3.03, 3.3, 3.52, 4.1, 5];
const RARITIES = [0, 1.5, 2, 2.3, 2.7, 3, 3.3, 3.7, 4, 4.3, 4.7, 6, 8];
const SCORE_RARITIES = [1.5, 2.7, 3.3, 4, 4.7, 6, 8, 12, 20];
const SCORES = [0.1, 25, 50, 75, 90, 96, 98.5, 99.6, 100];

function interpolate(x: number, from: readonly number[], to: readonly number[]): number {
  if (!(x > from[0]!)) return to[0]!;
  for (let i = 1; i < from.length; i++) {
    if (x > from[i]!) continue;
    const share = (x - from[i - 1]!) / (from[i]! - from[i - 1]!);
    return to[i - 1]! + share * (to[i]! - to[i - 1]!);
  }
  const last = from.length - 1;
  return to[last]! + ((x - from[last]!) * (to[last]! - to[last - 1]!)) / (from[last]! - from[last - 1]!);
}

/** Returns -log10 of the share of buckets of a quiet series that are as surprising. */
export const rarityOf = (surprise: number): number => Math.max(0, interpolate(surprise, SURPRISES, RARITIES));

/** Returns the score, 0 to 100, of a rarity. */
export function scoreOf(rarity: number): number {
  if (!(rarity >= SCORE_RARITIES[0]!)) return 0;
  return Math.max(0, Math.min(100, interpolate(rarity, SCORE_RARITIES, SCORES)));
}

/** Rarity of the rarest of `n` independent series: the more there are, the less strange is one (Šidák, 1967). */
export function rarestOf(rarity: number, n: number): number {
  const share = 10 ** -rarity;
  return Math.max(0, -Math.log10(-Math.expm1(n * Math.log1p(-Math.min(share, 1 - 1e-15)))));
}
