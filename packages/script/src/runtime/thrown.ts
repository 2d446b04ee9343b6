import { ScriptObject } from './script-object.js';

/** An exception of Java that a script threw or ran into; scripts can catch it. */
export class Thrown extends Error {
  readonly javaClass: string;
  /** Text of the exception; null where Java gives none. */
  readonly told: string | null;

  constructor(javaClass: string, told: string | null) {
    super(told ?? javaClass);
    this.javaClass = javaClass;
    this.told = told;
  }
}

/** The exception as scripts hold it. */
export class ExceptionValue extends ScriptObject {
  readonly javaClass: string;
  readonly told: string | null;

  constructor(javaClass: string, told: string | null) {
    super();
    this.javaClass = javaClass;
    this.told = told;
  }

  toText(): string {
    return this.told === null ? this.javaClass : `${this.javaClass}: ${this.told}`;
  }
}

/** Returns what a script throws; a null is a NullPointerException. */
export function raised(value: ExceptionValue | null): Error {
  return value === null ? nullPointer(null) : new Thrown(value.javaClass, value.told);
}

/** A bound that an execution reached, told by the type of the error in the answer; scripts cannot catch it. */
export class LimitError extends Error {
  readonly type: string;
  readonly told: string | null;

  constructor(type: string, told: string | null) {
    super(told ?? type);
    this.type = type;
    this.told = told;
  }
}

/** The end of an execution by `Debug.explain(value)`. */
export class Explained extends Error {
  readonly value: unknown;

  constructor(value: unknown) {
    super('explain');
    this.value = value;
  }
}

export const illegalArgument = (told: string): Thrown => new Thrown('java.lang.IllegalArgumentException', told);
export const classCast = (told: string): Thrown => new Thrown('java.lang.ClassCastException', told);
/** What the virtual machine says of a value of a class that is no other one. */
export const cannotCast = (from: string, to: string): Thrown =>
  classCast(
    `class ${from} cannot be cast to class ${to} (${from} and ${to} are in module java.base of loader 'bootstrap')`,
  );
export const nullPointer = (told: string | null): Thrown => new Thrown('java.lang.NullPointerException', told);
export const unsupported = (told: string | null = null): Thrown =>
  new Thrown('java.lang.UnsupportedOperationException', told);
export const outOfBounds = (index: number, length: number): Thrown =>
  new Thrown('java.lang.IndexOutOfBoundsException', `Index ${index} out of bounds for length ${length}`);
