import type { Impacts } from '../segment-reader.js';

/** Limit of the pairs of a list of impacts: one for each norm byte. */
const PAIRS_MAX = 256;

/** Impacts whose arrays are reused. */
export interface ImpactPairs extends Impacts {
  count: number;
  freqs: Int32Array;
  norms: Uint8Array;
}

/** Empty impacts with room for `pairs` pairs. */
export const impactPairs = (pairs = PAIRS_MAX): ImpactPairs => ({
  count: 0,
  freqs: new Int32Array(pairs),
  norms: new Uint8Array(pairs),
});

/** Highest frequency for each norm among the postings added so far; `seen` has a bit for each norm that occurred. */
export interface ImpactGatherer {
  readonly best: Int32Array;
  readonly seen: Int32Array;
}

/** A gatherer without postings. */
export const impactGatherer = (): ImpactGatherer => ({ best: new Int32Array(256), seen: new Int32Array(8) });

/** Adds the frequency and norm of a posting. */
export function addImpact(gatherer: ImpactGatherer, freq: number, norm: number): void {
  if (freq > gatherer.best[norm]!) {
    gatherer.best[norm] = freq;
    gatherer.seen[norm >>> 5]! |= 1 << (norm & 31);
  }
}

/** Moves the pairs that no other pair dominates to `out`, by rising norm and frequency, and clears the gatherer. */
export function takeImpacts(gatherer: ImpactGatherer, out: ImpactPairs): void {
  out.count = 0;
  let highest = 0;
  for (let word = 0; word < 8; word++) {
    let bits = gatherer.seen[word]!;
    gatherer.seen[word] = 0;
    while (bits !== 0) {
      const norm = word * 32 + 31 - Math.clz32(bits & -bits);
      bits &= bits - 1;
      const freq = gatherer.best[norm]!;
      gatherer.best[norm] = 0;
      if (freq <= highest) continue;
      highest = freq;
      out.norms[out.count] = norm;
      out.freqs[out.count++] = freq;
    }
  }
}

/** Reads the pairs of `writeImpacts`. */
export function readImpacts(input: { varint(): number }, out: ImpactPairs): void {
  const count = Math.min(input.varint(), PAIRS_MAX);
  if (out.freqs.length < count) {
    out.freqs = new Int32Array(Math.max(count, 8));
    out.norms = new Uint8Array(Math.max(count, 8));
  }
  out.count = count;
  let freq = 0;
  let norm = 0;
  for (let i = 0; i < count; i++) {
    norm += input.varint();
    freq += input.varint();
    out.norms[i] = norm;
    out.freqs[i] = freq;
  }
}

/** Writes pairs as differences to the pair before. */
export function writeImpacts(impacts: Impacts, out: { varint(value: number): void }): void {
  out.varint(impacts.count);
  let freq = 0;
  let norm = 0;
  for (let i = 0; i < impacts.count; i++) {
    out.varint(impacts.norms[i]! - norm);
    out.varint(impacts.freqs[i]! - freq);
    norm = impacts.norms[i]!;
    freq = impacts.freqs[i]!;
  }
}
