import type { JsonObject } from '@shoal/json';
import { type ApiError, errors } from '@shoal/errors';
import type { FieldType } from '@shoal/mapping';
import type { Analyzer } from '@shoal/analysis';
import { double, type Reader } from '../parse/options.js';
import type { Pause, Searcher } from '../searcher.js';

/** One suggested option as the answer shows it. */
export type SuggestOption = Readonly<Record<string, unknown>> & { readonly text: string };

/** A part of the text and the options suggested for it. */
export interface SuggestEntry {
  readonly text: string;
  readonly offset: number;
  readonly length: number;
  readonly options: readonly SuggestOption[];
  /** Of the entry of a shard: the score that options must exceed; answers do not show it. */
  readonly cutoff?: number;
}

/** Renders documents, numbered over the searcher, with their scores as hits, each as JSON. */
export type ShowHits = (docs: Int32Array, scores: Float32Array) => Promise<readonly Uint8Array[]>;

/** Inputs of computing one suggestion. */
export interface SuggestInput {
  /** The text under `text`, `prefix` or `regex`. */
  readonly text: string;
  readonly isRegex: boolean;
  readonly searcher: Searcher;
  /** Renders documents of the searcher as hits of the search, each as JSON. */
  readonly showHits: ShowHits;
  /** Pauses of the request. */
  readonly pause: Pause;
}

/** One suggestion after parsing; may be run on many shards. */
export interface ParsedSuggestion {
  /** `term`, `phrase` or `completion`. */
  readonly type: string;
  /** Field that the suggestions are taken from. */
  readonly field: string;
  run(input: SuggestInput): Promise<readonly SuggestEntry[]>;
  /** Merges the entries of all shards, of one or more. */
  reduce(shards: readonly (readonly SuggestEntry[])[]): SuggestEntry[];
}

/** A kind of suggester. */
export interface Suggester {
  readonly name: string;
  parse(body: JsonObject, container: object): ParsedSuggestion;
}

/** Is the value a text, a number or a boolean? null is none of them. */
export const isScalar = (value: unknown): boolean => value !== null && typeof value !== 'object';

/** Parses a number without its fraction, as the hand-written parsers do. */
export const wholeNumber: Reader<number> = (value, place) => Math.trunc(double(value, place));

/** Returns the value of option `field`. Throws if it is empty. */
export function fieldOption(field: string): string {
  if (field === '') throw errors.illegalArgument('suggestion field name is empty');
  return field;
}

/** Returns the value of option `size`. Throws if it is not positive. */
export function positiveSize(size: number): number {
  if (size > 0) return size;
  throw errors.illegalArgument('size must be positive');
}

/** Returns a field of the mapping. Throws illegal_argument_exception for an unmapped one. */
export function mappedField(name: string, { mapping }: Searcher): FieldType {
  const field = mapping.field(name);
  if (!field) throw errors.illegalArgument(`no mapping found for field [${name}]`);
  return field;
}

/** Returns the error `suggester[term] doesn't support field [foo]`. */
export function unsupportedKey(type: string, key: string, container: object): ApiError {
  return errors.parsing(`suggester[${type}] doesn't support field [${key}]`, { location: { container, key } });
}

/** Returns the named analyser, or the field's search analyser; null when the whole text is one word. */
export function suggestAnalyzer(name: string | null, field: FieldType, searcher: Searcher): Analyzer | null {
  if (name === null) return field.searchAnalyzer;
  const analyzer = searcher.analysis.analyzer(name);
  if (!analyzer) throw errors.illegalArgument(`analyzer [${name}] doesn't exists`);
  return analyzer;
}

/** A word of the text with its offset and length. */
export interface Word {
  readonly text: string;
  readonly offset: number;
  readonly length: number;
}

/** Returns the words of a text, without shingles. */
export function wordsOf(text: string, analyzer: Analyzer | null): Word[] {
  if (!analyzer) return text === '' ? [] : [{ text, offset: 0, length: text.length }];
  const tokens = analyzer.analyze(text, true);
  const words: Word[] = [];
  for (let i = 0; i < tokens.count; i++) {
    if (tokens.types[i] === 'shingle') continue;
    const offset = tokens.startOffsets[i]!;
    words.push({ text: tokens.terms[i]!, offset, length: tokens.endOffsets[i]! - offset });
  }
  return words;
}
