import type { Analyzer } from './analyzer.js';
import { newTokenList } from './token-list.js';
import { appendStandardTerms, standardTokens } from './tokenizers/standard.kernel.js';
import { lowerCase } from './unicode/case.js';

/** The default analyzer of text fields: standard tokenizer and lower case, in one pass over the text. */
export function standardAnalyzer(name: string, maxTokenLength: number): Analyzer {
  const list = newTokenList();
  return {
    name,
    positionIncrementGap: 100,
    isPerWord: true,
    analyze(text, detail = false) {
      standardTokens(text, maxTokenLength, true, detail, list);
      return list;
    },
    collect: (text, position, terms, positions) =>
      appendStandardTerms(text, maxTokenLength, true, position, terms, positions),
    normalize: lowerCase,
  };
}
