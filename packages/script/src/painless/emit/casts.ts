import { isPrimitive, OBJECT, STRING, type Type, unboxedOf } from '../types.js';
import { mark } from './code.js';
import type { Emitter } from './emitter.js';

const NARROWING: Readonly<Record<string, (value: string) => string>> = {
  byte: (value) => `(${value}<<24>>24)`,
  short: (value) => `(${value}<<16>>16)`,
  char: (value) => `(${value}&65535)`,
  int: (value) => value,
};

/** Writes the conversion of one primitive number to another, as Java's casts do. */
function emitNumeric(from: Type, to: Type, value: string): string {
  if (from === to) return value;
  if (to === 'float') return `Math.fround(${from === 'long' ? `h.longToDouble(${value})` : value})`;
  if (to === 'double') return from === 'long' ? `h.longToDouble(${value})` : value;
  const isDecimal = from === 'float' || from === 'double';
  if (to === 'long') return isDecimal ? `h.doubleToLong(${value})` : value;
  const int = isDecimal ? `h.doubleToInt(${value})` : from === 'long' ? `h.longToInt(${value})` : value;
  return NARROWING[to]!(int);
}

/** Writes a primitive as a boxed value. */
export function emitBox(type: Type, value: string): string {
  switch (type) {
    case 'long':
      return `h.boxLong(${value})`;
    case 'double':
      return `h.boxDouble(${value})`;
    case 'float':
      return `h.boxFloat(${value})`;
    case 'short':
      return `h.boxShort(${value})`;
    case 'byte':
      return `h.boxByte(${value})`;
    case 'char':
      return `h.boxChar(${value})`;
    default:
      return value;
  }
}

/** Writes a boxed value as one of a type: unboxed, or checked to be of the class. */
export function emitUnbox(emitter: Emitter, at: number, to: Type, value: string, isExplicit: boolean): string {
  const explicit = isExplicit ? ',true' : ',false';
  if (to === 'boolean') return `${mark(at)}h.unboxBoolean(${value})`;
  if (to === 'int' && !isExplicit) return `${mark(at)}h.unboxInt(${value})`;
  if (isPrimitive(to)) return `${mark(at)}h.unboxNumber(${value},${emitter.constant(to)}${explicit})`;
  if (to === OBJECT || to === 'def') return value;
  return `${mark(at)}h.checkClass(${value},${emitter.constant(emitter.registry)},${emitter.constant(to)}${explicit})`;
}

/** Writes a conversion that the checker has allowed. */
export function emitCast(
  emitter: Emitter,
  at: number,
  from: Type,
  to: Type,
  value: string,
  isExplicit: boolean,
): string {
  if (isPrimitive(from)) {
    if (from === 'char' && to === STRING) return `h.charText(${value})`;
    if (isPrimitive(to)) return emitNumeric(from, to, value);
    const boxed = unboxedOf(to);
    return boxed !== to && boxed !== from ? emitBox(boxed, emitNumeric(from, boxed, value)) : emitBox(from, value);
  }
  if (from === STRING && to === 'char') return `${mark(at)}h.charOf(${value})`;
  return emitUnbox(emitter, at, to, value, isExplicit);
}
