import { errors } from '@shoal/errors';
import { pathMatcher, type PathMatcher, type PositionSet } from './path-matcher.js';

/** A parsed `filter_path`. */
export interface FilterPath {
  /** Patterns of what is kept; null keeps everything. */
  readonly includes: PathMatcher | null;
  readonly excludes: PathMatcher;
}

/**
 * Levels with `*` that the patterns of a request may have in all. An unknown key of the answer is compared with each of
 * them once, so that the limit bounds the time of a key: 256 take about 5 us.
 */
const WILDCARD_LEVELS_MAX = 256;

/** Parses a comma-separated list of patterns; a leading `-` excludes. Null if the list is empty. */
export function parseFilterPath(text: string): FilterPath | null {
  const patterns = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== '-');
  if (patterns.length === 0) return null;
  const includes = patterns.filter((part) => !part.startsWith('-')).map(splitLevels);
  const excludes = patterns.filter((part) => part.startsWith('-')).map((part) => splitLevels(part.slice(1)));
  checkWildcards([...includes, ...excludes]);
  return { includes: includes.length > 0 ? pathMatcher(includes) : null, excludes: pathMatcher(excludes) };
}

/**
 * Dots separate levels, `\.` is a dot in a name. Runs of stars say no more than one: `**.**` becomes `**`, `a***`
 * becomes `a*`.
 */
function splitLevels(pattern: string): string[] {
  const levels = pattern.split(/(?<!\\)\./).map((level) => level.replaceAll('\\.', '.'));
  return levels
    .map((level) => (level === '**' ? level : level.replaceAll(/\*+/g, '*')))
    .filter((level, i, all) => level !== '**' || all[i - 1] !== '**');
}

function checkWildcards(patterns: readonly (readonly string[])[]): void {
  let count = 0;
  for (const levels of patterns) for (const level of levels) if (level.includes('*')) count++;
  if (count > WILDCARD_LEVELS_MAX)
    throw errors.illegalArgument(
      `[filter_path] has [${count}] levels with wildcards, which is more than the limit of [${WILDCARD_LEVELS_MAX}]`,
    );
}

/** Bytes that are walked through in a step. */
const STEP_BYTES = 64 * 1024;
/** Values of more bytes are kept as they are, not as texts. */
const LONG_BYTES = 4 * 1024;
/** Pieces that are joined in a step. */
const STEP_PIECES = 4096;

type Steps<T> = Generator<void, T>;

/** Walks JSON text once and copies what passes, in steps. */
class JsonFilter {
  readonly #bytes: Buffer;
  readonly #filter: FilterPath;
  /** Texts, and bytes of long values. */
  readonly #out: (string | Buffer)[] = [];
  #at = 0;
  /** Levels of the value that is being skipped, whose end has not come. */
  #depth = 0;
  /** Where this step ends. */
  #stepEnd = STEP_BYTES;

  constructor(bytes: Uint8Array, filter: FilterPath) {
    this.#filter = filter;
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  *run(): Steps<Buffer> {
    const { includes, excludes } = this.#filter;
    this.#space();
    const kept = yield* this.#value(includes?.start ?? null, excludes.start);
    if (!kept) this.#out.push(this.#bytes[0] === 0x5b ? '[]' : '{}');
    return yield* this.#joined();
  }

  /** Joins what was kept: texts first, as there are many of them. */
  *#joined(): Steps<Buffer> {
    const chunks: Buffer[] = [];
    let texts: string[] = [];
    const flush = (): void => {
      if (texts.length > 0) chunks.push(Buffer.from(texts.join('')));
      texts = [];
    };
    for (const piece of this.#out) {
      if (typeof piece === 'string') texts.push(piece);
      else {
        flush();
        chunks.push(piece);
      }
      if (texts.length < STEP_PIECES) continue;
      flush();
      yield;
    }
    flush();
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  }

  #space(): void {
    while (this.#bytes[this.#at]! <= 0x20) this.#at++;
  }

  /** Copies one value. `includes` is null inside a value that is kept as a whole, except for excludes. */
  *#value(includes: PositionSet | null, excludes: PositionSet): Steps<boolean> {
    const start = this.#at;
    const isWhole = includes === null && excludes.isEmpty;
    const open = this.#bytes[start];
    if (!isWhole && open === 0x7b) return yield* this.#object(includes, excludes);
    if (!isWhole && open === 0x5b) return yield* this.#array(includes, excludes);
    if (!this.#skipped()) yield* this.#skipRest();
    if (includes !== null) return false;
    const isLong = this.#at - start > LONG_BYTES;
    this.#out.push(isLong ? this.#bytes.subarray(start, this.#at) : this.#bytes.toString('utf8', start, this.#at));
    return true;
  }

