import { errors } from '@shoal/errors';
import { floatNumber } from '@shoal/json';
import { parseIp } from '@shoal/values';
import { double, javaText } from '../java-values.js';
import type { ProcessorType } from '../processor-type.js';

const unable = (value: unknown, type: string, text: string): Error =>
  errors.illegalArgument(`unable to convert [${javaText(value)}] to ${type}`, {
    cause: errors.numberFormat(text === '' ? 'For input string: ""' : `For input string: "${text}"`),
  });

/** Converts a text with a sign and in decimal or `0x` to a whole number of so many bits. */
function whole(value: unknown, type: 'integer' | 'long'): number | bigint {
  const text = javaText(value);
  const match = /^([+-]?)(?:0[xX]([0-9a-fA-F]+)|(\d+))$/.exec(text);
  if (!match) throw unable(value, type, text);
  const [, sign, hex, digits] = match;
  const size = BigInt(hex === undefined ? digits! : `0x${hex}`);
  const number = sign === '-' ? -size : size;
  const bits = type === 'integer' ? 32 : 64;
  if (BigInt.asIntN(bits, number) !== number) throw unable(value, type, text);
  const plain = Number(number);
  return Number.isSafeInteger(plain) ? plain : number;
}

function decimal(value: unknown, type: 'float' | 'double'): unknown {
  const text = javaText(value).trim();
  if (!/^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?|NaN|Infinity)$/.test(text))
    throw unable(value, type, text);
  const number = Number(text.replace(/[fFdD]$/, ''));
  // JSON has no such numbers: 8.12 writes their text.
  if (!Number.isFinite(number)) return String(number);
  return type === 'float' ? floatNumber(Math.fround(number)) : double(number);
}

function boolean(value: unknown): boolean {
  const text = javaText(value).toLowerCase();
  if (text === 'true') return true;
  if (text === 'false') return false;
  throw errors.illegalArgument(`[${javaText(value)}] is not a boolean value, cannot convert to boolean`);
}

function ip(value: unknown): unknown {
  const text = javaText(value);
  if (typeof value === 'string' && parseIp(text) !== null) return text;
  throw errors.illegalArgument(`[${text}] is not a valid ipv4/ipv6 address`);
}

/** Guesses: a boolean, a whole number, a decimal one, else the value as it is. */
function auto(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  for (const convert of [
    boolean,
    (text: unknown) => whole(text, 'integer'),
    (text: unknown) => whole(text, 'long'),
    (text: unknown) => decimal(text, 'float'),
  ]) {
    try {
      return convert(value);
    } catch {
      // The next kind may fit.
    }
  }
  return value;
}

const CONVERSIONS: ReadonlyMap<string, (value: unknown) => unknown> = new Map<string, (value: unknown) => unknown>([
  ['integer', (value) => whole(value, 'integer')],
  ['long', (value) => whole(value, 'long')],
  ['float', (value) => decimal(value, 'float')],
  ['double', (value) => decimal(value, 'double')],
  ['boolean', boolean],
  ['ip', ip],
  ['string', javaText],
  ['auto', auto],
]);

/** Converts values to another type; of a list, each. */
export const convert: ProcessorType = {
  name: 'convert',
  parse(config) {
    const field = config.string('field');
    const type = config.string('type');
    const targetField = config.stringOr('target_field', field);
    const ignoreMissing = config.boolean('ignore_missing', false);
    const conversion = CONVERSIONS.get(type.toLowerCase());
    if (!conversion) throw config.error('type', `type [${type}] not supported, cannot convert field.`);
    return (document) => {
      const value = document.get(field, ignoreMissing) ?? null;
      if (value === null) {
        if (ignoreMissing) return;
        throw errors.illegalArgument(`Field [${field}] is null, cannot be converted to type [${type.toLowerCase()}]`);
      }
      const converted = Array.isArray(value) ? value.map(conversion) : conversion(value);
      // `auto` leaves objects as they are: one that became a member of itself would have no end.
      document.set(targetField, targetField === field ? converted : document.copyOf(converted));
    };
  },
};
