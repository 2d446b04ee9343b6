import type { Finding } from './detector.js';
import type { InfluencerResult } from './results.js';
import { scoreOf } from './score.js';

/** Keeps the rarest finding of a value of an influencer field in a bucket; `share` is what the value explains of it. */
export function noteInfluencer(
  all: Map<string, InfluencerResult>,
  field: string,
  value: string,
  share: number,
  { rarity, probability }: Finding,
): void {
  const key = `${field}\u0000${value}`;
  const own = rarity * share;
  const known = all.get(key);
  const joint = probability ** share;
  // Of two that are as rare the less probable one, whichever came first.
  if (known !== undefined && (known.rarity > own || (known.rarity === own && known.probability <= joint))) return;
  const score = scoreOf(own);
  all.set(key, { field, value, score, ranked: score, rarity: own, probability: joint });
}
