import { syntaxError } from '../syntax-error.js';
import { boxOf, isPrimitive } from '../types.js';
import { castTo } from './casts.js';
import type { Checker } from './checker.js';
import type { Typed } from './typed.js';

/** Builds `target?.member`: null where the target is null, else what `inner` reads of it, boxed. */
export function nullSafe(at: number, target: Typed, checker: Checker, inner: (value: Typed) => Typed): Typed {
  if (isPrimitive(target.type)) throw syntaxError(at, 'Result of null safe operator must be nullable');
  const temp = checker.temp();
  const read = inner({ kind: 'temp', at: target.at, type: target.type, temp });
  const type = read.type === 'void' ? 'def' : boxOf(read.type);
  if (isPrimitive(read.type)) throw syntaxError(at, 'Result of null safe operator must be nullable');
  return { kind: 'nullSafe', at, type, temp, target, inner: castTo(read, type, checker, { isInternal: true }) };
}
