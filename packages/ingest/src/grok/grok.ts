import { errors } from '@shoal/errors';
import { floatNumber, ownProperty } from '@shoal/json';
import { double } from '../java-values.js';
import type { TimeGuard } from '../time-guard.js';
import type { Bank } from './bank.js';
import { boundedRegex, type BoundedMatch, type BoundedRegex } from './bounded-regex.js';
import { withoutNames } from './group-numbers.js';

/** A field that a pattern fills. */
interface Capture {
  readonly field: string;
  /** Number of its group in the regular expression. */
  readonly group: number;
  readonly convert: (text: string) => unknown;
}

/** Fields by path, of a text that matched. */
export type GrokMatch = ReadonlyMap<string, unknown>;

/** An expression of grok, compiled. */
export interface Grok {
  /** Returns the fields of the first match; null if nothing matches. Throws if a field is not of its type. */
  match(text: string): GrokMatch | null;
  /** Paths of the fields that it fills, in the order of the expression. */
  readonly fieldNames: readonly string[];
  /** Returns the first match with its offset; null if nothing matches. */
  find(text: string): FoundMatch | null;
}

/** A match whose fields are not converted yet. */
export interface FoundMatch {
  readonly index: number;
  /** Length of the text that matched, in units. */
  readonly length: number;
  /** Throws number_format_exception if a field is not of its type. */
  fields(): GrokMatch;
}

/** `%{NAME}`, `%{NAME:field}`, `%{NAME:field:type}`. */
const REFERENCE = /%\{(\w+)(?::([^:}]+)(?::(\w+))?)?\}/g;
/** A named group of the regular expression itself: `(?<field>…)`. */
const NAMED_GROUP = /\(\?<([a-zA-Z_][\w.@[\]-]*)>/g;
const LEVELS_MAX = 500;
const LENGTH_MAX = 100_000;

const TYPES: Readonly<Record<string, (text: string) => unknown>> = {
  int: (text) => integer(text, 32),
  long: (text) => integer(text, 64),
  float: (text) => floatNumber(Math.fround(Number(text))),
  double: (text) => double(Number(text)),
  boolean: (text) => text.toLowerCase() === 'true',
};

/** As Java's `Integer.parseInt` and `Long.parseLong`. */
function integer(text: string, bits: number): number | bigint {
  const value = /^[+-]?\d{1,20}$/.test(text) ? BigInt(text.replace('+', '')) : null;
  if (value === null || BigInt.asIntN(bits, value) !== value) throw errors.numberFormat(`For input string: "${text}"`);
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

const asText = (text: string): string => text;

class Compiler {
  readonly #bank: Bank;
  /** Fields by the numbers in the names of their groups, `g0`, `g1` …; the order is not that of the expression. */
  readonly fields: Omit<Capture, 'group'>[] = [];
  #length = 0;

  constructor(bank: Bank) {
    this.#bank = bank;
  }

  /** Replaces references by the patterns that they name. `open` are those around this one. */
  expand(pattern: string, open: readonly string[]): string {
    if (open.length > LEVELS_MAX) throw errors.illegalArgument('patterns are nested too deeply');
    this.#length += pattern.length;
    if (this.#length > LENGTH_MAX) throw errors.illegalArgument('the expression with its patterns is too long');
    const named = pattern.replace(NAMED_GROUP, (_all, field: string) => `(?<${this.#group(field, asText)}>`);
    return named.replace(REFERENCE, (_all, name: string, field?: string, type?: string) =>
      this.#reference(name, field, type, open),
    );
  }

  #reference(name: string, field: string | undefined, type: string | undefined, open: readonly string[]): string {
    const known = Object.hasOwn(this.#bank, name) ? this.#bank[name] : undefined;
    if (known === undefined)
      throw errors.illegalArgument(`Unable to find pattern [${name}] in Grok's pattern dictionary`);
    if (open.includes(name))
      throw errors.illegalArgument(`circular reference in pattern back to [${name}] via patterns [${open.join(', ')}]`);
    if (field === undefined) return `(?:${this.expand(known, [...open, name])})`;
    const group = this.#group(field, (type === undefined ? undefined : ownProperty(TYPES, type)) ?? asText);
    return `(?<${group}>${this.expand(known, [...open, name])})`;
  }

  #group(field: string, convert: Capture['convert']): string {
    return `g${this.fields.push({ field: pathOf(field), convert }) - 1}`;
  }
}

/** `[client][ip]` is the path `client.ip`. */
function pathOf(field: string): string {
  return field.startsWith('[') ? field.slice(1, -1).split('][').join('.') : field;
}

class CompiledGrok implements Grok {
  readonly #regex: BoundedRegex;
  readonly #captures: readonly Capture[];

  constructor(regex: BoundedRegex, captures: readonly Capture[]) {
    this.#regex = regex;
    this.#captures = captures;
  }

  get fieldNames(): readonly string[] {
    return this.#captures.map(({ field }) => field);
  }

  match(text: string): GrokMatch | null {
    return this.find(text)?.fields() ?? null;
  }

  find(text: string): FoundMatch | null {
    const found = this.#regex.exec(text);
    return found && { index: found.index, length: found.length, fields: () => this.#fieldsOf(found.groups) };
  }

  #fieldsOf(groups: BoundedMatch['groups']): GrokMatch {
    const fields = new Map<string, unknown>();
    for (const { field, convert, group } of this.#captures) {
      const value = groups[group];
      if (value !== undefined && !fields.has(field)) fields.set(field, convert(value));
    }
    return fields;
  }
}

/**
 * Compiles an expression with the patterns of a bank. Throws illegal_argument_exception for a malformed one. `guard`
 * watches its time where it covers more than one match.
 */
export function compileGrok(expression: string, bank: Bank, guard: TimeGuard | null = null): Grok {
  const compiler = new Compiler(bank);
  const { source, numbers } = withoutNames(compiler.expand(expression, []));
  const captures = compiler.fields.map((one, i) => ({ ...one, group: numbers.get(`g${i}`)! }));
  return new CompiledGrok(boundedRegex(source, guard), captures);
}
