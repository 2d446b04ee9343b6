import { currentBudget } from './budget.js';
import { BacktrackingRegex, stepLimit } from './regex/backtracking-regex.js';
import type { TextMatcher, TextRegex } from './regex/text-matcher.js';
import { compileTextRegex } from './regex/text-regex.js';
import { LimitError, Thrown } from './thrown.js';
import { ScriptObject, type Value } from './values.js';

/** A regular expression of a script. */
export class Pattern extends ScriptObject {
  readonly javaClass = 'java.util.regex.Pattern';
  readonly source: string;
  readonly flags: string;
  readonly compiled: TextRegex;

  constructor(source: string, flags: string, compiled: TextRegex) {
    super();
    this.source = source;
    this.flags = flags;
    this.compiled = compiled;
  }

  toText(): string {
    return this.source;
  }

  /** Begins to match a text, within the bounds of the script that runs. */
  matcher(text: string): TextMatcher {
    // A matcher that backtracks counts its steps itself.
    if (!(this.compiled instanceof BacktrackingRegex)) checkWork(this.source, text);
    const limit = stepLimit(this.source, (reason) => new LimitError('circuit_breaking_exception', reason));
    return this.compiled.matcher(text, (steps) => {
      limit(steps);
      currentBudget().walk(steps << 2);
    });
  }
}

/** Compiles a pattern of Java. Throws RegexSyntaxError. */
export const compilePattern = (source: string, flags: string): Pattern =>
  new Pattern(source, flags, compileTextRegex(source, flags));

/** Characters of a text times those of a pattern that one search may take. */
const WORK_MAX = 5_000_000;

/** Matching takes time in proportion to both, and cannot be interrupted. */
function checkWork(source: string, text: string): void {
  const work = text.length * (source.length + 1);
  if (work > WORK_MAX)
    throw new LimitError(
      'circuit_breaking_exception',
      `[scripting] Regular expression considered too many characters, pattern: [${source}], ` +
        `char limit: [${Math.floor(WORK_MAX / (source.length + 1))}], count: [${text.length}]`,
    );
  currentBudget().walk(work >> 6);
}

/** The state of matching a pattern over a text. */
export class Matcher extends ScriptObject {
  readonly javaClass = 'java.util.regex.Matcher';
  readonly pattern: Pattern;
  readonly text: string;
  matcher: TextMatcher;
  #isMatched = false;
  /** The part of the text that is searched. Its ends are those of the text to anchors, and nothing is seen beyond. */
  #regionStart = 0;
  #regionEnd: number;

  constructor(pattern: Pattern, text: string) {
    super();
    this.pattern = pattern;
    this.text = text;
    this.matcher = pattern.matcher(text);
    this.#regionEnd = text.length;
  }

  get regionStart(): number {
    return this.#regionStart;
  }

  get regionEnd(): number {
    return this.#regionEnd;
  }

  /** Searches a part of the text from now on. */
  region(start: number, end: number): this {
    if (start < 0 || start > this.text.length) throw new Thrown('java.lang.IndexOutOfBoundsException', 'start');
    if (end < 0 || end > this.text.length) throw new Thrown('java.lang.IndexOutOfBoundsException', 'end');
    if (start > end) throw new Thrown('java.lang.IndexOutOfBoundsException', 'start > end');
    this.#regionStart = start;
    this.#regionEnd = end;
    this.matcher = this.pattern.matcher(this.text.slice(start, end));
    this.#isMatched = false;
    return this;
  }

  find(): boolean {
    return (this.#isMatched = this.matcher.find());
  }

  findFrom(at: number): boolean {
    if (at < 0 || at > this.text.length) throw new Thrown('java.lang.IndexOutOfBoundsException', 'Illegal start index');
    this.reset();
    return (this.#isMatched = this.matcher.find(at));
  }

  matches(): boolean {
    return (this.#isMatched = this.matcher.matches());
  }

  lookingAt(): boolean {
    return (this.#isMatched = this.matcher.lookingAt());
  }

  reset(): this {
    if (this.#regionStart > 0 || this.#regionEnd < this.text.length) return this.region(0, this.text.length);
    this.matcher.reset();
    this.#isMatched = false;
    return this;
  }

  group(group: number | string): Value {
    this.#check();
    if (typeof group === 'number' && (group < 0 || group > this.groupCount()))
      throw new Thrown('java.lang.IndexOutOfBoundsException', `No group ${group}`);
    if (typeof group === 'string' && !Object.hasOwn(this.pattern.compiled.namedGroups(), group))
      throw new Thrown('java.lang.IllegalArgumentException', `No group with name <${group}>`);
    return this.matcher.group(group) ?? null;
  }

  start(group = 0): number {
    this.#check();
    return this.#placed(this.matcher.start(group));
  }

  end(group = 0): number {
    this.#check();
    return this.#placed(this.matcher.end(group));
  }

  /** A place in the region as one in the text; -1 for a group that has none. */
  #placed(at: number): number {
    return at < 0 ? at : at + this.#regionStart;
  }

  groupCount(): number {
    return this.matcher.groupCount();
  }

  #check(): void {
    if (!this.#isMatched) throw new Thrown('java.lang.IllegalStateException', 'No match found');
  }
}
