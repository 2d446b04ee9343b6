import type { ScriptContext } from '../../contexts/context.js';
import { Cell, type CellKind } from '../../runtime/cell.js';
import type { Registry } from '../allow/registry.js';
import { syntaxError } from '../syntax-error.js';
import type { Block, Expression, WrittenType } from '../tree.js';
import type { Type } from '../types.js';
import { Scope, type Variable } from './scope.js';
import type { ScriptUses, Typed, TypedBlock } from './typed.js';

/** How a value is converted: written as a cast, or by the compiler where a parameter takes a boxed value. */
export interface CastOptions {
  readonly isExplicit?: boolean;
  readonly isInternal?: boolean;
}

/** Rules of the language that lie in one another: an argument may be a lambda, whose body is a block. */
export interface Rules {
  /** Checks an expression by itself; constants follow the type that its place asks for. */
  readonly expression: (node: Expression, checker: Checker, expected: Type | null) => Typed;
  /** Checks an expression and converts it to a type. */
  readonly converted: (node: Expression, type: Type, checker: Checker, options: CastOptions) => Typed;
  /** Checks the statements of a function; `missing` makes the error of a path that returns nothing. */
  readonly body: (block: Block, checker: Checker, missing: (() => Error) | null) => TypedBlock;
}

/** Returns how the host keeps the values of a field; null where scripts see them boxed only. */
export type CellKinds = (field: string) => CellKind | null;

/** Types of a function that the script declares. */
export interface DeclaredFunction {
  readonly name: string;
  readonly place: number;
  readonly result: Type;
  readonly parameters: readonly Type[];
}

/** What the checker knows while it walks a script. */
export class Checker {
  readonly registry: Registry;
  readonly context: ScriptContext;
  readonly functions = new Map<string, DeclaredFunction>();
  readonly #rules: Rules;
  readonly #kinds: CellKinds;
  readonly #cells = new Map<string, Cell>();
  readonly #fields = new Set<string>();
  readonly #used = new Set<string>();
  readonly #starts = new Set<number>();
  #isDeterministic = true;
  #slots = 0;
  #temps = 0;
  #loops = 0;
  scope = new Scope(null);
  /** Type of what the function at the place returns; `void` if nothing. */
  result: Type = 'void';

  constructor(registry: Registry, context: ScriptContext, rules: Rules, kinds: CellKinds) {
    this.#kinds = kinds;
    this.registry = registry;
    this.#rules = rules;
    this.context = context;
  }

  check(node: Expression, expected: Type | null = null): Typed {
    return this.#rules.expression(node, this, expected);
  }

  checkAs(node: Expression, type: Type, options: CastOptions = {}): Typed {
    return this.#rules.converted(node, type, this, options);
  }

  checkBody(block: Block, missing: (() => Error) | null): TypedBlock {
    return this.#rules.body(block, this, missing);
  }

  /** Returns the canonical type; refuses one that is not allowed with the words of `refusal`. */
  type(written: WrittenType, refusal: (name: string) => string): Type {
    const name = written.name + '[]'.repeat(written.dimensions);
    const type = this.registry.resolve(name);
    if (type === null) throw syntaxError(written.at, refusal(name));
    return type;
  }

  declare(at: number, name: string, type: Type, isReadOnly = false): number {
    if (this.scope.find(name)) throw syntaxError(at, `variable [${name}] is already defined`);
    if (type === 'void') throw syntaxError(at, `variable [${name}] cannot be of type [void]`);
    const slot = this.#slots++;
    this.scope.add(name, { type, slot, isReadOnly });
    return slot;
  }

  find(name: string): Variable | null {
    const variable = this.scope.find(name);
    if (variable) this.#used.add(name);
    return variable;
  }

  temp(): number {
    return this.#temps++;
  }

  /** Runs `check` in a scope of its own, which lies in the present one unless `parent` is another. */
  within<T>(check: () => T, isLambda = false, parent: Scope | null = this.scope): T {
    const outer = this.scope;
    this.scope = new Scope(parent, isLambda);
    const checked = check();
    this.scope = outer;
    return checked;
  }

  /** Whether the body of a lambda is checked: its last expression may come to nothing. */
  isLambda = false;

  /** Runs `check` as the body of a function with its own result and no loop around it. */
  asFunction<T>(result: Type, check: () => T, isLambda = false): T {
    const outer = { result: this.result, loops: this.#loops, isLambda: this.isLambda };
    this.isLambda = isLambda;
    this.result = result;
    this.#loops = 0;
    const checked = check();
    this.result = outer.result;
    this.#loops = outer.loops;
    this.isLambda = outer.isLambda;
    return checked;
  }

  inLoop<T>(check: () => T): T {
    this.#loops++;
    const checked = check();
    this.#loops--;
    return checked;
  }

  get isInLoop(): boolean {
    return this.#loops > 0;
  }

  noteStatement(at: number): void {
    this.#starts.add(at);
  }

  /** Returns the cell of a field whose values are unboxed numbers in the host's columns; null for another field. */
  cell(field: string): Cell | null {
    const known = this.#cells.get(field);
    if (known) return known;
    const kind = this.#kinds(field);
    if (kind === null) return null;
    const cell = new Cell(field, kind);
    this.#cells.set(field, cell);
    return cell;
  }

  get cells(): readonly Cell[] {
    return [...this.#cells.values()];
  }

  noteField(name: string): void {
    this.#fields.add(name);
  }

  noteRandom(): void {
    this.#isDeterministic = false;
  }

  get temps(): number {
    return this.#temps;
  }

  get statementStarts(): number[] {
    return [...this.#starts].sort((a, b) => a - b);
  }

  get uses(): ScriptUses {
    return { fields: [...this.#fields], variables: this.#used, isDeterministic: this.#isDeterministic };
  }
}
