import { murmur3 } from '@shoal/codec';

/**
 * Milliseconds until the next round of a datafeed in real time. Rounds of a datafeed begin at the same moment of each
 * `frequencyMs`, which its id chooses: datafeeds that were started together, as after the start of a node, do not all
 * search at once.
 */
export function untilRound(id: string, nowMs: number, frequencyMs: number): number {
  const momentMs = Math.floor(((murmur3(id) >>> 0) / 2 ** 32) * frequencyMs);
  const sinceMs = (((nowMs - momentMs) % frequencyMs) + frequencyMs) % frequencyMs;
  return frequencyMs - sinceMs;
}
