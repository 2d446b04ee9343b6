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

/** Walks JSON text once and copies what passes. */
class JsonFilter {
  readonly #bytes: Buffer;
  readonly #filter: FilterPath;
  readonly #out: string[] = [];
  #at = 0;

  constructor(bytes: Uint8Array, filter: FilterPath) {
    this.#filter = filter;
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  run(): Buffer {
    const { includes, excludes } = this.#filter;
    this.#space();
    if (!this.#value(includes?.start ?? null, excludes.start)) this.#out.push(this.#bytes[0] === 0x5b ? '[]' : '{}');
    return Buffer.from(this.#out.join(''));
  }

  #space(): void {
    while (this.#bytes[this.#at]! <= 0x20) this.#at++;
  }

  /** Copies one value. `includes` is null inside a value that is kept as a whole, except for excludes. */
  #value(includes: PositionSet | null, excludes: PositionSet): boolean {
    const start = this.#at;
    if (includes === null && excludes.isEmpty) {
      this.#skip();
      this.#out.push(this.#bytes.toString('utf8', start, this.#at));
      return true;
    }
    const open = this.#bytes[start];
    if (open === 0x7b) return this.#object(includes, excludes);
    if (open === 0x5b) return this.#array(includes, excludes);
    this.#skip();
    if (includes !== null) return false;
    this.#out.push(this.#bytes.toString('utf8', start, this.#at));
    return true;
  }

  #object(includes: PositionSet | null, excludes: PositionSet): boolean {
    const mark = this.#out.length;
    this.#out.push('{');
    this.#at++;
    let kept = 0;
    for (this.#space(); this.#bytes[this.#at] !== 0x7d; this.#space()) {
      if (this.#member(includes, excludes, kept > 0)) kept++;
      this.#comma();
    }
    this.#at++;
    return this.#close(mark, kept, '}');
  }

  #member(includes: PositionSet | null, excludes: PositionSet, hasSibling: boolean): boolean {
    const keyStart = this.#at;
    this.#skip();
    const key = this.#bytes.toString('utf8', keyStart, this.#at);
    const name = key.includes('\\') ? (JSON.parse(key) as string) : key.slice(1, -1);
    this.#space();
    this.#at++;
    this.#space();
    const inside = includes === null ? null : this.#filter.includes!.step(includes, name);
    const outside = this.#filter.excludes.step(excludes, name);
    const unwanted = inside !== null && !inside.matched && inside.next.isEmpty;
    if (unwanted || outside.matched) {
      this.#skip();
      return false;
    }
    const mark = this.#out.length;
    this.#out.push(hasSibling ? ',' : '', key, ':');
    const kept = this.#value(inside === null || inside.matched ? null : inside.next, outside.next);
    if (!kept) this.#out.length = mark;
    return kept;
  }

  #array(includes: PositionSet | null, excludes: PositionSet): boolean {
    const mark = this.#out.length;
    this.#out.push('[');
    this.#at++;
    let kept = 0;
    for (this.#space(); this.#bytes[this.#at] !== 0x5d; this.#space()) {
      const before = this.#out.length;
      if (kept > 0) this.#out.push(',');
      if (this.#value(includes, excludes)) kept++;
      else this.#out.length = before;
      this.#comma();
    }
    this.#at++;
    return this.#close(mark, kept, ']');
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

  /** Skips one value. */
  #skip(): void {
    const bytes = this.#bytes;
    let depth = 0;
    do {
      this.#space();
      const byte = bytes[this.#at]!;
      if (byte === 0x22) this.#skipString();
      else if (byte === 0x7b || byte === 0x5b) {
        depth++;
        this.#at++;
      } else if (byte === 0x7d || byte === 0x5d) {
        depth--;
        this.#at++;
      } else if (byte === 0x2c || byte === 0x3a) this.#at++;
      else this.#skipLiteral();
    } while (depth > 0 && this.#at < bytes.length);
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

/**
 * Returns the part of a JSON text that a filter keeps; `{}` if nothing is left. Values that are kept are copied as
 * bytes.
 */
export function filterJson(bytes: Uint8Array, filter: FilterPath): Buffer {
  return new JsonFilter(bytes, filter).run();
}
