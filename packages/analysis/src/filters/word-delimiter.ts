import type { FilterFactory, Parameters } from '../component.js';
import { isDigit, isLetter } from '../unicode/characters.js';
import type { Token, TokenFilter, TokenStream } from '../token.js';

const LOWER = 1;
const UPPER = 2;
const LETTER = LOWER | UPPER;
const DIGIT = 4;
const DELIMITER = 8;

/** Options of the filter, named as in the settings. */
interface Options {
  readonly wordParts: boolean;
  readonly numberParts: boolean;
  readonly catenateWords: boolean;
  readonly catenateNumbers: boolean;
  readonly catenateAll: boolean;
  readonly onCaseChange: boolean;
  readonly onNumerics: boolean;
  readonly preservesOriginal: boolean;
  readonly possessive: boolean;
  readonly ignoresKeywords: boolean;
  readonly protectedWords: ReadonlySet<string>;
  readonly types: ReadonlyMap<string, number>;
  readonly isGraph: boolean;
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

function optionsOf(parameters: Parameters, isGraph: boolean): Options {
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
    isGraph,
    adjustsOffsets: flag('adjust_offsets', true),
  };
}

function kindOf(char: string, types: ReadonlyMap<string, number>): number {
  const given = types.get(char);
  if (given !== undefined) return given;
  const code = char.codePointAt(0) ?? 0;
  if (isDigit(code)) return DIGIT;
  if (!isLetter(code)) return DELIMITER;
  return char !== char.toLowerCase() ? UPPER : LOWER;
}

/** A part of a token: its range in the term and its kind of characters. */
interface Part {
  readonly start: number;
  readonly end: number;
  readonly isNumber: boolean;
}

function breaks(last: number, kind: number, options: Options): boolean {
  if ((last & kind) !== 0) return false;
  if ((last & LETTER) !== 0 && (kind & LETTER) !== 0) return options.onCaseChange && (last & UPPER) === 0;
  return options.onNumerics;
}

/** Whether the term has a possessive `'s` at `i`, at the end of a word. */
function isPossessive(term: string, i: number, types: ReadonlyMap<string, number>): boolean {
  if (term[i] !== "'" || !/[sS]/.test(term[i + 1] ?? '') || i === 0) return false;
  if ((kindOf(term[i - 1]!, types) & LETTER) === 0) return false;
  return i + 2 === term.length || kindOf(term[i + 2]!, types) === DELIMITER;
}

function splitParts(term: string, options: Options): readonly Part[] {
  const parts: Part[] = [];
  let start = -1;
  let last = DELIMITER;
  const close = (end: number): void => {
    if (start >= 0) parts.push({ start, end, isNumber: (kindOf(term[start]!, options.types) & LETTER) === 0 });
    start = -1;
  };
  for (let i = 0; i < term.length; i++) {
    const kind = kindOf(term[i]!, options.types);
    if ((kind & DELIMITER) !== 0) {
      close(i);
      if (options.possessive && isPossessive(term, i, options.types)) i += 1;
    } else if (start < 0) {
      start = i;
    } else if (breaks(last, kind, options)) {
      close(i);
      start = i;
    }
    last = kind;
  }
  close(term.length);
  return parts;
}

/** Ranges [from, to) of adjacent parts of one kind, to be catenated. */
function runsOf(parts: readonly Part[]): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  parts.forEach((part, i) => {
    const last = runs.at(-1);
    if (last && parts[last[0]]!.isNumber === part.isNumber) last[1] = i + 1;
    else runs.push([i, i + 1]);
  });
  return runs;
}

function partToken(
  token: Token,
  parts: readonly Part[],
  from: number,
  to: number,
  position: number,
  adjusts: boolean,
): Token {
  const term = parts
    .slice(from, to)
    .map(({ start, end }) => token.term.slice(start, end))
    .join('');
  const hasPlainOffsets = adjusts && token.end - token.start === token.term.length;
  return {
    ...token,
    term,
    position,
    span: 1,
    start: hasPlainOffsets ? token.start + parts[from]!.start : token.start,
    end: hasPlainOffsets ? token.start + parts[to - 1]!.end : token.end,
  };
}

function isGenerated(part: Part, options: Options): boolean {
  return part.isNumber ? options.numberParts : options.wordParts;
}

/** Splits one token into tokens from position `base` on; returns them and the number of their positions. */
function expand(
  token: Token,
  base: number,
  options: Options,
): { readonly tokens: Token[]; readonly positions: number } {
  const parts = splitParts(token.term, options);
  const isWhole = parts.length === 1 && parts[0]!.end - parts[0]!.start === token.term.length;
  if (isWhole || options.protectedWords.has(token.term) || (options.ignoresKeywords && token.keyword)) {
    return { tokens: [{ ...token, position: base }], positions: 1 };
  }
  const made = new Map<string, Token>();
  const add = (made_: Token): void => {
    const key = `${made_.position} ${made_.term}`;
    if (!made.has(key)) made.set(key, made_);
  };
  const generated = parts.map((part) => isGenerated(part, options));
  const positionOf = (index: number): number => generated.slice(0, index).filter(Boolean).length;
  const total = Math.max(1, positionOf(parts.length));
  const spanOf = (from: number, to: number): number =>
    options.isGraph ? Math.max(1, positionOf(to) - positionOf(from)) : 1;
  const catenated = (from: number, to: number): Token => ({
    ...partToken(
      token,
      parts,
      from,
      to,
      base + (options.isGraph ? positionOf(from) : Math.max(0, positionOf(to) - 1)),
      options.adjustsOffsets,
    ),
    span: spanOf(from, to),
  });
  if (options.preservesOriginal) add({ ...token, position: base, span: options.isGraph ? total : 1 });
  if (options.catenateAll && parts.length > 1) add(catenated(0, parts.length));
  for (const [from, to] of runsOf(parts)) {
    const joins = parts[from]!.isNumber ? options.catenateNumbers : options.catenateWords;
    if (joins && (to - from > 1 || !generated[from])) add(catenated(from, to));
  }
  parts.forEach((_part, i) => {
    if (generated[i]) add(partToken(token, parts, i, i + 1, base + positionOf(i), options.adjustsOffsets));
  });
  const tokens = [...made.values()].sort((a, b) => a.position - b.position || b.end - b.start - (a.end - a.start));
  return { tokens, positions: tokens.length === 0 ? 0 : total };
}

function wordDelimiterFilter(name: string, options: Options): TokenFilter {
  return {
    name,
    normalize: null,
    apply({ tokens, endPosition }: TokenStream) {
      const made: Token[] = [];
      let shift = 0;
      for (const token of tokens) {
        const { tokens: parts, positions } = expand(token, token.position + shift, options);
        made.push(...parts);
        if (positions > 1) shift += positions - 1;
      }
      return { tokens: made, endPosition: endPosition + shift };
    },
  };
}

/** `word_delimiter`: splits tokens at delimiters, at changes of case, and between letters and digits. */
export const wordDelimiter: FilterFactory = {
  create: (name, parameters) => wordDelimiterFilter(name, optionsOf(parameters, false)),
};

/** `word_delimiter_graph`: as `word_delimiter`, but the output is a correct token graph. */
export const wordDelimiterGraph: FilterFactory = {
  create: (name, parameters) => wordDelimiterFilter(name, optionsOf(parameters, true)),
};
