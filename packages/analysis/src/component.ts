import { errors } from '@shoal/errors';
import type { Analyzer } from './analyzer.js';
import type { CharFilter, TokenFilter, Tokenizer, TokenStream } from './token.js';

/**
 * Parameters of a tokenizer, filter or analyzer as settings give them: booleans and numbers may be texts, lists
 * comma-separated.
 */
export interface Parameters {
  has(key: string): boolean;
  text(key: string, byDefault: string): string;
  integer(key: string, byDefault: number): number;
  boolean(key: string, byDefault: boolean): boolean;
  /** A list, a comma-separated text or, if absent, null. */
  list(key: string): readonly string[] | null;
}

/** What a filter may ask while it is built. */
export interface BuildContext {
  readonly maxNgramDiff: number;
  readonly maxShingleDiff: number;
  /** Another token filter of the index, by name; null if there is none. */
  filter(name: string): TokenFilter | null;
  /** Tokens of a synonym rule: the tokenizer and the filters that come before the one being built. */
  analyzeRule(text: string): TokenStream;
  /** An analyzer by name, for filters that name one. */
  analyzer(name: string): Analyzer | null;
}

export interface TokenizerFactory {
  create(name: string, parameters: Parameters, context: BuildContext): Tokenizer;
}

export interface FilterFactory {
  create(name: string, parameters: Parameters, context: BuildContext): TokenFilter;
  /** Set for filters that mean nothing without parameters: their bare name is refused. */
  readonly needsSettings?: boolean;
  /** Set for filters that normalizers may use. */
  readonly normalizes?: boolean;
}

export interface CharFilterFactory {
  create(name: string, parameters: Parameters): CharFilter;
  readonly needsSettings?: boolean;
  readonly normalizes?: boolean;
}

/** A setting's value as text; objects as their JSON, integers of any size with all their digits. */
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
  throw errors.illegalArgument(`Failed to parse value [${text}] as only [true] or [false] are allowed.`);
}

function toList(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(scalarText);
  const text = scalarText(value);
  return text === '' ? [] : text.split(',').map((part) => part.trim());
}

/** Wraps the settings of one component. Also takes keys `key.0`, `key.1` of flattened lists. */
export function parametersOf(definition: Readonly<Record<string, unknown>>): Parameters {
  const values = new Map(Object.entries(definition).filter(([, value]) => value !== null && value !== undefined));
  return {
    has: (key) => values.has(key),
    text: (key, byDefault) => (values.has(key) ? scalarText(values.get(key)) : byDefault),
    integer: (key, byDefault) => (values.has(key) ? parseInteger(key, values.get(key)) : byDefault),
    boolean: (key, byDefault) => (values.has(key) ? parseBoolean(values.get(key)) : byDefault),
    list: (key) => (values.has(key) ? toList(values.get(key)) : null),
  };
}

/** No parameters: every default. */
export const NO_PARAMETERS: Parameters = parametersOf({});
