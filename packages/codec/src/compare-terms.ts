/** Rotates surrogates (U+D800–U+DFFF) above U+E000–U+FFFF, so that code units order as their code points do. */
const fixUp = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

/**
 * Compares two strings by code point, which is the order of their UTF-8 bytes: negative, 0 or positive. `<` compares
 * code units, which differs for surrogate pairs and U+E000–U+FFFF.
 */
export function compareTerms(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return fixUp(x) - fixUp(y);
  }
  return a.length - b.length;
}
