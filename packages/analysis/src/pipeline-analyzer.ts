import type { Analyzer, AnalyzerStage, TokenList } from './analyzer.js';
import type { CharFilter, FilteredText, TokenFilter, Tokenizer, TokenStream } from './token.js';
import { newTokenList } from './token-list.js';

/** Parts of a custom analyzer, a language analyzer or a normalizer. */
export interface AnalyzerParts {
  readonly charFilters: readonly CharFilter[];
  readonly tokenizer: Tokenizer;
  readonly filters: readonly TokenFilter[];
}

const POSITION_INCREMENT_GAP = 100;

function filterText(charFilters: readonly CharFilter[], text: string): FilteredText {
  let filtered: FilteredText = { text, correct: (offset) => offset };
  for (const filter of charFilters) {
    const inner = filtered;
    const outer = filter.apply(inner.text);
    filtered = { text: outer.text, correct: (offset) => inner.correct(outer.correct(offset)) };
  }
  return filtered;
}

/** Analyses a text with all parts. Offsets refer to the original text. */
export function runParts(parts: AnalyzerParts, text: string): TokenStream {
  if (parts.charFilters.length === 0)
    return runFilters(parts.filters, { ...parts.tokenizer.tokenize(text), endOffset: text.length });
  const filtered = filterText(parts.charFilters, text);
  const stream = parts.tokenizer.tokenize(filtered.text);
  for (const token of stream.tokens) {
    token.start = filtered.correct(token.start);
    token.end = filtered.correct(token.end);
  }
  return runFilters(parts.filters, { ...stream, endOffset: text.length });
}

function runFilters(filters: readonly TokenFilter[], stream: TokenStream): TokenStream {
  let current = stream;
  for (const filter of filters) current = filter.apply(current);
  return current;
}

function fill(list: TokenList, stream: TokenStream): TokenList {
  const { tokens } = stream;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    list.terms[i] = token.term;
    list.positions[i] = token.position;
    list.startOffsets[i] = token.start;
    list.endOffsets[i] = token.end;
    list.types[i] = token.type;
    list.positionLengths[i] = token.span;
  }
  list.count = tokens.length;
  list.endPosition = stream.endPosition;
  return list;
}

function collectStream(stream: TokenStream, position: number, terms: string[], positions: number[]): number {
  for (const token of stream.tokens) {
    terms.push(token.term);
    positions.push(position + token.position);
  }
  return position + stream.endPosition;
}

type Collect = Analyzer['collect'];

/**
 * Analysis for indexing without token objects, for chains that work term by term; null if a part needs the whole
 * stream.
 */
function directCollect({ charFilters, tokenizer, filters }: AnalyzerParts): Collect | null {
  const changes = filters.map((filter) => filter.onTerm).filter((change) => change !== undefined);
  const append = tokenizer.appendTerms;
  if (!append || charFilters.length > 0 || changes.length < filters.length) return null;
  return (text, position, terms, positions) => {
    const from = terms.length;
    const end = append(text, position, terms, positions);
    let kept = from;
    for (let i = from; i < terms.length; i++) {
      const term = changeTerm(terms[i]!, changes);
      if (term === null) continue;
      terms[kept] = term;
      positions[kept] = positions[i]!;
      kept++;
    }
    terms.length = kept;
    positions.length = kept;
    return end;
  };
}

function changeTerm(term: string, changes: readonly ((term: string) => string | null)[]): string | null {
  let current: string | null = term;
  for (let i = 0; i < changes.length && current !== null; i++) current = changes[i]!(current);
  return current;
}

function normalizeWith(parts: AnalyzerParts, text: string): string {
  let current = filterText(
    parts.charFilters.filter((filter) => filter.isNormalizing),
    text,
  ).text;
  for (const filter of parts.filters) {
    if (filter.normalize) current = filter.normalize(current);
  }
  return current;
}

function isPerWord({ charFilters, tokenizer, filters }: AnalyzerParts): boolean {
  return (
    charFilters.length === 0 &&
    tokenizer.endsAtSpaces === true &&
    filters.every((filter) => filter.onTerm !== undefined)
  );
}

/** Builds an analyzer that applies its parts one after the other. */
export function pipelineAnalyzer(
  name: string,
  parts: AnalyzerParts,
  positionIncrementGap = POSITION_INCREMENT_GAP,
): Analyzer {
  const list = newTokenList();
  return {
    name,
    positionIncrementGap,
    isPerWord: isPerWord(parts),
    analyze: (text) => fill(list, runParts(parts, text)),
    collect:
      directCollect(parts) ??
      ((text, position, terms, positions) => collectStream(runParts(parts, text), position, terms, positions)),
    normalize: (text) => normalizeWith(parts, text),
  };
}

/** Stages of `_analyze` with `explain`; each runs all parts up to and including itself. */
export function stagesOf(parts: AnalyzerParts): readonly AnalyzerStage[] {
  const charStages = parts.charFilters.map(
    (filter, i): AnalyzerStage => ({
      kind: 'char_filter',
      name: filter.name,
      run: (text) => ({ text: filterText(parts.charFilters.slice(0, i + 1), text).text }),
    }),
  );
  const tokensUpTo = (count: number) => (text: string) => ({
    tokens: fill(newTokenList(), runParts({ ...parts, filters: parts.filters.slice(0, count) }, text)),
  });
  const tokenizer: AnalyzerStage = { kind: 'tokenizer', name: parts.tokenizer.name, run: tokensUpTo(0) };
  const filters = parts.filters.map(
    (filter, i): AnalyzerStage => ({ kind: 'filter', name: filter.name, run: tokensUpTo(i + 1) }),
  );
  return [...charStages, tokenizer, ...filters];
}
