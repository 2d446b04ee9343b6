import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { countValues } from './count-values.kernel.js';

/** Weight of a parsed value without the 1 for the whole. */
function weigh(value: unknown): number {
  if (typeof value === 'number') return String(Math.abs(value)).length >= 16 ? 7 : 0;
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  const keys = Array.isArray(value) ? 0 : members.length * 3;
  return 2 + keys + Math.max(0, members.length - 1) + members.reduce((sum: number, one) => sum + weigh(one), 0);
}

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.integer(),
    fc.constantFrom(null, true, 1234567890123456, -123456789012345, '{"a":[', '\\', '"', ':12345678901234567', ',,'),
    fc.string({ unit: 'grapheme' }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 3 }),
  ),
})).value;

kernelContract(
  'countValues weighs keys, containers, long integers and the values between commas, up to a limit',
  ({ value, max, indent }) => {
    const weight = countValues(new TextEncoder().encode(JSON.stringify(value, null, indent)), max);
    return weight > max ? 'more' : weight;
  },
  ({ value, max }) => {
    const weight = 1 + weigh(value);
    return weight > max ? 'more' : weight;
  },
  fc.record({ value: json, max: fc.nat(40), indent: fc.constantFrom(0, 2) }),
);
