import { type Analyzer, analyzeParts, type TokenList } from '@shoal/analysis';
import type { Pause } from '../searcher.js';

/** Separator between the values of a field in its text: every analyser and break iterator splits there. */
export const VALUE_SEPARATOR = '\u2029';

/** The values of a field of one document as one text, with its tokens. Offsets are UTF-16 units of `text`. */
export interface FieldText {
  readonly text: string;
  readonly values: readonly string[];
  /** Offset of each value in `text`. */
  readonly starts: readonly number[];
  readonly tokens: FieldTokens;
}

/** Tokens in parallel arrays, positions ascending. */
export interface FieldTokens {
  readonly terms: readonly string[];
  readonly positions: readonly number[];
  readonly startOffsets: readonly number[];
  readonly endOffsets: readonly number[];
  /** Indices of the tokens of each term, ascending. */
  readonly byTerm: ReadonlyMap<string, readonly number[]>;
}

/** Turns a value into tokens: an analyser, or the normaliser of a field whose terms are whole values. */
export type TokenSource = Analyzer | ((value: string) => string);

/**
 * Joins and analyses the values. Tokens that begin behind offset `limit` are left out. Pauses between parts of a long
 * text.
 */
export async function fieldText(
  values: readonly string[],
  analyzer: TokenSource,
  limit: number,
  pause: Pause,
): Promise<FieldText> {
  const starts: number[] = [];
  let length = 0;
  for (const value of values) {
    starts.push(length);
    length += value.length + VALUE_SEPARATOR.length;
  }
  const tokens = await tokensOf(values, starts, analyzer, limit, pause);
  return { text: values.join(VALUE_SEPARATOR), values, starts, tokens };
}

async function tokensOf(
  values: readonly string[],
  starts: readonly number[],
  analyzer: TokenSource,
  limit: number,
  pause: Pause,
): Promise<FieldTokens> {
  const tokens: Growing = { terms: [], positions: [], startOffsets: [], endOffsets: [], byTerm: new Map() };
  let base = 0;
  for (let i = 0; i < values.length && starts[i]! <= limit; i++) {
    const value = analysedPart(values[i]!, limit - starts[i]!);
    if (typeof analyzer === 'function') {
      addToken(tokens, analyzer(value), base++, starts[i]!, starts[i]! + value.length);
      continue;
    }
    let end = base;
    for (const { list, offset, position } of analyzeParts(analyzer, value)) {
      addTokens(tokens, list, { start: starts[i]! + offset, base: base + position, last: limit });
      end = base + position + list.endPosition;
      await pause();
    }
    base = end + analyzer.positionIncrementGap;
  }
  return tokens;
}

interface Growing {
  readonly terms: string[];
  readonly positions: number[];
  readonly startOffsets: number[];
  readonly endOffsets: number[];
  readonly byTerm: Map<string, number[]>;
}

/** Text behind a limit that is analysed too, so that a token which begins before the limit is whole. */
const TOKEN_CHARS_MAX = 4096;

/** Returns the part of a value that tokens which begin up to `limit` may be in. */
const analysedPart = (value: string, limit: number): string =>
  value.length <= limit ? value : value.slice(0, limit + TOKEN_CHARS_MAX);

/** Adds the tokens of a part that begin at `last` or before it. */
function addTokens(
  into: Growing,
  list: TokenList,
  { start, base, last }: { readonly start: number; readonly base: number; readonly last: number },
): void {
  for (let i = 0; i < list.count; i++) {
    const from = start + list.startOffsets[i]!;
    if (from > last) return;
    addToken(into, list.terms[i]!, base + list.positions[i]!, from, start + list.endOffsets[i]!);
  }
}

function addToken(into: Growing, term: string, position: number, start: number, end: number): void {
  const own = into.byTerm.get(term);
  if (own) own.push(into.terms.length);
  else into.byTerm.set(term, [into.terms.length]);
  into.terms.push(term);
  into.positions.push(position);
  into.startOffsets.push(start);
  into.endOffsets.push(end);
}
