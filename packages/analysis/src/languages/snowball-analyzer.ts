import { type BuildContext, NO_PARAMETERS, type Parameters } from '../component.js';
import { lowercase, lowerTurkish } from '../filters/lowercase.js';
import { snowball } from '../filters/stemmer.js';
import { stopFilter, stopWordsOf } from '../filters/stop.js';
import type { AnalyzerParts } from '../pipeline-analyzer.js';
import { termFilter, type TokenFilter } from '../token.js';
import { standardTokenizer } from '../tokenizers/standard.js';
import { englishPossessive } from './light-stemmers.js';

/** Languages with stop words of their own; all others have none. */
const STOP_WORDS: ReadonlyMap<string, string> = new Map([
  ['English', '_english_'],
  ['Dutch', '_dutch_'],
  ['German', '_german_'],
  ['German2', '_german_'],
  ['French', '_french_'],
]);
/** Languages whose words lose the s of possession first. */
const POSSESSIVE = ['English', 'Porter', 'Lovins'];

/**
 * Parts of the deprecated analyzer `snowball`: words without stop words, stemmed by the Snowball algorithm `language`
 * (or `name`), English by default. Throws illegal_argument_exception for an unknown algorithm.
 */
export function snowballAnalyzer(parameters: Parameters, context: BuildContext): AnalyzerParts {
  const language = parameters.text('language', parameters.text('name', 'English'));
  const own = STOP_WORDS.get(language);
  const words = stopWordsOf(parameters, own === undefined ? [] : [own]);
  const filters: TokenFilter[] = [
    ...(POSSESSIVE.includes(language) ? [termFilter('possessive_english', englishPossessive)] : []),
    language === 'Turkish'
      ? termFilter('lowercase', lowerTurkish, { normalizes: true })
      : lowercase.create('lowercase', NO_PARAMETERS, context),
    ...(words.size === 0 ? [] : [stopFilter('stop', words)]),
    snowball.create('snowball', parameters, context),
  ];
  return { charFilters: [], tokenizer: standardTokenizer('standard', 255), filters };
}
