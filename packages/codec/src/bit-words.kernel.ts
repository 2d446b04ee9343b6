/** Number of set bits of one word. Warren, "Hacker's Delight", figure 5-2. */
export function popCount(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Number of set bits of words[from … to - 1]. */
export function popCountWords(words: Int32Array, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) count += popCount(words[i]!);
  return count;
}

/** Smallest set bit in [bit, size), or -1 if there is none. */
export function nextSetBit(words: Int32Array, size: number, bit: number): number {
  if (bit >= size) return -1;
  let index = bit >>> 5;
  let word = words[index]! & (-1 << (bit & 31));
  const end = (size + 31) >>> 5;
  while (word === 0) {
    if (++index >= end) return -1;
    word = words[index]!;
  }
  const found = (index << 5) + 31 - Math.clz32(word & -word);
  return found < size ? found : -1;
}

/** Largest set bit <= `bit`, or -1 if there is none. */
export function previousSetBit(words: Int32Array, bit: number): number {
  if (bit < 0) return -1;
  let index = bit >>> 5;
  let word = words[index]! & (-1 >>> (31 - (bit & 31)));
  while (word === 0) {
    if (--index < 0) return -1;
    word = words[index]!;
  }
  return (index << 5) + 31 - Math.clz32(word);
}

/** Writes the positions of the set bits in [from, to), ascending, into `out`; returns their number. */
export function bitsToList(words: Int32Array, from: number, to: number, out: Int32Array): number {
  let count = 0;
  const last = (to + 31) >>> 5;
  for (let index = from >>> 5; index < last; index++) {
    let word = words[index]!;
    const base = index << 5;
    if (base < from) word &= -1 << (from & 31);
    if (base + 32 > to && (to & 31) !== 0) word &= -1 >>> (32 - (to & 31));
    while (word !== 0) {
      out[count++] = base + 31 - Math.clz32(word & -word);
      word &= word - 1;
    }
  }
  return count;
}
