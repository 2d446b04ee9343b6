import type { Analyzer } from './analyzer.js';
import { edgeNgramFilter } from './filters/edge-ngram.js';
import { shingleFilter } from './filters/shingle.js';
import { pipelineAnalyzer } from './pipeline-analyzer.js';
import type { Token, TokenFilter, Tokenizer, TokenStream } from './token.js';

/** Wraps an analyzer as a tokenizer, so that filters can follow it. */
function asTokenizer(base: Analyzer): Tokenizer {
  const tokenize = (text: string): TokenStream => {
    const list = base.analyze(text, true);
    const tokens: Token[] = [];
    for (let i = 0; i < list.count; i++) {
      tokens.push({
        term: list.terms[i]!,
        start: list.startOffsets[i]!,
        end: list.endOffsets[i]!,
        position: list.positions[i]!,
        span: list.positionLengths[i] ?? 1,
        type: list.types[i] ?? 'word',
        keyword: false,
      });
    }
    return { tokens, endPosition: list.endPosition };
  };
  return { name: base.name, tokenize };
}

function derive(base: Analyzer, suffix: string, filters: readonly TokenFilter[]): Analyzer {
  const derived = pipelineAnalyzer(
    `${base.name}${suffix}`,
    { charFilters: [], tokenizer: asTokenizer(base), filters },
    base.positionIncrementGap,
  );
  return { ...derived, normalize: (text) => base.normalize(text) };
}

/**
 * Analyzer whose terms are `size` consecutive terms of `base`, joined by spaces: for `_2gram` of `search_as_you_type`.
 */
export function shingleAnalyzer(base: Analyzer, size: number): Analyzer {
  const options = {
    min: size,
    max: size,
    outputsUnigrams: false,
    outputsUnigramsIfNone: false,
    separator: ' ',
    filler: '',
  };
  return derive(base, `_${size}gram`, [shingleFilter('shingle', options)]);
}

/**
 * Analyzer whose terms are the prefixes, of `min` to `max` code points, of the terms of `base` and of up to
 * `shingleSize` consecutive terms.
 */
export function prefixAnalyzer(base: Analyzer, shingleSize: number, min: number, max: number): Analyzer {
  const options = {
    min: 2,
    max: shingleSize,
    outputsUnigrams: true,
    outputsUnigramsIfNone: true,
    separator: ' ',
    filler: '',
  };
  return derive(base, '_prefix', [shingleFilter('shingle', options), edgeNgramFilter('edge_ngram', min, max)]);
}
