/** Moves surrogates behind U+FFFF's neighbours, so that code units compare as their code points do. */
const fixUp = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

/**
 * Order of two strings by code point, which is the order of their UTF-8 bytes. `<` compares code units and differs
 * above U+D7FF.
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
