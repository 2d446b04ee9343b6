/**
 * Murmur3 x86 32 (Austin Appleby, public domain) with seed 0 over the UTF-16LE bytes of a string, without making the
 * bytes: the hash that Elasticsearch routes documents by. Signed 32-bit result.
 */
export function murmur3Utf16(text: string): number {
  const pairs = text.length >> 1;
  let h = 0;
  for (let i = 0; i < pairs; i++) {
    let k = text.charCodeAt(2 * i) | (text.charCodeAt(2 * i + 1) << 16);
    k = Math.imul(k, 0xcc9e2d51);
    k = (k << 15) | (k >>> 17);
    h ^= Math.imul(k, 0x1b873593);
    h = (h << 13) | (h >>> 19);
    h = (Math.imul(h, 5) + 0xe6546b64) | 0;
  }
  if ((text.length & 1) === 1) {
    let k = Math.imul(text.charCodeAt(text.length - 1), 0xcc9e2d51);
    k = (k << 15) | (k >>> 17);
    h ^= Math.imul(k, 0x1b873593);
  }
  h ^= text.length * 2;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
