/** Tokens of one text as parallel arrays. The analyzer reuses the object at the next call: copy what must be kept. */
export interface TokenList {
  /** Number of tokens; elements of the arrays beyond it are leftovers. */
  count: number;
  readonly terms: string[];
  /** Absolute positions, from 0. */
  readonly positions: number[];
  readonly startOffsets: number[];
  readonly endOffsets: number[];
  /** Token types such as `<ALPHANUM>` or `word`; valid only if `analyze` was called with `detail`. */
  readonly types: string[];
  readonly positionLengths: number[];
  /** Position after the last token, including gaps of removed tokens. */
  endPosition: number;
}

/** Turns texts into terms. Not reentrant: results are reused between calls. */
export interface Analyzer {
  readonly name: string;
  /** Positions to skip between two values of an array of texts. */
  readonly positionIncrementGap: number;
  /** Whether words are looked at one by one, so that a text may be cut behind a space. Absent: it may not. */
  readonly isPerWord?: boolean;
  /**
   * Analyses a text; the tokens are valid until the next call of the same analyzer. Offsets are UTF-16 units of the
   * original text. `detail` also fills the token types.
   */
  analyze(text: string, detail?: boolean): TokenList;
  /**
   * Analyses a text for indexing: appends its terms and their positions, counted from `position`. Returns the position
   * after the last token, including gaps of removed tokens.
   */
  collect(text: string, position: number, terms: string[], positions: number[]): number;
  /**
   * Normalizes a text to a single term: applies the character filters and those token filters that work on characters
   * (case, folding). For wildcard, prefix and fuzzy queries.
   */
  normalize(text: string): string;
}

/** Analyzers, normalizers, tokenizers and filters of one index: built-in ones and those of `index.analysis.*`. */
export interface AnalysisRegistry {
  /** Analyzer of a name (`standard`, `default`, a custom one …), or null if there is none. */
  analyzer(name: string): Analyzer | null;
  normalizer(name: string): Analyzer | null;
  readonly defaultAnalyzer: Analyzer;
  readonly defaultSearchAnalyzer: Analyzer;
  /**
   * Builds the analyzer of an `_analyze` request from its tokenizer, filter and char_filter, given by name or as inline
   * definitions. Throws illegal_argument_exception for unknown ones.
   */
  custom(definition: CustomDefinition): Analyzer;
  /** Stages of an analyzer for `_analyze` with `explain`; null for a built-in analyzer that has no stages. */
  stages(analyzer: Analyzer): readonly AnalyzerStage[] | null;
}

/** Parts of a custom analyzer: names, or objects with a `type` and parameters. */
export interface CustomDefinition {
  readonly tokenizer?: unknown;
  readonly filter?: unknown;
  readonly char_filter?: unknown;
  readonly normalizer?: boolean;
}

/** One part of an analyzer, for `_analyze` with `explain`. */
export interface AnalyzerStage {
  readonly kind: 'char_filter' | 'tokenizer' | 'filter';
  readonly name: string;
  /** Runs all stages up to and including this one. A character filter returns `text`, other stages `tokens`. */
  run(text: string): { readonly text?: string; readonly tokens?: TokenList };
}
