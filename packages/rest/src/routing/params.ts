import { errors, notBoolean } from '@shoal/errors';
import { parseTimeValue, suggestNames } from '@shoal/values';
import type { Params } from './route.js';

/** Parameters that every call takes. */
export const COMMON_PARAMETERS: readonly string[] = [
  'error_trace',
  'filter_path',
  'format',
  'human',
  'pretty',
  'source',
  'source_content_type',
];

/** Parses a boolean parameter; an empty value means true. */
export function parseBoolean(text: string): boolean {
  if (text === 'true' || text === '') return true;
  if (text === 'false') return false;
  throw notBoolean(text);
}

function parseInteger(kind: 'int' | 'long', name: string, text: string): number {
  const value = Number(text);
  const limit = kind === 'int' ? 0x7fffffff : Number.MAX_SAFE_INTEGER;
  if (/^[+-]?\d+$/.test(text) && value <= limit && value >= -limit - 1) return value;
  throw errors.illegalArgument(`Failed to parse ${kind} parameter [${name}] with value [${text}]`, {
    cause: errors.numberFormat(`For input string: "${text}"`),
  });
}

function describeUnknown(names: readonly string[], candidates: readonly string[], what: string): string {
  const described = [...names].sort().map((name) => {
    const near = suggestNames(name, candidates);
    if (near.length === 0) return `[${name}]`;
    return near.length === 1
      ? `[${name}] -> did you mean [${near[0]}]?`
      : `[${name}] -> did you mean any of [${near.join(', ')}]?`;
  });
  return `${what}${names.length > 1 ? 's' : ''}: ${described.join(', ')}`;
}

/** Error for unknown names; `what` is `parameter` or `metric`. */
export function unrecognizedError(
  path: string,
  names: readonly string[],
  candidates: readonly string[],
  what: string,
): Error {
  return errors.illegalArgument(`request [${path}] contains unrecognized ${describeUnknown(names, candidates, what)}`);
}

/** Parameters of one request; records which names handlers read. */
export class RequestParameters implements Params {
  readonly #query: ReadonlyMap<string, string>;
  readonly #path: Readonly<Record<string, string>>;
  /** Names that were read; may contain a name twice. */
  readonly #asked: string[] = [];

  constructor(query: ReadonlyMap<string, string>, path: Readonly<Record<string, string>>) {
    this.#query = query;
    this.#path = path;
  }

  #read(name: string): string | undefined {
    if (this.#query.size === 0) return this.#path[name];
    this.#asked.push(name);
    return this.#path[name] ?? this.#query.get(name);
  }

  get hasQuery(): boolean {
    return this.#query.size > 0;
  }

  has(name: string): boolean {
    return this.#read(name) !== undefined;
  }

  text(name: string): string | null;
  text(name: string, fallback: string): string;
  text(name: string, fallback: string | null = null): string | null {
    return this.#read(name) ?? fallback;
  }

  boolean(name: string, fallback: boolean): boolean {
    const text = this.#read(name);
    return text === undefined ? fallback : parseBoolean(text);
  }

  optionalBoolean(name: string): boolean | null {
    const text = this.#read(name);
    return text === undefined ? null : parseBoolean(text);
  }

  integer(name: string, fallback: number): number {
    const text = this.#read(name);
    return text === undefined ? fallback : parseInteger('int', name, text);
  }

  /** A 64-bit integer; null if absent. */
  long(name: string): number | null {
    const text = this.#read(name);
    return text === undefined ? null : parseInteger('long', name, text);
  }

  time(name: string, fallbackMs: number): number {
    const text = this.#read(name);
    return text === undefined ? fallbackMs : parseTimeValue(text, name);
  }

  list(name: string): readonly string[] | null {
    const text = this.#read(name);
    if (text === undefined) return null;
    return text.split(',').filter((part) => part !== '');
  }

  accept(...names: readonly string[]): void {
    this.#asked.push(...names);
  }

  /**
   * Returns the error for parameters neither in `declared` nor common, null if there are none; hints name those that
   * are given, or not `unhinted`.
   */
  undeclared(path: string, declared: ReadonlySet<string>, unhinted: readonly string[] = []): Error | null {
    if (this.#query.size === 0) return null;
    const unknown = [...this.#query.keys()].filter((name) => !declared.has(name) && !Object.hasOwn(this.#path, name));
    if (unknown.length === 0) return null;
    const hinted = [...declared].filter(
      (name) => name !== 'source' && (!unhinted.includes(name) || this.#query.has(name)),
    );
    return unrecognizedError(path, unknown, hinted, 'parameter');
  }

  /** Throws for parameters that no getter has read. */
  checkAsked(path: string): void {
    if (this.#query.size === 0) return;
    const known = new Set([...this.#asked, ...COMMON_PARAMETERS]);
    const unknown = [...this.#query.keys()].filter((name) => !known.has(name) && !Object.hasOwn(this.#path, name));
    if (unknown.length > 0) throw unrecognizedError(path, unknown, [...known], 'parameter');
  }
}
