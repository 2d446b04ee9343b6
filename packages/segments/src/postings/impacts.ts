import type { Impacts } from '../segment-reader.js';

/** Pairs that a list of impacts can have: one a norm byte. */
const PAIRS_MAX = 256;

/** Impacts that can be refilled. */
export interface ImpactPairs extends Impacts {
  count: number;
  freqs: Int32Array;
  norms: Uint8Array;
}

/** Empty impacts with room for `pairs`. */
export const impactPairs = (pairs = PAIRS_MAX): ImpactPairs => ({
  count: 0,
  freqs: new Int32Array(pairs),
  norms: new Uint8Array(pairs),
});

/** Highest frequency by norm of the postings noted so far; the norms seen are bits of `seen`. */
export interface ImpactGatherer {
  readonly best: Int32Array;
  readonly seen: Int32Array;
}

export const impactGatherer = (): ImpactGatherer => ({ best: new Int32Array(256), seen: new Int32Array(8) });

/** Notes one posting or pair. */
export function noteImpact(gatherer: ImpactGatherer, freq: number, norm: number): void {
  if (freq > gatherer.best[norm]!) {
    gatherer.best[norm] = freq;
    gatherer.seen[norm >>> 5]! |= 1 << (norm & 31);
  }
}

/** Moves the pairs that nothing dominates into `out`, by rising norm and frequency, and empties the gatherer. */
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

/** Reads pairs written by `writeImpacts`. */
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

/** Writes pairs as differences. */
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
