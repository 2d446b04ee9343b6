/** Seeded random numbers (xorshift32); each run has its own generator. */
export interface Random {
  /** Uniform in [0, bound), an integer. */
  below(bound: number): number;
  /** True with `probability`. */
  chance(probability: number): boolean;
  /** Uniform in [low, high). */
  between(low: number, high: number): number;
}

/** A generator whose sequence depends on `seed` only; near seeds give unrelated sequences (murmur3 finaliser). */
export function seededRandom(seed: number): Random {
  let x = mix(seed + 0x9e3779b9) || 1;
  const unit = (): number => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 0) / 4294967296;
  };
  return {
    below: (bound) => Math.floor(unit() * bound),
    chance: (probability) => unit() < probability,
    between: (low, high) => low + unit() * (high - low),
  };
}

function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
