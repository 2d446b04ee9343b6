import type { Analyzer } from '@shoal/analysis';

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

/** Joins and analyses the values. Text beyond `limit` characters, counted over all values, is not analysed. */
export function fieldText(values: readonly string[], analyzer: TokenSource, limit: number): FieldText {
  const starts: number[] = [];
  let length = 0;
  for (const value of values) {
    starts.push(length);
    length += value.length + VALUE_SEPARATOR.length;
  }
  return { text: values.join(VALUE_SEPARATOR), values, starts, tokens: tokensOf(values, starts, analyzer, limit) };
}

function tokensOf(
  values: readonly string[],
  starts: readonly number[],
  analyzer: TokenSource,
  limit: number,
): FieldTokens {
  const tokens = {
    terms: [] as string[],
    positions: [] as number[],
    startOffsets: [] as number[],
    endOffsets: [] as number[],
    byTerm: new Map<string, number[]>(),
  };
  let base = 0;
  for (let i = 0; i < values.length && starts[i]! < limit; i++) {
    base = addValue(tokens, values[i]!.slice(0, limit - starts[i]!), starts[i]!, base, analyzer);
  }
  for (let i = 0; i < tokens.terms.length; i++) {
    const own = tokens.byTerm.get(tokens.terms[i]!);
    if (own) own.push(i);
    else tokens.byTerm.set(tokens.terms[i]!, [i]);
  }
  return tokens;
}

interface Growing {
  readonly terms: string[];
  readonly positions: number[];
  readonly startOffsets: number[];
  readonly endOffsets: number[];
}

/** Appends the tokens of one value; returns the position at which the next value begins. */
function addValue(into: Growing, value: string, start: number, base: number, analyzer: TokenSource): number {
  if (typeof analyzer === 'function') {
    into.terms.push(analyzer(value));
    into.positions.push(base);
    into.startOffsets.push(start);
    into.endOffsets.push(start + value.length);
    return base + 1;
  }
  const list = analyzer.analyze(value);
  for (let i = 0; i < list.count; i++) {
    into.terms.push(list.terms[i]!);
    into.positions.push(base + list.positions[i]!);
    into.startOffsets.push(start + list.startOffsets[i]!);
    into.endOffsets.push(start + list.endOffsets[i]!);
  }
  return base + list.endPosition + analyzer.positionIncrementGap;
}
