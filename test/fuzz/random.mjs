// A seeded source of choices: the same seed gives the same inputs.

/** Choices of one seed (mulberry32, Tommy Ettinger, public domain). */
export function choices(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n) => Math.floor(next() * n);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (list) => list[below(list.length)],
    bytes: (count) => Uint8Array.from({ length: count }, () => below(256)),
  };
}
