import { type BuildContext, NO_PARAMETERS, type Parameters } from '../component.js';
import type { AnalyzerParts } from '../pipeline-analyzer.js';
import { cjkBigramFilter } from '../filters/cjk-bigram.js';
import { foldWidth } from '../filters/cjk-width.js';
import { foldDigits } from '../filters/decimal-digit.js';
import { elisionFilter, FRENCH_ARTICLES } from '../filters/elision.js';
import { lowerTurkish } from '../filters/lowercase.js';
import { normalizeArabic, normalizeGerman } from '../filters/script-normalization.js';
import { stemFilter } from '../filters/stemmer.js';
import { stopFilter, stopWordsOf } from '../filters/stop.js';
import { termFilter, type TokenFilter } from '../token.js';
import { standardTokenizer } from '../tokenizers/standard.js';
import { thai as thaiTokenizer } from '../tokenizers/thai.js';
import { lowerCase } from '../unicode/case.js';
import {
  englishPossessive,
  lightArabic,
  lightFrench,
  lightGerman,
  lightItalian,
  lightPortuguese,
  lightSpanish,
} from './light-stemmers.js';
import { porterStem } from './porter.js';
import { snowballStemmer } from './snowball.js';
import { STOP_WORDS } from './stop-word-lists.js';

/** Builds a filter of an analyzer's chain; null if the filter would do nothing with these parameters. */
type Step = (parameters: Parameters, language: string) => TokenFilter | null;
type LanguageParts = (parameters: Parameters, context: BuildContext) => AnalyzerParts;

const lower: Step = () => termFilter('lowercase', lowerCase, { normalizes: true });
const digits: Step = () => termFilter('decimal_digit', foldDigits, { normalizes: true });
const term =
  (name: string, change: (text: string) => string): Step =>
  () =>
    termFilter(name, change, { normalizes: true });
const elide =
  (articles: readonly string[]): Step =>
  () =>
    elisionFilter('elision', articles, true);

const stop: Step = (parameters, language) => {
  const words = stopWordsOf(parameters, STOP_WORDS.has(language) ? [`_${language}_`] : []);
  return words.size === 0 ? null : stopFilter('stop', words);
};

/** Filter of `stem_exclusion`: words that the stemmer does not change. */
const exclude: Step = (parameters) => {
  const words = new Set(parameters.list('stem_exclusion') ?? []);
  if (words.size === 0) return null;
  return {
    name: 'keyword_marker',
    normalize: null,
    apply(stream) {
      for (const token of stream.tokens) if (words.has(token.term)) token.keyword = true;
      return stream;
    },
  };
};

const stem =
  (change: (word: string) => string): Step =>
  () =>
    stemFilter('stemmer', change);
const snowball: Step = (_parameters, language) => stemFilter('snowball', snowballStemmer(language)!);

function filtersOf(steps: readonly Step[], parameters: Parameters, name: string): readonly TokenFilter[] {
  return steps.map((step) => step(parameters, name)).filter((filter) => filter !== null);
}

function language(name: string, steps: readonly Step[]): readonly [string, LanguageParts] {
  const build: LanguageParts = (parameters) => ({
    charFilters: [],
    tokenizer: standardTokenizer('standard', 255),
    filters: filtersOf(steps, parameters, name),
  });
  return [name, build];
}

const CATALAN_ARTICLES = ['d', 'l', 'm', 'n', 's', 't'];
const ITALIAN_ARTICLES = [
  'c',
  'l',
  'all',
  'dall',
  'dell',
  'nell',
  'sull',
  'coll',
  'pell',
  'gl',
  'agl',
  'dagl',
  'degl',
  'negl',
  'sugl',
  'un',
  'm',
  't',
  's',
  'v',
  'd',
];
const IRISH_ARTICLES = ['d', 'm', 'b'];

const thai: LanguageParts = (parameters, context) => ({
  charFilters: [],
  tokenizer: thaiTokenizer.create('thai', NO_PARAMETERS, context),
  filters: filtersOf([lower, digits, stop], parameters, 'thai'),
});

/** Parts of the language analyzers, as in Elasticsearch 8.12 with Lucene 9. */
export const languageAnalyzers: ReadonlyMap<string, LanguageParts> = new Map<string, LanguageParts>([
  language('arabic', [lower, digits, stop, term('arabic_normalization', normalizeArabic), exclude, stem(lightArabic)]),
  language('armenian', [lower, stop, exclude, snowball]),
  language('basque', [lower, stop, exclude, snowball]),
  language('catalan', [elide(CATALAN_ARTICLES), lower, stop, exclude, snowball]),
  language('cjk', [term('cjk_width', foldWidth), lower, () => cjkBigramFilter('cjk_bigram', new Set(), false), stop]),
  language('danish', [lower, stop, exclude, snowball]),
  language('dutch', [lower, stop, exclude, snowball]),
  language('english', [term('possessive_english', englishPossessive), lower, stop, exclude, stem(porterStem)]),
  language('finnish', [lower, stop, exclude, snowball]),
  language('french', [elide(FRENCH_ARTICLES), lower, stop, exclude, stem(lightFrench)]),
  language('german', [lower, stop, exclude, term('german_normalization', normalizeGerman), stem(lightGerman)]),
  language('hungarian', [lower, stop, exclude, snowball]),
  language('irish', [elide(IRISH_ARTICLES), lower, stop, exclude, snowball]),
  language('italian', [elide(ITALIAN_ARTICLES), lower, stop, exclude, stem(lightItalian)]),
  language('norwegian', [lower, stop, exclude, snowball]),
  language('portuguese', [lower, stop, exclude, stem(lightPortuguese)]),
  language('romanian', [lower, stop, exclude, snowball]),
  language('russian', [lower, stop, exclude, snowball]),
  language('spanish', [lower, stop, exclude, stem(lightSpanish)]),
  language('swedish', [lower, stop, exclude, snowball]),
  ['thai', thai],
  language('turkish', [
    term('apostrophe', (text) => text.split(/['\u2019]/, 1)[0] ?? ''),
    term('lowercase', lowerTurkish),
    stop,
    exclude,
    snowball,
  ]),
]);
