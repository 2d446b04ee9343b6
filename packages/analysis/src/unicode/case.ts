/**
 * Lower case of each code point without context, as Java's Character.toLowerCase: `Σ` always becomes `σ`, and `İ` `i`.
 */
export function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return text.includes('\u03a3') || text.includes('\u0130') ? lowerEach(text) : lower;
}

function lowerEach(text: string): string {
  let out = '';
  for (const char of text) out += char === '\u0130' ? 'i' : char.toLowerCase();
  return out;
}

/** Upper case of each code point without expansions, as Java's Character.toUpperCase: `ß` stays. */
export function upperCase(text: string): string {
  const upper = text.toUpperCase();
  return upper.length === text.length ? upper : upperEach(text);
}

function upperEach(text: string): string {
  let out = '';
  for (const char of text) {
    const upper = char.toUpperCase();
    out += upper.length === char.length ? upper : char;
  }
  return out;
}
