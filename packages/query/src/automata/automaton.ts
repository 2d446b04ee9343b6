import { errors } from '@shoal/errors';
import type { CharSet } from './char-set.js';
import type { Expression, Expressions } from './expression.js';

/** Entry of the transition table that has not been computed yet. */
export const UNKNOWN = -1;
/** Number of the state from which no text is accepted. */
export const DEAD = 0;

/** Limit on entries of a transition table: 64 MB. */
const TRANSITIONS_MAX = 1 << 24;

/**
 * Source of the states of an automaton, which are made when they are first reached. The automaton treats a state as
 * opaque.
 */
export interface StateSpace<S> {
  readonly start: S;
  readonly dead: S;
  /** Returns the identity of a state: states with equal keys are the same state. */
  key(state: S): string | number;
  /**
   * Returns the state after a character. `code` is any character of a class: all characters of the class lead to the
   * same state.
   */
  step(state: S, code: number): S;
  accepts(state: S): boolean;
  /** Returns whether every continuation of the text read so far is accepted. */
  acceptsAll(state: S): boolean;
}

/**
 * A deterministic automaton over code points, built lazily. Characters that every transition treats alike form a class.
 * `table[state * classCount + class]` is the next state, or UNKNOWN until `expand` is called.
 */
export class Automaton<S = unknown> {
  readonly start: number;
  readonly classCount: number;
  /** Class of each of the first 128 characters. */
  readonly asciiClass: Uint8Array | Uint16Array;
  table: Int32Array;
  /** Acceptance by state: 0 not accepting, 1 accepts here, 3 accepts here and whatever follows. */
  accepting: Uint8Array;
  readonly #space: StateSpace<S>;
  readonly #boundaries: readonly number[];
  readonly #states: S[] = [];
  readonly #numbers = new Map<string | number, number>();
  readonly #statesMax: number;

  constructor(space: StateSpace<S>, boundaries: readonly number[], statesMax: number) {
    this.#space = space;
    this.#boundaries = boundaries;
    this.#statesMax = statesMax;
    this.classCount = boundaries.length;
    this.asciiClass = Uint16Array.from({ length: 128 }, (_, code) => this.classOf(code));
    this.table = new Int32Array(16 * this.classCount).fill(UNKNOWN);
    this.accepting = new Uint8Array(16);
    this.#number(space.dead);
    this.start = this.#number(space.start);
  }

  /** Returns the class of a code point: the last class whose first code point is not above it. */
  classOf(code: number): number {
    let low = 0;
    let high = this.#boundaries.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#boundaries[middle]! <= code) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #number(state: S): number {
    const key = this.#space.key(state);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#states.length;
      this.#add(state, number);
      this.#numbers.set(key, number);
    }
    return number;
  }

  #add(state: S, number: number): void {
    if (number >= this.#statesMax || number * this.classCount > TRANSITIONS_MAX) {
      throw errors.illegalArgument(`Determinizing automaton would require more than ${this.#statesMax} effort.`);
    }
    this.#states.push(state);
    if (number >= this.accepting.length) this.#grow();
    this.accepting[number] = this.#space.acceptsAll(state) ? 3 : this.#space.accepts(state) ? 1 : 0;
  }

  #grow(): void {
    const table = new Int32Array(this.table.length * 2).fill(UNKNOWN);
    table.set(this.table);
    this.table = table;
    const accepting = new Uint8Array(this.accepting.length * 2);
    accepting.set(this.accepting);
    this.accepting = accepting;
  }

  /** Computes one transition, stores it in `table` and returns the next state. */
  expand(state: number, charClass: number): number {
    const next = this.#number(this.#space.step(this.#states[state]!, this.#boundaries[charClass]!));
    this.table[state * this.classCount + charClass] = next;
    return next;
  }

  /** The state after one character. */
  step(state: number, code: number): number {
    const charClass = code < 128 ? this.asciiClass[code]! : this.classOf(code);
    const next = this.table[state * this.classCount + charClass]!;
    return next === UNKNOWN ? this.expand(state, charClass) : next;
  }

  /** Whether a whole text is accepted. */
  matches(text: string): boolean {
    let state = this.start;
    for (const char of text) {
      state = this.step(state, char.codePointAt(0)!);
      if (state === DEAD) return false;
    }
    return this.accepting[state] !== 0;
  }
}

/** The automaton of an expression. Throws when it would need more than `statesMax` states. */
export function automatonOf(
  expressions: Expressions,
  expression: Expression,
  statesMax: number,
): Automaton<Expression> {
  const space: StateSpace<Expression> = {
    start: expression,
    dead: expressions.none,
    key: (state) => state.id,
    step: (state, code) => expressions.derivative(state, code),
    accepts: (state) => state.isNullable,
    acceptsAll: (state) => state === expressions.anything,
  };
  return new Automaton(space, boundariesOf(expressions.charSets(expression)), statesMax);
}

/** First code points of the classes that some sets divide all characters into. */
export function boundariesOf(sets: Iterable<CharSet>): number[] {
  const starts = new Set([0]);
  for (const set of sets) {
    for (let i = 0; i < set.length; i += 2) {
      starts.add(set[i]!);
      if (set[i + 1]! < 0x10ffff) starts.add(set[i + 1]! + 1);
    }
  }
  return [...starts].sort((a, b) => a - b);
}
