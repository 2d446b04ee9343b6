import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { SCAN_NEEDS_STRICT, SCAN_NOT_ASCII, scanJson, skipSpace, skipString, skipValue } from './scan-json.kernel.js';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Counts keys, levels and the digits of the longest integer of a parsed value. */
function measure(value: unknown): { keys: number; depth: number; digits: number } {
  if (typeof value === 'number') return { keys: 0, depth: 0, digits: String(Math.abs(value)).length };
  if (typeof value !== 'object' || value === null) return { keys: 0, depth: 0, digits: 0 };
  const below = Object.values(value).map(measure);
  return {
    keys: below.reduce((sum, one) => sum + one.keys, Array.isArray(value) ? 0 : Object.keys(value).length),
    depth: 1 + Math.max(0, ...below.map((one) => one.depth)),
    digits: Math.max(0, ...below.map((one) => one.digits)),
  };
}

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.integer(),
    fc.boolean(),
    fc.constantFrom(null, '{"a":[', '\\', '"', ':12345678901'),
    fc.string({ unit: 'grapheme' }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 3 }),
  ),
})).value;

kernelContract(
  'scanJson counts keys, and finds deep nesting, long integers and what is no ASCII',
  ({ value, depthMax, digitsMax, indent }) => {
    const bytes = bytesOf(JSON.stringify(value, null, indent));
    return scanJson(bytes, 0, bytes.length, depthMax, digitsMax);
  },
  ({ value, depthMax, digitsMax }) => {
    const { keys, depth, digits } = measure(value);
    if (depth > depthMax || digits > digitsMax) return SCAN_NEEDS_STRICT;
    // oxlint-disable-next-line no-control-regex -- ASCII is the point
    return /^[\x00-\x7f]*$/.test(JSON.stringify(value)) ? keys : keys | SCAN_NOT_ASCII;
  },
  fc.record({
    value: json,
    depthMax: fc.integer({ min: 1, max: 6 }),
    digitsMax: fc.integer({ min: 3, max: 12 }),
    indent: fc.constantFrom(0, 2),
  }),
  500,
);

kernelContract(
  'skipValue, skipString and skipSpace end where the value ends',
  ({ value, text, space }) => {
    const one = bytesOf(JSON.stringify(value));
    const list = bytesOf(`[${space}${JSON.stringify(value)}${space},${JSON.stringify(text)}]`);
    const start = skipSpace(list, 1);
    const after = skipValue(list, start);
    const next = skipSpace(list, after) + 1;
    return { length: after - start === one.length, string: skipString(list, next), whole: skipValue(list, 0) };
  },
  ({ value, text, space }) => {
    const list = bytesOf(`[${space}${JSON.stringify(value)}${space},${JSON.stringify(text)}]`);
    return { length: true, string: list.length - 1, whole: list.length };
  },
  fc.record({ value: json, text: fc.string({ unit: 'grapheme' }), space: fc.constantFrom('', ' ', '\n\t ') }),
  500,
);
