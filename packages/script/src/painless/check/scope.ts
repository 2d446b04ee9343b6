import type { Type } from '../types.js';

/** A variable that a script can name. */
export interface Variable {
  readonly type: Type;
  readonly slot: number;
  /** Whether the script may only read it: variables of the context, and captured ones inside lambdas. */
  readonly isReadOnly: boolean;
}

/** The variables of a block of statements; those of the blocks around it show through. */
export class Scope {
  readonly #parent: Scope | null;
  readonly #isLambda: boolean;
  readonly #variables = new Map<string, Variable>();

  constructor(parent: Scope | null, isLambda = false) {
    this.#parent = parent;
    this.#isLambda = isLambda;
  }

  find(name: string): Variable | null {
    const own = this.#variables.get(name);
    if (own) return own;
    const outer = this.#parent?.find(name) ?? null;
    return outer && this.#isLambda ? { ...outer, isReadOnly: true } : outer;
  }

  add(name: string, variable: Variable): void {
    this.#variables.set(name, variable);
  }
}
