/** Tokens of one text, side by side. Reused between calls: copy what must stay. */
export interface TokenList {
  /** Tokens that count. */
  count: number;
  readonly terms: string[];
  /** Absolute positions, from 0. */
  readonly positions: number[];
  readonly startOffsets: number[];
  readonly endOffsets: number[];
  /** `<ALPHANUM>`, `word` …; filled only when `detail` was asked for. */
  readonly types: string[];
  readonly positionLengths: number[];
  /** Position after the last token, gaps of removed tokens included. */
  endPosition: number;
}

export interface Analyzer {
  readonly name: string;
  /** Gap between the values of an array of texts. */
  readonly positionIncrementGap: number;
  /**
   * Tokens of a text, valid until the next call of the same analyzer. Offsets are UTF-16 units of the original text.
   */
  analyze(text: string, detail?: boolean): TokenList;
  /**
   * Indexing path: appends the terms of a text and their positions, counted from `position`; returns the position after
   * the last token, gaps of removed tokens included.
   */
  collect(text: string, position: number, terms: string[], positions: number[]): number;
  /**
   * The single term of a text after character filters and the filters that work on characters (case, folding), as
   * wildcard, prefix and fuzzy queries need it.
   */
  normalize(text: string): string;
}

/** The analysers, normalizers, tokenizers and filters of one index: built-in and from `index.analysis.*`. */
export interface AnalysisRegistry {
  /** By name (`standard`, `default`, custom ones …), or null. */
  analyzer(name: string): Analyzer | null;
  normalizer(name: string): Analyzer | null;
  readonly defaultAnalyzer: Analyzer;
  readonly defaultSearchAnalyzer: Analyzer;
  /**
   * For `_analyze` with tokenizer, filter, char_filter given by name or inline definition; throws illegal_argument for
   * unknown ones.
   */
  custom(definition: CustomDefinition): Analyzer;
  /** Stages of an analyzer for `_analyze` with `explain`; null for built-in ones that are not made of stages. */
  stages(analyzer: Analyzer): readonly AnalyzerStage[] | null;
}

/** Parts of a custom analyzer: names, or objects with a `type` and parameters. */
export interface CustomDefinition {
  readonly tokenizer?: unknown;
  readonly filter?: unknown;
  readonly char_filter?: unknown;
  readonly normalizer?: boolean;
}

export interface AnalyzerStage {
  readonly kind: 'char_filter' | 'tokenizer' | 'filter';
  readonly name: string;
  /** Runs all stages up to this one. */
  run(text: string): { readonly text?: string; readonly tokens?: TokenList };
}
