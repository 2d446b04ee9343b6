import { illegalArgument, Thrown } from '../thrown.js';
import { Backtracker } from './backtracker.js';
import { parseRegex } from './parse-regex.js';
import type { RegexFlags } from './pattern-reader.js';
import { compileProgram, type RegexProgram } from './regex-program.js';
import type { TextMatcher, TextRegex } from './text-matcher.js';

/** Steps that the matching of one text may take, about 30 ms. */
const STEPS_MAX = 1_000_000;

/** Returns what counts the steps of a matcher, and throws what `fail` makes of the reason when there are too many. */
export function stepLimit(source: string, fail: (reason: string) => Error): (steps: number) => void {
  let left = STEPS_MAX;
  return (steps) => {
    left -= steps;
    if (left < 0)
      throw fail(
        `[scripting] Regular expression considered too many characters, pattern: [${source}], ` +
          `step limit: [${STEPS_MAX}]`,
      );
  };
}

/**
 * A regular expression of Java that is matched by trying one way after the other, for what RE2 does not have:
 * look-around, back references, atomic groups. Who matches bounds the steps.
 */
export class BacktrackingRegex implements TextRegex {
  readonly #program: RegexProgram;

  /** Throws RegexSyntaxError. */
  constructor(source: string, flags: RegexFlags) {
    this.#program = compileProgram(parseRegex(source, flags));
  }

  matcher(text: string, count: (steps: number) => void): TextMatcher {
    return new BacktrackingMatcher(this.#program, text, count);
  }

  namedGroups(): Readonly<Record<string, number>> {
    return this.#program.names;
  }
}

class BacktrackingMatcher implements TextMatcher {
  readonly #program: RegexProgram;
  readonly #text: string;
  readonly #run: Backtracker;
  /** Where the next search begins. */
  #next = 0;

  constructor(program: RegexProgram, text: string, count: (steps: number) => void) {
    this.#program = program;
    this.#text = text;
    this.#run = new Backtracker(program, text, count);
  }

  find(from: number = this.#next): boolean {
    this.#run.lastEnd = from === this.#next ? Math.max(0, this.#run.slots[1]!) : 0;
    for (let start = from; start <= this.#text.length; start++) {
      if (!this.#run.matchAt(start, -1)) continue;
      const end = this.end();
      this.#next = end === start ? end + 1 : end;
      return true;
    }
    this.#next = this.#text.length + 1;
    return false;
  }

  matches(): boolean {
    return this.#whole(this.#text.length);
  }

  lookingAt(): boolean {
    return this.#whole(-1);
  }

  #whole(target: number): boolean {
    this.#run.lastEnd = 0;
    const isFound = this.#run.matchAt(0, target);
    if (isFound) this.#next = Math.max(1, this.end());
    return isFound;
  }

  reset(): this {
    this.#run.slots.fill(-1);
    this.#next = 0;
    return this;
  }

  group(group: number | string = 0): string | null {
    const number = typeof group === 'string' ? this.#program.names[group] : group;
    if (number === undefined) throw illegalArgument(`No group with name <${group}>`);
    const [start, end] = [this.start(number), this.end(number)];
    return start < 0 ? null : this.#text.slice(start, end);
  }

  start(group: number | string = 0): number {
    return this.#slot(group, 0);
  }

  end(group: number | string = 0): number {
    return this.#slot(group, 1);
  }

  #slot(group: number | string, side: number): number {
    const number = typeof group === 'string' ? this.#program.names[group] : group;
    if (number === undefined || number < 0 || number > this.#program.groupCount)
      throw new Thrown('java.lang.IndexOutOfBoundsException', `No group ${group}`);
    return this.#run.slots[2 * number]! < 0 ? -1 : this.#run.slots[2 * number + side]!;
  }

  groupCount(): number {
    return this.#program.groupCount;
  }
}