  *#object(includes: PositionSet | null, excludes: PositionSet): Steps<boolean> {
    const mark = this.#out.length;
    this.#out.push('{');
    this.#at++;
    let kept = 0;
    for (this.#space(); this.#bytes[this.#at] !== 0x7d; this.#space()) {
      if (yield* this.#member(includes, excludes, kept > 0)) kept++;
      this.#comma();
      if (this.#at > this.#stepEnd) yield this.#nextStep();
    }
    this.#at++;
    return this.#close(mark, kept, '}');
  }

  *#member(includes: PositionSet | null, excludes: PositionSet, hasSibling: boolean): Steps<boolean> {
    const keyStart = this.#at;
    this.#skipString();
    const key = this.#bytes.toString('utf8', keyStart, this.#at);
    const name = key.includes('\\') ? (JSON.parse(key) as string) : key.slice(1, -1);
    this.#space();
    this.#at++;
    this.#space();
    const inside = includes === null ? null : this.#filter.includes!.step(includes, name);
    const outside = this.#filter.excludes.step(excludes, name);
    const unwanted = inside !== null && !inside.matched && inside.next.isEmpty;
    if (unwanted || outside.matched) {
      if (!this.#skipped()) yield* this.#skipRest();
      return false;
    }
    const mark = this.#out.length;
    this.#out.push(hasSibling ? ',' : '', key, ':');
    const kept = yield* this.#value(inside === null || inside.matched ? null : inside.next, outside.next);
    if (!kept) this.#out.length = mark;
    return kept;
  }

  *#array(includes: PositionSet | null, excludes: PositionSet): Steps<boolean> {
    const mark = this.#out.length;
    this.#out.push('[');
    this.#at++;
    let kept = 0;
    for (this.#space(); this.#bytes[this.#at] !== 0x5d; this.#space()) {
      const before = this.#out.length;
      if (kept > 0) this.#out.push(',');
      if (yield* this.#value(includes, excludes)) kept++;
      else this.#out.length = before;
      this.#comma();
      if (this.#at > this.#stepEnd) yield this.#nextStep();
    }
    this.#at++;
    return this.#close(mark, kept, ']');
  }

  #nextStep(): void {
    this.#stepEnd = this.#at + STEP_BYTES;
  }

  #close(mark: number, kept: number, bracket: string): boolean {
    if (kept === 0) this.#out.length = mark;
    else this.#out.push(bracket);
    return kept > 0;
  }

  #comma(): void {
    this.#space();
    if (this.#bytes[this.#at] === 0x2c) this.#at++;
  }

  /** Skips one value; false if the step is over before its end. */
  #skipped(): boolean {
    this.#depth = 0;
    return this.#skipOn();
  }

  *#skipRest(): Steps<void> {
    do {
      this.#nextStep();
      yield;
    } while (!this.#skipOn());
  }

  #skipOn(): boolean {
    const bytes = this.#bytes;
    do {
      this.#space();
      const byte = bytes[this.#at]!;
      if (byte === 0x22) this.#skipString();
      else if (byte === 0x7b || byte === 0x5b) {
        this.#depth++;
        this.#at++;
      } else if (byte === 0x7d || byte === 0x5d) {
        this.#depth--;
        this.#at++;
      } else if (byte === 0x2c || byte === 0x3a) this.#at++;
      else this.#skipLiteral();
      if (this.#depth > 0 && this.#at > this.#stepEnd && this.#at < bytes.length) return false;
    } while (this.#depth > 0 && this.#at < bytes.length);
    return true;
  }

  #skipString(): void {
    const bytes = this.#bytes;
    let at = this.#at + 1;
    while (at < bytes.length && bytes[at] !== 0x22) at += bytes[at] === 0x5c ? 2 : 1;
    this.#at = at + 1;
  }

  #skipLiteral(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    while (at < bytes.length && bytes[at]! > 0x20 && bytes[at] !== 0x2c && bytes[at] !== 0x7d && bytes[at] !== 0x5d)
      at++;
    this.#at = at;
  }
}

/** `filterJson` in steps, between which the thread may be given back. */
export function filterInSteps(bytes: Uint8Array, filter: FilterPath): Generator<void, Buffer> {
  return new JsonFilter(bytes, filter).run();
}

/**
 * Returns the part of a JSON text that a filter keeps; `{}` if nothing is left. Values that are kept are copied as
 * bytes.
 */
export function filterJson(bytes: Uint8Array, filter: FilterPath): Buffer {
  const steps = filterInSteps(bytes, filter);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
