import { locate } from '@shoal/json';

/** Numbers whose text JSON.parse does not give back: trailing zeros behind the point, exponents, very long fractions, `-0`. */
const ODD_NUMBER = /\d\.\d*0(?!\d)|\d[eE][+-]?\d|\.\d{16}|-0(?![.\d])/;
const NUMBER_AT = /^-?[\d.eE+-]+/;

const decoder = new TextDecoder('latin1');

/** Whether any number of the source may be written otherwise than JavaScript writes it. Texts that look so count too. */
export function hasOddNumbers(source: Uint8Array): boolean {
  return ODD_NUMBER.test(decoder.decode(source));
}

/** A number as it stands in the source at a key of a container. */
export function numberText(source: Uint8Array, root: unknown, container: object, key: string | number, value: number): string {
  const position = locate(source, root, { container, key });
  if (!position) return String(value);
  let start = 0;
  for (let line = 1; line < position.line; line++) start = source.indexOf(10, start) + 1;
  const from = start + position.col - 1;
  return NUMBER_AT.exec(decoder.decode(source.subarray(from, from + 400)))?.[0] ?? String(value);
}
