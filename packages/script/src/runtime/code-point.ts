const CODE_MAX = 0x10ffff;

/** The text of a code point; empty for a number that is none. */
export function textOfCode(code: number): string {
  return code >= 0 && code <= CODE_MAX ? String.fromCodePoint(code) : '';
}
