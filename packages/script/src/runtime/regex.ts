import { RE2JS } from 're2js';
import { currentBudget } from './budget.js';
import { LimitError, Thrown } from './thrown.js';
import { ScriptObject, type Value } from './values.js';

const FLAGS: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
};

/** A regular expression of a script. It runs in linear time (RE2). */
export class Pattern extends ScriptObject {
  readonly javaClass = 'java.util.regex.Pattern';
  readonly source: string;
  readonly flags: string;
  readonly compiled: RE2JS;

  constructor(source: string, flags: string, compiled: RE2JS) {
    super();
    this.source = source;
    this.flags = flags;
    this.compiled = compiled;
  }

  toText(): string {
    return this.source;
  }
}

/** Removes white space and comments of a pattern with the flag `x`. */
function withoutComments(source: string): string {
  return source.replace(/\\.|#[^\n]*|\s+/g, (part) => (part.startsWith('\\') ? part : ''));
}

/** Compiles a pattern of Java. Throws re2js's error for syntax that it does not have: look-around, back references. */
export function compilePattern(source: string, flags: string): Pattern {
  const bits = [...flags].reduce((all, flag) => all | (FLAGS[flag] ?? 0), 0);
  const text = flags.includes('l') ? RE2JS.quote(source) : flags.includes('x') ? withoutComments(source) : source;
  return new Pattern(source, flags, RE2JS.compile(text, bits));
}

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
  readonly matcher: ReturnType<RE2JS['matcher']>;
  #isMatched = false;

  constructor(pattern: Pattern, text: string) {
    super();
    this.pattern = pattern;
    this.text = text;
    checkWork(pattern.source, text);
    this.matcher = pattern.compiled.matcher(text);
  }

  find(): boolean {
    return (this.#isMatched = this.matcher.find());
  }

  findFrom(at: number): boolean {
    if (at < 0 || at > this.text.length) throw new Thrown('java.lang.IndexOutOfBoundsException', 'Illegal start index');
    return (this.#isMatched = this.matcher.find(at));
  }

  matches(): boolean {
    return (this.#isMatched = this.matcher.matches());
  }

  lookingAt(): boolean {
    return (this.#isMatched = this.matcher.lookingAt());
  }

  reset(): this {
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
    return this.matcher.start(group);
  }

  end(group = 0): number {
    this.#check();
    return this.matcher.end(group);
  }

  groupCount(): number {
    return this.matcher.groupCount();
  }

  #check(): void {
    if (!this.#isMatched) throw new Thrown('java.lang.IllegalStateException', 'No match found');
  }
}
