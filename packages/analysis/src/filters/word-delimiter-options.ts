import type { Parameters } from '../component.js';
import type { Token } from '../token.js';
import { DELIMITER, DIGIT, LETTER, LOWER, type Part, type SplitOptions, UPPER } from './word-parts.js';

/** Options of `word_delimiter` and `word_delimiter_graph`, named as in the settings. */
export interface WordDelimiterOptions extends SplitOptions {
  readonly wordParts: boolean;
  readonly numberParts: boolean;
  readonly catenateWords: boolean;
  readonly catenateNumbers: boolean;
  readonly catenateAll: boolean;
  readonly preservesOriginal: boolean;
  readonly ignoresKeywords: boolean;
  readonly protectedWords: ReadonlySet<string>;
  readonly adjustsOffsets: boolean;
}

const TYPE_NAMES: ReadonlyMap<string, number> = new Map([
  ['LOWER', LOWER],
  ['UPPER', UPPER],
  ['ALPHA', LETTER],
  ['DIGIT', DIGIT],
  ['ALPHANUM', LETTER | DIGIT],
  ['SUBWORD_DELIM', DELIMITER],
]);

function parseTypes(rules: readonly string[] | null): ReadonlyMap<string, number> {
  const types = new Map<string, number>();
  for (const rule of rules ?? []) {
    const [char = '', type = ''] = rule.split('=>').map((part) => part.trim());
    const code = /^\\u([0-9a-fA-F]{4})$/.exec(char)?.[1];
    types.set(
      code === undefined ? char.replace(/^\\/, '') : String.fromCharCode(parseInt(code, 16)),
      TYPE_NAMES.get(type) ?? DELIMITER,
    );
  }
  return types;
}

/** Reads the parameters of both filters. */
export function wordDelimiterOptions(parameters: Parameters): WordDelimiterOptions {
  const flag = (key: string, byDefault: boolean): boolean => parameters.boolean(key, byDefault);
  return {
    wordParts: flag('generate_word_parts', true),
    numberParts: flag('generate_number_parts', true),
    catenateWords: flag('catenate_words', false),
    catenateNumbers: flag('catenate_numbers', false),
    catenateAll: flag('catenate_all', false),
    onCaseChange: flag('split_on_case_change', true),
    onNumerics: flag('split_on_numerics', true),
    preservesOriginal: flag('preserve_original', false),
    possessive: flag('stem_english_possessive', true),
    ignoresKeywords: flag('ignore_keywords', false),
    protectedWords: new Set(parameters.list('protected_words') ?? []),
    types: parseTypes(parameters.list('type_table')),
    adjustsOffsets: flag('adjust_offsets', true),
  };
}

const isWord = (kind: number): boolean => (kind & LETTER) !== 0;
const isNumber = (kind: number): boolean => (kind & DIGIT) !== 0;

/** Whether parts of a kind are tokens themselves. */
export const isGenerated = (kind: number, options: WordDelimiterOptions): boolean =>
  (options.wordParts && isWord(kind)) || (options.numberParts && isNumber(kind));

/** Whether adjacent parts of a kind are joined. */
export const isCatenated = (kind: number, options: WordDelimiterOptions): boolean =>
  (options.catenateWords && isWord(kind)) || (options.catenateNumbers && isNumber(kind));

/** Adjacent parts that are being joined. */
export class Catenation {
  readonly #parts: Part[] = [];

  get count(): number {
    return this.#parts.length;
  }

  /** Kind of the first part. */
  get kind(): number {
    return this.#parts[0]!.kind;
  }

  get start(): number {
    return this.#parts[0]!.start;
  }

  get end(): number {
    return this.#parts.at(-1)!.end;
  }

  add(part: Part): void {
    this.#parts.push(part);
  }

  termOf(term: string): string {
    return this.#parts.map(({ start, end }) => term.slice(start, end)).join('');
  }

  clear(): void {
    this.#parts.length = 0;
  }
}

/** Offsets of a range of a term; those of the token if its term is not the text that it was made of. */
export function offsetsOf(token: Token, start: number, end: number, adjusts: boolean): { start: number; end: number } {
  const isPlain = adjusts && token.end - token.start === token.term.length;
  return isPlain ? { start: token.start + start, end: token.start + end } : { start: token.start, end: token.end };
}
