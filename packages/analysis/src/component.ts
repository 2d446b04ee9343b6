import { errors, notBoolean } from '@shoal/errors';
import type { Analyzer } from './analyzer.js';
import type { CharFilter, TokenFilter, Tokenizer, TokenStream } from './token.js';
import type { PredicateCompiler } from './token-predicate.js';

/**
 * Reads the parameters of a tokenizer, filter or analyzer from its settings, in which booleans and numbers may be texts
 * and lists comma-separated texts.
 */
export interface Parameters {
  has(key: string): boolean;
  text(key: string, byDefault: string): string;
  integer(key: string, byDefault: number): number;
  boolean(key: string, byDefault: boolean): boolean;
  /** Entries of a list or of a comma-separated text; null if the parameter is absent. */
  list(key: string): readonly string[] | null;
  /** The settings below a key; null if the parameter is absent, or not a group of settings. */
  group(key: string): Readonly<Record<string, unknown>> | null;
}

/** Services for a filter while it is built. */
export interface BuildContext {
  readonly maxNgramDiff: number;
  readonly maxShingleDiff: number;
  /** Token filter of the index by name; null if there is none. */
  filter(name: string): TokenFilter | null;
  /** Analyses the text of a synonym rule with the tokenizer and the filters that precede the one being built. */
  analyzeRule(text: string): TokenStream;
  /** Compiles the scripts of filters; null where none run. */
  readonly predicate: PredicateCompiler | null;
  /** Analyzer by name, for filters with such a parameter; null if there is none. */
  analyzer(name: string): Analyzer | null;
}

/** Builds a tokenizer of one type from its parameters. */
export interface TokenizerFactory {
  create(name: string, parameters: Parameters, context: BuildContext): Tokenizer;
}

/** Builds a token filter of one type from its parameters. */
export interface FilterFactory {
  create(name: string, parameters: Parameters, context: BuildContext): TokenFilter;
  /** Whether the filter needs parameters: then its name without a definition is refused. */
  readonly needsSettings?: boolean;
  /** Whether normalizers may use the filter. */
  readonly normalizes?: boolean;
}

/** Builds a character filter of one type from its parameters. Fields as in `FilterFactory`. */
export interface CharFilterFactory {
  create(name: string, parameters: Parameters): CharFilter;
  readonly needsSettings?: boolean;
  readonly normalizes?: boolean;
}

/** Text of a setting's value; an object gives its JSON, an integer of any size all its digits. */
export function scalarText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(scalarText).join(', ')}]`;
  return typeof value === 'object' && value !== null
    ? JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))
    : String(value);
}

function parseInteger(key: string, value: unknown): number {
  const text = scalarText(value);
  if (/^[+-]?\d{1,10}$/.test(text) && Math.abs(Number(text)) <= 2147483648) return Number(text);
  const cause = errors.numberFormat(`For input string: "${text}"`);
  throw errors.settings(`Failed to parse int setting [${key}] with value [${text}]`, { cause });
}

function parseBoolean(value: unknown): boolean {
  const text = scalarText(value);
  if (text === 'true') return true;
  if (text === 'false') return false;
  throw notBoolean(text);
}

function groupOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}

function toList(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(scalarText);
  const text = scalarText(value);
  return text === '' ? [] : text.split(',').map((part) => part.trim());
}

/** `Parameters` over the settings of one component. A list may also come flattened, as keys `key.0`, `key.1` … */
export function parametersOf(definition: Readonly<Record<string, unknown>>): Parameters {
  const values = new Map(Object.entries(definition).filter(([, value]) => value !== null && value !== undefined));
  return {
    has: (key) => values.has(key),
    text: (key, byDefault) => (values.has(key) ? scalarText(values.get(key)) : byDefault),
    integer: (key, byDefault) => (values.has(key) ? parseInteger(key, values.get(key)) : byDefault),
    boolean: (key, byDefault) => (values.has(key) ? parseBoolean(values.get(key)) : byDefault),
    list: (key) => (values.has(key) ? toList(values.get(key)) : null),
    group: (key) => groupOf(values.get(key)),
  };
}

/** Parameters without any entry, so that every default applies. */
export const NO_PARAMETERS: Parameters = parametersOf({});
