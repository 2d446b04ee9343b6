import { syntaxError } from '../syntax-error.js';
import type { Expression } from '../tree.js';
import type { Type } from '../types.js';
import type { Typed } from './typed.js';

type NumberNode = Extract<Expression, { kind: 'number' }>;

const RANGES: ReadonlyMap<Type, readonly [number, number]> = new Map([
  ['byte', [-128, 127]],
  ['short', [-32768, 32767]],
  ['char', [0, 65535]],
]);
const INT_MIN = -(2n ** 31n);
const INT_MAX = 2n ** 31n - 1n;
const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;

/** Returns a long as scripts hold it: a number below 2^53, a bigint beyond. */
function longValue(value: bigint): number | bigint {
  const number = Number(value);
  return Math.abs(number) < 2 ** 53 ? number : value;
}

function decimal(node: NumberNode, isNegative: boolean): Typed {
  const suffix = node.text.at(-1)!.toLowerCase();
  const value = Number(node.text.replace(/[fFdD]$/, '')) * (isNegative ? -1 : 1);
  const type = suffix === 'f' ? 'float' : 'double';
  const stored = type === 'float' ? Math.fround(value) : value;
  if (!Number.isFinite(stored))
    throw syntaxError(node.at, `Invalid ${type} constant [${node.text.replace(/[fFdD]$/, '')}].`);
  return { kind: 'constant', at: node.at, type, value: stored };
}

function magnitude(node: NumberNode): bigint {
  const digits = node.text.replace(/[lL]$/, '');
  if (node.radix === 16) return BigInt(digits);
  return BigInt(node.radix === 8 ? `0o${digits.slice(1)}` : digits);
}

function whole(node: NumberNode, isNegative: boolean, expected: Type | null): Typed {
  const value = isNegative ? -magnitude(node) : magnitude(node);
  const text = `${isNegative ? '-' : ''}${node.text.replace(/[lL]$/, '')}`;
  if (/[lL]$/.test(node.text)) {
    if (value < LONG_MIN || value > LONG_MAX)
      throw syntaxError(node.at, `Invalid long constant [${text}${node.text.at(-1)}].`);
    return { kind: 'constant', at: node.at, type: 'long', value: longValue(value) };
  }
  if (value < INT_MIN || value > INT_MAX) throw tooLarge(node, text, value);
  const range = expected === null ? undefined : RANGES.get(expected);
  const fits = range !== undefined && value >= range[0] && value <= range[1];
  return { kind: 'constant', at: node.at, type: fits ? expected! : 'int', value: Number(value) };
}

function tooLarge(node: NumberNode, text: string, value: bigint): Error {
  const wider = value >= LONG_MIN && value <= LONG_MAX ? 'long' : 'double';
  const hint = `If you want a ${wider} constant then change it to [${text}${wider === 'long' ? 'L' : 'D'}].`;
  return syntaxError(node.at, `Invalid int constant [${text}]. ${hint}`);
}

/** Returns the constant of a number as written, of a small type if one is expected and the number fits it. */
export function checkNumber(node: NumberNode, isNegative: boolean, expected: Type | null): Typed {
  const isFloating = node.isDecimal || (node.radix === 10 && /[fFdD]$/.test(node.text));
  return isFloating ? decimal(node, isNegative) : whole(node, isNegative, expected);
}
