import { castError, syntaxError } from '../syntax-error.js';
import { boxOf, elementOf, isNumeric, isPrimitive, OBJECT, STRING, type Type, unboxedOf, widens } from '../types.js';
import type { CastOptions, Checker } from './checker.js';
import type { Typed } from './typed.js';

type Legality = 'same' | 'convert' | 'refused';

function isCharText(from: Type, to: Type): boolean {
  return (from === STRING && to === 'char') || (from === 'char' && to === STRING);
}

function ofPrimitive(from: Type, to: Type, options: CastOptions, checker: Checker): Legality {
  if (to === 'def') return 'convert';
  if (isPrimitive(to)) {
    if (from === 'boolean' || to === 'boolean') return 'refused';
    return widens(from, to) || options.isExplicit ? 'convert' : 'refused';
  }
  if (isCharText(from, to)) return options.isExplicit ? 'convert' : 'refused';
  if (!options.isInternal) return 'refused';
  return checker.registry.isSubclass(boxOf(from), to) ? 'convert' : 'refused';
}

function toPrimitive(from: Type, to: Type, options: CastOptions): Legality {
  if (from === STRING && to === 'char') return options.isExplicit ? 'convert' : 'refused';
  const unboxed = unboxedOf(from);
  if (unboxed !== from)
    return unboxed === to || widens(unboxed, to) || (options.isExplicit && isNumeric(unboxed) && isNumeric(to))
      ? 'convert'
      : 'refused';
  const mayHold = from === OBJECT || (from === 'java.lang.Number' && isNumeric(to));
  return mayHold && options.isExplicit ? 'convert' : 'refused';
}

function legality(from: Type, to: Type, options: CastOptions, checker: Checker): Legality {
  if (from === 'def') return 'convert';
  if (isPrimitive(from)) return ofPrimitive(from, to, options, checker);
  if (to === 'def') return 'same';
  if (isPrimitive(to)) return toPrimitive(from, to, options);
  if (isCharText(from, to)) return 'convert';
  if (isArrayOf(from, to, checker)) return 'same';
  if (checker.registry.isSubclass(from, to)) return 'same';
  return options.isExplicit && checker.registry.isSubclass(to, from) ? 'convert' : 'refused';
}

/** Whether an array is one of a wider class too, as all arrays of references are of Object. */
function isArrayOf(from: Type, to: Type, { registry }: Checker): boolean {
  const [element, wanted] = [elementOf(from), elementOf(to)];
  if (element === null || wanted === null || isPrimitive(element) || isPrimitive(wanted)) return false;
  return element === 'def' ? wanted === OBJECT : registry.isSubclass(element, wanted);
}

function ofNull(operand: Typed, to: Type): Typed {
  if (isPrimitive(to)) throw syntaxError(operand.at, `Cannot cast null to a primitive type [${to}].`);
  return { ...operand, type: to };
}

/**
 * Returns an expression of the wanted type: itself, or a conversion node. Throws where Painless has no such conversion.
 * Rules: Elasticsearch's AnalyzerCaster.
 */
export function castTo(operand: Typed, to: Type, checker: Checker, options: CastOptions = {}): Typed {
  const from = operand.type;
  if (from === to) return operand;
  if (to === 'void' || from === 'void') throw castError(operand.at, `Cannot cast from [${from}] to [${to}].`);
  if (from === 'null') return ofNull(operand, to);
  const found = legality(from, to, options, checker);
  if (found === 'refused') throw castError(operand.at, `Cannot cast from [${from}] to [${to}].`);
  // A conversion to a class stays one, whatever its result is taken for.
  if (found === 'same' && operand.kind !== 'cast') return { ...operand, type: to };
  return (
    constantCast(operand, to) ?? {
      kind: 'cast',
      at: operand.at,
      ranAt: operand.ranAt ?? operand.at,
      type: to,
      operand,
      isExplicit: options.isExplicit === true,
    }
  );
}

/** Converts a whole constant to a wider or other numeric type while compiling; null where it is no such constant. */
function constantCast(operand: Typed, to: Type): Typed | null {
  if (operand.kind !== 'constant' || typeof operand.value !== 'number') return null;
  if (!['int', 'byte', 'short'].includes(operand.type) || !['long', 'double'].includes(to)) return null;
  return { ...operand, type: to };
}
