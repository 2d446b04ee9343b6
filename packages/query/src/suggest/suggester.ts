import type { JsonObject } from '@shoal/json';
import { type ApiError, errors } from '@shoal/errors';
import type { FieldType } from '@shoal/mapping';
import type { Analyzer } from '@shoal/analysis';
import type { SourceSpec } from '../fetch/fetch-spec.js';
import type { Pause, Searcher } from '../searcher.js';

/** One suggested option as the answer shows it. */
export type SuggestOption = Readonly<Record<string, unknown>>;

/** A part of the text and the options suggested for it. */
export interface SuggestEntry {
  readonly text: string;
  readonly offset: number;
  readonly length: number;
  readonly options: readonly SuggestOption[];
}

/** Inputs of computing one suggestion. */
export interface SuggestInput {
  /** The text under `text`, `prefix` or `regex`. */
  readonly text: string;
  readonly isRegex: boolean;
  readonly searcher: Searcher;
  /** `_source` of the search; null if not given: the whole source is shown. */
  readonly source: SourceSpec | null;
  /** Pauses of the request. */
  readonly pause: Pause;
}

/** One suggestion after parsing; may be run on many shards. */
export interface ParsedSuggestion {
  /** `term`, `phrase` or `completion`. */
  readonly type: string;
  run(input: SuggestInput): Promise<readonly SuggestEntry[]>;
}

/** A kind of suggester. */
export interface Suggester {
  readonly name: string;
  parse(body: JsonObject, container: object): ParsedSuggestion;
}

/** Returns option `field`, which every suggester needs. Throws when it is missing. */
export function requiredField(body: JsonObject): string {
  const field = body['field'];
  if (typeof field === 'string' && field !== '') return field;
  throw errors.parse('the required field option [field] is missing');
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
export function suggestAnalyzer(name: unknown, field: FieldType, searcher: Searcher): Analyzer | null {
  if (typeof name !== 'string') return field.searchAnalyzer;
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
