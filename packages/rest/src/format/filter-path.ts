/** A dotted pattern split in its levels: `*` within a level, `**` any number of levels. */
type Levels = readonly string[];

/** A parsed `filter_path`: what to keep and what to leave out of it. */
export interface FilterPath {
  /** Null: everything is kept. */
  readonly includes: readonly Levels[] | null;
  readonly excludes: readonly Levels[];
}

/** Parses a comma list of patterns; those with a leading `-` exclude. Null when it has none. */
export function parseFilterPath(text: string): FilterPath | null {
  const patterns = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== '-');
  if (patterns.length === 0) return null;
  const includes = patterns.filter((part) => !part.startsWith('-')).map(splitLevels);
  const excludes = patterns.filter((part) => part.startsWith('-')).map((part) => splitLevels(part.slice(1)));
  return { includes: includes.length > 0 ? includes : null, excludes };
}

/** Dots separate levels, `\.` is a dot in a name. */
function splitLevels(pattern: string): Levels {
  return pattern.split(/(?<!\\)\./).map((level) => level.replaceAll('\\.', '.'));
}

/** A pattern on its way down: how many levels are behind it. */
interface Cursor {
  readonly levels: Levels;
  readonly at: number;
}

type Step = { readonly matched: boolean; readonly alive: readonly Cursor[] };

function levelMatches(pattern: string, name: string): boolean {
  if (pattern === '*' || pattern === name) return true;
  if (!pattern.includes('*')) return false;
  return wildcardMatches(pattern, name);
}

/** Greedy `*` matching without backtracking over more than the last star. */
function wildcardMatches(pattern: string, name: string): boolean {
  let p = 0,
    n = 0,
    star = -1,
    mark = 0;
  while (n < name.length) {
    if (pattern[p] === '*') {
      star = p++;
      mark = n;
    } else if (p < pattern.length && pattern[p] === name[n]) {
      p++;
      n++;
    } else if (star >= 0) {
      p = star + 1;
      n = ++mark;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

function advance(cursor: Cursor, name: string, alive: Cursor[]): boolean {
  const level = cursor.levels[cursor.at];
  if (level === undefined) return false;
  if (level === '**') {
    alive.push(cursor);
    const beyond = { levels: cursor.levels, at: cursor.at + 1 };
    return beyond.at === cursor.levels.length || advance(beyond, name, alive);
  }
  if (!levelMatches(level, name)) return false;
  if (cursor.at + 1 === cursor.levels.length) return true;
  alive.push({ levels: cursor.levels, at: cursor.at + 1 });
  return false;
}

function stepInto(cursors: readonly Cursor[], name: string): Step {
  const alive: Cursor[] = [];
  let matched = false;
  for (const cursor of cursors) matched = advance(cursor, name, alive) || matched;
  return { matched, alive };
}

/** Walks JSON text once and copies what passes. */
class JsonFilter {
  readonly #bytes: Buffer;
  readonly #out: string[] = [];
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** `includes` null: inside something that is kept whole unless an exclude takes it. */
  run(includes: readonly Cursor[] | null, excludes: readonly Cursor[]): Buffer {
    this.#space();
    if (!this.#value(includes, excludes)) this.#out.push(this.#bytes[0] === 0x5b ? '[]' : '{}');
    return Buffer.from(this.#out.join(''));
  }

  #space(): void {
    while (this.#bytes[this.#at]! <= 0x20) this.#at++;
  }

  #value(includes: readonly Cursor[] | null, excludes: readonly Cursor[]): boolean {
    const start = this.#at;
    if (includes === null && excludes.length === 0) {
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

  #object(includes: readonly Cursor[] | null, excludes: readonly Cursor[]): boolean {
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

  #member(includes: readonly Cursor[] | null, excludes: readonly Cursor[], hasSibling: boolean): boolean {
    const keyStart = this.#at;
    this.#skip();
    const key = this.#bytes.toString('utf8', keyStart, this.#at);
    const name = key.includes('\\') ? (JSON.parse(key) as string) : key.slice(1, -1);
    this.#space();
    this.#at++;
    this.#space();
    const inside = includes === null ? null : stepInto(includes, name);
    const outside = excludes.length === 0 ? null : stepInto(excludes, name);
    const unwanted = inside !== null && !inside.matched && inside.alive.length === 0;
    if (unwanted || outside?.matched) {
      this.#skip();
      return false;
    }
    const mark = this.#out.length;
    this.#out.push(hasSibling ? ',' : '', key, ':');
    const kept = this.#value(inside === null || inside.matched ? null : inside.alive, outside?.alive ?? []);
    if (!kept) this.#out.length = mark;
    return kept;
  }

  #array(includes: readonly Cursor[] | null, excludes: readonly Cursor[]): boolean {
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

  /** Moves past one value. */
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

const cursorsOf = (patterns: readonly Levels[]): Cursor[] => patterns.map((levels) => ({ levels, at: 0 }));

/**
 * The part of a JSON text that a filter keeps; `{}` when nothing is left. Works on the bytes: values that pass are
 * copied as they are.
 */
export function filterJson(bytes: Uint8Array, filter: FilterPath): Buffer {
  return new JsonFilter(bytes).run(
    filter.includes === null ? null : cursorsOf(filter.includes),
    cursorsOf(filter.excludes),
  );
}
