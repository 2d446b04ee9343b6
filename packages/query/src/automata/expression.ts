import { ANY_CHAR, type CharSet, contains } from './char-set.js';

/** A regular expression over code points, with complement and intersection. Equal expressions are one object. */
export interface Expression {
  readonly id: number;
  readonly kind: 'none' | 'empty' | 'chars' | 'concat' | 'or' | 'and' | 'not' | 'repeat';
  readonly isNullable: boolean;
  readonly chars: CharSet;
  readonly parts: readonly Expression[];
  readonly min: number;
  readonly max: number;
}

/**
 * Makes expressions and takes their derivatives (Brzozowski 1964; Owens, Reppy and Turon, "Regular-expression
 * derivatives re-examined", 2009). Normal forms keep the number of distinct derivatives finite and small.
 */
export class Expressions {
  readonly #known = new Map<string, Expression>();
  readonly none: Expression;
  readonly empty: Expression;
  /** The expression that matches any text. */
  readonly anything: Expression;

  constructor() {
    this.none = this.#make('none', false);
    this.empty = this.#make('empty', true);
    this.anything = this.repeat(this.chars(ANY_CHAR), 0, Infinity);
  }

  #make(
    kind: Expression['kind'],
    isNullable: boolean,
    parts: readonly Expression[] = [],
    chars: CharSet = [],
    min = 0,
    max = 0,
  ): Expression {
    const key = `${kind}|${parts.map((part) => part.id).join()}|${chars.join()}|${min}|${max}`;
    let found = this.#known.get(key);
    if (found === undefined) {
      found = { id: this.#known.size, kind, isNullable, chars, parts, min, max };
      this.#known.set(key, found);
    }
    return found;
  }

  chars(set: CharSet): Expression {
    return set.length === 0 ? this.none : this.#make('chars', false, [], set);
  }

  concat(a: Expression, b: Expression): Expression {
    if (a === this.none || b === this.none) return this.none;
    if (a === this.empty) return b;
    if (b === this.empty) return a;
    if (a.kind === 'concat') return this.concat(a.parts[0]!, this.concat(a.parts[1]!, b));
    return this.#make('concat', a.isNullable && b.isNullable, [a, b]);
  }

  or(parts: readonly Expression[]): Expression {
    const set = this.#operands('or', parts, this.none);
    if (set.includes(this.anything)) return this.anything;
    if (set.length === 0) return this.none;
    return set.length === 1
      ? set[0]!
      : this.#make(
          'or',
          set.some((part) => part.isNullable),
          set,
        );
  }

  and(parts: readonly Expression[]): Expression {
    const set = this.#operands('and', parts, this.anything);
    if (set.includes(this.none)) return this.none;
    if (set.length === 0) return this.anything;
    return set.length === 1
      ? set[0]!
      : this.#make(
          'and',
          set.every((part) => part.isNullable),
          set,
        );
  }

  /**
   * Returns the operands of a commutative operator in normal form: nested operands of the same kind flattened,
   * duplicates dropped, ordered by id.
   */
  #operands(kind: 'or' | 'and', parts: readonly Expression[], neutral: Expression): Expression[] {
    const flat = parts.flatMap((part) => (part.kind === kind ? part.parts : [part])).filter((part) => part !== neutral);
    return [...new Set(flat)].sort((a, b) => a.id - b.id);
  }

  not(part: Expression): Expression {
    if (part.kind === 'not') return part.parts[0]!;
    if (part === this.none) return this.anything;
    if (part === this.anything) return this.none;
    return this.#make('not', !part.isNullable, [part]);
  }

  repeat(part: Expression, min: number, max: number): Expression {
    if (max === 0 || part === this.empty) return this.empty;
    if (min === 1 && max === 1) return part;
    if (part === this.none) return min === 0 ? this.empty : this.none;
    if (part.kind === 'repeat' && part.min === 0 && part.max === Infinity) return part;
    return this.#make('repeat', min === 0 || part.isNullable, [part], [], min, max);
  }

  /** Returns the expression for the rest of a text that `of` matches, once its first character `code` has been read. */
  derivative(of: Expression, code: number): Expression {
    switch (of.kind) {
      case 'none':
      case 'empty':
        return this.none;
      case 'chars':
        return contains(of.chars, code) ? this.empty : this.none;
      case 'concat':
        return this.#concatDerivative(of.parts[0]!, of.parts[1]!, code);
      case 'or':
        return this.or(of.parts.map((part) => this.derivative(part, code)));
      case 'and':
        return this.and(of.parts.map((part) => this.derivative(part, code)));
      case 'not':
        return this.not(this.derivative(of.parts[0]!, code));
      case 'repeat':
        return this.#repeatDerivative(of, code);
    }
  }

  #concatDerivative(first: Expression, rest: Expression, code: number): Expression {
    const read = this.concat(this.derivative(first, code), rest);
    return first.isNullable ? this.or([read, this.derivative(rest, code)]) : read;
  }

  #repeatDerivative(of: Expression, code: number): Expression {
    const rest = this.repeat(of.parts[0]!, Math.max(0, of.min - 1), of.max - 1);
    return this.concat(this.derivative(of.parts[0]!, code), rest);
  }

  /** Returns all sets of characters in an expression. */
  charSets(of: Expression, into: Set<CharSet> = new Set(), seen: Set<Expression> = new Set()): Set<CharSet> {
    if (seen.has(of)) return into;
    seen.add(of);
    if (of.kind === 'chars') into.add(of.chars);
    for (const part of of.parts) this.charSets(part, into, seen);
    return into;
  }
}
