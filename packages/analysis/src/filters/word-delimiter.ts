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

/** A token that waits until all of its word is split: sorted by start, then by the greater increment. */
interface BufferedToken {
  readonly token: Token;
  increment: number;
}

/** State of the filter over the tokens of a text. Follows Lucene 9.9 WordDelimiterFilter, oddities of positions too. */
class WordDelimiter {
  readonly tokens: Token[] = [];
  /** Position of the last token that was output. */
  position = -1;
  readonly #options: WordDelimiterOptions;
  /** Increments of tokens that are still to be given to an output token. */
  #increment = 0;
  #isFirst = true;
  #hasOutputToken = false;
  #hasOutputFollowingOriginal = false;
  #buffered: BufferedToken[] = [];

  constructor(options: WordDelimiterOptions) {
    this.#options = options;
  }

  /** Takes the next token, `increment` positions behind the one before it. */
  take(token: Token, increment: number): void {
    const options = this.#options;
    if (options.ignoresKeywords && token.keyword) return this.#output(token, increment);
    this.#increment += increment;
    const { parts, isSingleWord } = splitTerm(token.term, options);
    const [first] = parts;
    const isWhole = first !== undefined && first.start === 0 && first.end === token.term.length;
    if (isWhole || options.protectedWords.has(token.term)) return this.#outputWhole(token);
    if (first === undefined && !options.preservesOriginal) {
      if (increment === 1 && !this.#isFirst) this.#increment--;
      return;
    }
    this.#hasOutputToken = false;
    this.#hasOutputFollowingOriginal = !options.preservesOriginal;
    if (options.preservesOriginal) this.#outputWhole(token);
    if (isSingleWord) this.#outputSingle(token, first!);
    else this.#split(token, parts);
  }

  #output(token: Token, increment: number): void {
    this.position += increment;
    this.tokens.push({ ...token, position: this.position, span: 1 });
  }

  #outputWhole(token: Token): void {
    this.#output(token, this.#increment);
    this.#increment = 0;
    this.#isFirst = false;
  }

  #outputSingle(token: Token, { start, end }: Part): void {
    this.#output(this.#made(token, token.term.slice(start, end), start, end), this.#nextIncrement(false));
    this.#isFirst = false;
  }

  #made(token: Token, term: string, start: number, end: number): Token {
    return { ...token, term, ...offsetsOf(token, start, end, this.#options.adjustsOffsets) };
  }

  /** Increment of the next part, or of parts that are joined, which stand where the part before them does. */
  #nextIncrement(isJoined: boolean): number {
    const increment = this.#increment;
    if (this.#hasOutputToken) {
      this.#increment = 0;
      return isJoined ? 0 : Math.max(1, increment);
    }
    this.#hasOutputToken = true;
    if (!this.#hasOutputFollowingOriginal) {
      this.#hasOutputFollowingOriginal = true;
      return 0;
    }
    this.#increment = 0;
    return Math.max(1, increment);
  }

  #split(token: Token, parts: readonly Part[]): void {
    const options = this.#options;
    const run = new Catenation();
    const all = new Catenation();
    let lastJoined = 0;
    const flush = (): void => {
      lastJoined = run.count;
      if (run.count !== 1 || !isGenerated(run.kind, options)) this.#buffer(token, run);
      run.clear();
    };
    for (const part of parts) {
      if (run.count > 0 && (run.kind & part.kind) === 0) {
        flush();
        this.#hasOutputToken = false;
      }
      if (isCatenated(part.kind, options)) run.add(part);
      if (options.catenateAll) all.add(part);
      if (isGenerated(part.kind, options)) {
        const { start, end } = part;
        this.#buffered.push({
          token: this.#made(token, token.term.slice(start, end), start, end),
          increment: this.#nextIncrement(false),
        });
      }
    }
    if (run.count > 0) flush();
    if (all.count > lastJoined) this.#buffer(token, all);
    this.#release();
  }

  #buffer(token: Token, joined: Catenation): void {
    this.#buffered.push({
      token: this.#made(token, joined.termOf(token.term), joined.start, joined.end),
      increment: this.#nextIncrement(true),
    });
    this.#increment = 0;
  }

  #release(): void {
    const buffered = this.#buffered;
    this.#buffered = [];
    buffered.sort((a, b) => a.token.start - b.token.start || b.increment - a.increment);
    for (const { token, increment } of buffered) {
      this.#output(token, this.#isFirst && increment === 0 ? 1 : increment);
      this.#isFirst = false;
    }
  }
}

function wordDelimiterFilter(name: string, options: WordDelimiterOptions): TokenFilter {
  return {
    name,
    normalize: null,
    apply({ tokens, endPosition }: TokenStream) {
      const delimiter = new WordDelimiter(options);
      let last = -1;
      for (const token of tokens) {
        delimiter.take(token, token.position - last);
        last = token.position;
      }
      return { tokens: delimiter.tokens, endPosition: Math.max(delimiter.position + endPosition - last, 0) };
    },
  };
}

/** `word_delimiter`: splits tokens at delimiters, at changes of case, and between letters and digits. */
export const wordDelimiter: FilterFactory = {
  create: (name, parameters) => wordDelimiterFilter(name, wordDelimiterOptions(parameters)),
};
