/**
 * A type by its canonical name: `int`, `def`, `void`, `null` (of the constant), `java.util.List`, `int[]`. Generics do
 * not exist in Painless.
 */
export type Type = string;

export const OBJECT = 'java.lang.Object';
export const STRING = 'java.lang.String';

/** Numeric primitive types, narrow to wide; `char` stands apart, since it widens to int and beyond only. */
const WIDTHS: ReadonlyMap<Type, number> = new Map([
  ['byte', 1],
  ['short', 2],
  ['char', 2],
  ['int', 3],
  ['long', 4],
  ['float', 5],
  ['double', 6],
]);

const BOXES: ReadonlyMap<Type, Type> = new Map([
  ['boolean', 'java.lang.Boolean'],
  ['byte', 'java.lang.Byte'],
  ['short', 'java.lang.Short'],
  ['char', 'java.lang.Character'],
  ['int', 'java.lang.Integer'],
  ['long', 'java.lang.Long'],
  ['float', 'java.lang.Float'],
  ['double', 'java.lang.Double'],
]);
const UNBOXED: ReadonlyMap<Type, Type> = new Map([...BOXES].map(([primitive, box]) => [box, primitive]));

export function isPrimitive(type: Type): boolean {
  return BOXES.has(type);
}

/** Whether the type is a primitive number or a char. */
export function isNumeric(type: Type): boolean {
  return WIDTHS.has(type);
}

/** Returns the class that boxes a primitive type; any other type as it is. */
export function boxOf(type: Type): Type {
  return BOXES.get(type) ?? type;
}

/** Returns the primitive type that a class boxes; any other type as it is. */
export function unboxedOf(type: Type): Type {
  return UNBOXED.get(type) ?? type;
}

/** Whether every value of one numeric primitive type is one of another, as Java widens. */
export function widens(from: Type, to: Type): boolean {
  if (to === 'char' || !isNumeric(from) || !isNumeric(to)) return from === to;
  return WIDTHS.get(from)! <= WIDTHS.get(to)! && !(from === 'char' && to === 'short');
}

/** Returns the type in which two numbers are calculated: at least int. Null where they are none, or must be whole. */
export function promoteNumbers(left: Type, right: Type, mayBeDecimal: boolean): Type | null {
  const a = unboxedOf(left);
  const b = unboxedOf(right);
  if (a === 'def' || b === 'def') return 'def';
  if (!isNumeric(a) || !isNumeric(b)) return null;
  const width = Math.max(WIDTHS.get(a)!, WIDTHS.get(b)!, 3);
  if (width > 4 && !mayBeDecimal) return null;
  return ['int', 'long', 'float', 'double'][width - 3]!;
}

/** Returns the type of an array's elements; null if the type is no array. */
export function elementOf(type: Type): Type | null {
  return type.endsWith('[]') ? type.slice(0, -2) : null;
}
