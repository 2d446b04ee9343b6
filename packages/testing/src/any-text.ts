import fc from 'fast-check';

/** Any code point but halves of surrogate pairs, as text. */
const CODE_POINT = fc
  .integer({ min: 0, max: 0x10ffff })
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

/**
 * Texts of any code points, as `fc.string({ unit: 'binary' })` draws them: that unit takes half a second to set up,
 * once a process.
 */
export function anyText(constraints: fc.StringSharedConstraints = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: CODE_POINT });
}
