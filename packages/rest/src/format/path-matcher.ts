import { matchesWildcard } from '@shoal/values';

/**
 * Positions in patterns that a path has reached: each is the number of the level that is compared with the next name.
 * Owned by its matcher, which makes one object for equal positions.
 */
export class PositionSet {
  /** Levels without wildcards, with the positions behind them. */
  readonly exact = new Map<string, number[]>();
  /** Positions of the other levels. */
  readonly wild: number[] = [];

  constructor(positions: readonly number[], levels: readonly string[]) {
    for (const position of positions) {
      const level = levels[position]!;
      if (level.includes('*')) this.wild.push(position);
      else this.exact.set(level, [...(this.exact.get(level) ?? []), position]);
    }
  }

  get isEmpty(): boolean {
    return this.wild.length === 0 && this.exact.size === 0;
  }
}

/** Where a name leads: whether some pattern ends with it, and the positions of those that go on. */
export interface PathStep {
  readonly matched: boolean;
  readonly next: PositionSet;
}

/** Steps that are kept; names of an answer repeat, and the next hit takes the same steps. */
const STEPS_MAX = 4_096;

/**
 * Matches paths of names against patterns of levels: `*` within a level matches any characters, `**` any number of
 * levels. The patterns are one nondeterministic automaton over their levels. It is made deterministic as paths are
 * walked (Thompson 1968; Aho, Sethi and Ullman, section 3.7): a step from a set of positions is computed once and kept.
 * A set has each position once, so that a step costs at most one comparison for each level, whatever the patterns are.
 */
export class PathMatcher {
  readonly start: PositionSet;
  /** All levels of all patterns, one pattern behind the other. */
  readonly #levels: readonly string[];
  /** By position: whether its pattern ends with this level. */
  readonly #isLast: readonly boolean[];
  readonly #sets = new Map<string, PositionSet>();
  readonly #steps = new Map<PositionSet, Map<string, PathStep>>();
  #stepCount = 0;

  constructor(patterns: readonly (readonly string[])[]) {
    this.#levels = patterns.flat();
    this.#isLast = patterns.flatMap((levels) => levels.map((_, i) => i === levels.length - 1));
    const starts = new Set<number>();
    let first = 0;
    for (const levels of patterns) {
      this.#enter(first, starts);
      first += levels.length;
    }
    this.start = this.#setOf(starts);
  }

  /** The step from `from` by one name. */
  step(from: PositionSet, name: string): PathStep {
    let steps = this.#steps.get(from);
    const known = steps?.get(name);
    if (known !== undefined) return known;
    if (this.#stepCount++ === STEPS_MAX) {
      this.#stepCount = 0;
      this.#steps.clear();
      this.#sets.clear();
      steps = undefined;
    }
    if (steps === undefined) this.#steps.set(from, (steps = new Map<string, PathStep>()));
    const step = this.#compute(from, name);
    steps.set(name, step);
    return step;
  }

  #compute(from: PositionSet, name: string): PathStep {
    const next = new Set<number>();
    let matched = false;
    const pass = (position: number): void => {
      if (this.#levels[position] === '**') next.add(position);
      if (this.#isLast[position]) matched = true;
      else if (this.#levels[position] !== '**') this.#enter(position + 1, next);
    };
    for (const position of from.exact.get(name) ?? []) pass(position);
    for (const position of from.wild) if (this.#matches(this.#levels[position]!, name)) pass(position);
    for (const position of [...next]) this.#enter(position, next);
    return { matched, next: this.#setOf(next) };
  }

  #matches(level: string, name: string): boolean {
    return level === '**' || level === '*' || matchesWildcard(level, name);
  }

  /** Adds a position; `**` matches no level too, so that the position behind it is reached with it. */
  #enter(position: number, to: Set<number>): void {
    to.add(position);
    if (this.#levels[position] === '**' && !this.#isLast[position]) to.add(position + 1);
  }

  #setOf(positions: ReadonlySet<number>): PositionSet {
    const sorted = [...positions].sort((a, b) => a - b);
    const key = sorted.join();
    let set = this.#sets.get(key);
    if (set === undefined) this.#sets.set(key, (set = new PositionSet(sorted, this.#levels)));
    return set;
  }
}

/** A matcher of patterns that are split in their levels, without two `**` in a row. */
export const pathMatcher = (patterns: readonly (readonly string[])[]): PathMatcher => new PathMatcher(patterns);
