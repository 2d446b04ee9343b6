import type { Registry } from '../allow/registry.js';
import type { TypedBlock } from '../check/typed.js';
import type { Type } from '../types.js';

/** What is known while a script's JavaScript is written: constants that it refers to, and the function at the place. */
export class Emitter {
  readonly registry: Registry;
  readonly constants: unknown[] = [];
  readonly #block: (emitter: Emitter, block: TypedBlock) => string;
  readonly #places = new Map<unknown, number>();
  #names = 0;
  #parameters: Map<string, string> | null = null;
  /** Whether the main function sets variable 0, the map of parameters. */
  setsParameters = false;
  /** Temporaries that the function at the place uses. */
  temps = new Set<number>();
  hasLoops = false;
  result: Type = 'void';
  /** Whether the function at the place returns boxed values: a lambda does. */
  isBoxing = false;

  constructor(registry: Registry, block: (emitter: Emitter, block: TypedBlock) => string) {
    this.registry = registry;
    this.#block = block;
  }

  /** Returns the name of a constant of the script. */
  constant(value: unknown): string {
    let place = this.#places.get(value);
    if (place === undefined) {
      place = this.constants.push(value) - 1;
      this.#places.set(value, place);
    }
    return `c${place}`;
  }

  /** Begins the main function, whose variable 0 is the map of parameters: they are read once before it. */
  readParametersBefore(): void {
    this.#parameters = new Map();
  }

  /** Parameters that are read before the main function: their names in the text, by the constants of their keys. */
  get parameters(): ReadonlyMap<string, string> {
    return this.#parameters ?? new Map<string, string>();
  }

  /** Returns the name of a parameter that is read before; null for a map in a slot that is looked into at its place. */
  parameter(slot: number, key: unknown): string | null {
    if (slot !== 0 || this.#parameters === null || typeof key !== 'string') return null;
    const constant = this.constant(key);
    let name = this.#parameters.get(constant);
    if (name === undefined) this.#parameters.set(constant, (name = this.fresh()));
    return name;
  }

  /** Returns a name that the text has not used. */
  fresh(): string {
    return `x${this.#names++}`;
  }

  /** Writes the statements of a lambda's body. */
  block(block: TypedBlock): string {
    return this.#block(this, block);
  }

  temp(temp: number): string {
    this.temps.add(temp);
    return `t${temp}`;
  }

  /** Writes the body of a function with temporaries and loops of its own. */
  asFunction(result: Type, isBoxing: boolean, write: () => string): string {
    const outer = { temps: this.temps, hasLoops: this.hasLoops, result: this.result, isBoxing: this.isBoxing };
    Object.assign(this, { temps: new Set<number>(), hasLoops: false, result, isBoxing });
    const body = write();
    const names = [...this.temps].map((temp) => `t${temp}`);
    if (this.hasLoops) names.push('n=1000000');
    Object.assign(this, outer);
    return names.length === 0 ? body : `let ${names.join(',')};${body}`;
  }
}
