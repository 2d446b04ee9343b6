import type { Type } from '../types.js';

/**
 * Implementation of a member. A method's first parameter is its object. Its types stand in the signature, which the
 * checker has proven. Values are as ../../runtime/values.ts tells.
 */
export type Implementation = (...values: never[]) => unknown;

/**
 * A row of the allow-list: a class and those of its members that scripts may name. Keys are signatures of Java with
 * simple names: `boolean add(def)`. Inherited members stand in the rows of the parents.
 */
export interface ClassRow {
  readonly name: Type;
  /** Whether the class is known by its canonical name only. */
  readonly isUnimported?: true;
  readonly parents?: readonly Type[];
  readonly methods?: Readonly<Record<string, Implementation>>;
  readonly statics?: Readonly<Record<string, Implementation>>;
  /** Keys are parameters: `(int)`. */
  readonly constructors?: Readonly<Record<string, Implementation>>;
  /** Constants: `double PI`. */
  readonly constants?: Readonly<Record<string, unknown>>;
  /** The one abstract method of a functional interface: lambdas may stand where the class is asked for. */
  readonly functional?: string;
}

/** Classes that a context adds to those that every script may name. */
export type AllowTable = readonly ClassRow[];
