import type { FilterFactory } from '../component.js';
import type { Token, TokenFilter, TokenStream } from '../token.js';
import {
  Catenation,
  isCatenated,
  isGenerated,
  offsetsOf,
  wordDelimiterOptions,
  type WordDelimiterOptions,
} from './word-delimiter-options.js';
import { type Part, splitTerm } from './word-parts.js';

/** A token of a word: its term, the positions [from, to) relative to the word, and its range of the word's term. */
interface GraphToken {
  readonly term: string;
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
}

const inOrder = (a: GraphToken, b: GraphToken): number =>
  a.from - b.from || b.to - a.to || a.start - b.start || b.end - a.end;

/** Splits a term of several parts as Lucene 9.9 WordDelimiterGraphFilter does. */
function graphOf(
  term: string,
  parts: readonly Part[],
  isSingleWord: boolean,
  options: WordDelimiterOptions,
): GraphToken[] {
  const tokens: GraphToken[] = [];
  let position = 0;
  const addPart = ({ start, end }: Part): void => {
    tokens.push({ term: term.slice(start, end), from: position, to: position + 1, start, end });
    position++;
  };
  if (isSingleWord) addPart(parts[0]!);
  else {
    const [run, all] = [new Catenation(), new Catenation()];
    let [runFrom, lastJoined] = [0, 0];
    const addJoined = (joined: Catenation, from: number): void => {
      tokens.push({ term: joined.termOf(term), from, to: position, start: joined.start, end: joined.end });
    };
    const flush = (): void => {
      if (position === runFrom) position++;
      lastJoined = run.count;
      if (run.count !== 1 || !isGenerated(run.kind, options)) addJoined(run, runFrom);
      run.clear();
    };
    for (const part of parts) {
      if (run.count > 0 && (run.kind & part.kind) === 0) flush();
      if (isCatenated(part.kind, options)) {
        if (run.count === 0) runFrom = position;
        run.add(part);
      }
      if (options.catenateAll) all.add(part);
      if (isGenerated(part.kind, options)) addPart(part);
    }
    if (run.count > 0) flush();
    if (all.count > lastJoined) {
      if (position === 0) position++;
      addJoined(all, 0);
    }
  }
  if (options.preservesOriginal)
    tokens.unshift({ term, from: 0, to: Math.max(1, position), start: 0, end: term.length });
  return tokens.sort(inOrder);
}

function wordDelimiterGraphFilter(name: string, options: WordDelimiterOptions): TokenFilter {
  return {
    name,
    normalize: null,
    apply({ tokens, endPosition }: TokenStream) {
      const made: Token[] = [];
      let [position, last, lastStart] = [-1, -1, 0];
      /** Increments of words without any token. */
      let skipped = 0;
      const output = (token: Token): void => {
        lastStart = Math.max(token.start, lastStart);
        made.push({ ...token, start: lastStart, end: Math.max(token.end, lastStart) });
        position = token.position;
      };
      for (const token of tokens) {
        const base = position + skipped + token.position - last;
        skipped += token.position - last;
        last = token.position;
        const { parts, isSingleWord } = splitTerm(token.term, options);
        const [first] = parts;
        const isWhole = first !== undefined && first.start === 0 && first.end === token.term.length;
        if (first === undefined && !options.preservesOriginal && !options.protectedWords.has(token.term)) continue;
        skipped = 0;
        if (
          isWhole ||
          first === undefined ||
          options.protectedWords.has(token.term) ||
          (options.ignoresKeywords && token.keyword)
        ) {
          output({ ...token, position: base });
          continue;
        }
        for (const { term, from, to, start, end } of graphOf(token.term, parts, isSingleWord, options)) {
          const offsets = offsetsOf(token, start, end, options.adjustsOffsets);
          output({ ...token, term, position: base + from, span: to - from, ...offsets });
        }
      }
      return { tokens: made, endPosition: position + skipped + endPosition - last };
    },
  };
}

/** `word_delimiter_graph`: as `word_delimiter`, but the output is a correct token graph. */
export const wordDelimiterGraph: FilterFactory = {
  create: (name, parameters) => wordDelimiterGraphFilter(name, wordDelimiterOptions(parameters)),
};
