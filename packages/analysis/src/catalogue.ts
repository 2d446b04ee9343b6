import { firstLineWithLetters, firstNonBlankLine } from './char-filters/first-line-with-letters.js';
import { htmlStrip } from './char-filters/html-strip.js';
import { mapping } from './char-filters/mapping.js';
import { patternReplace as patternReplaceChars } from './char-filters/pattern-replace.js';
import type { CharFilterFactory, FilterFactory, TokenizerFactory } from './component.js';
import { apostrophe } from './filters/apostrophe.js';
import { asciifolding } from './filters/asciifolding.js';
import { cjkBigram } from './filters/cjk-bigram.js';
import { cjkWidth } from './filters/cjk-width.js';
import { classic } from './filters/classic.js';
import { commonGrams } from './filters/common-grams.js';
import { condition } from './filters/condition.js';
import { decimalDigit } from './filters/decimal-digit.js';
import { delimitedPayload } from './filters/delimited-payload.js';
import { dictionaryDecompounder } from './filters/dictionary-decompounder.js';
import { edgeNgram } from './filters/edge-ngram.js';
import { elision } from './filters/elision.js';
import { fingerprint } from './filters/fingerprint.js';
import { flattenGraph } from './filters/flatten-graph.js';
import { keep } from './filters/keep.js';
import { keepTypes } from './filters/keep-types.js';
import { keywordMarker } from './filters/keyword-marker.js';
import { keywordRepeat } from './filters/keyword-repeat.js';
import { length } from './filters/length.js';
import { limit } from './filters/limit.js';
import { lowercase } from './filters/lowercase.js';
import { multiplexer } from './filters/multiplexer.js';
import { ngram } from './filters/ngram.js';
import { patternCapture } from './filters/pattern-capture.js';
import { patternReplace } from './filters/pattern-replace.js';
import { predicate } from './filters/predicate.js';
import { removeDuplicates } from './filters/remove-duplicates.js';
import { reverse } from './filters/reverse.js';
import {
  arabicNormalization,
  germanNormalization,
  persianNormalization,
  scandinavianFolding,
  scandinavianNormalization,
} from './filters/script-normalization.js';
import { shingle } from './filters/shingle.js';
import { porterStemFilter, snowball, stemmer } from './filters/stemmer.js';
import { stemmerOverride } from './filters/stemmer-override.js';
import { stop } from './filters/stop.js';
import { synonym, synonymGraph } from './filters/synonym.js';
import { trim } from './filters/trim.js';
import { truncate } from './filters/truncate.js';
import { unique } from './filters/unique.js';
import { uppercase } from './filters/uppercase.js';
import { wordDelimiter } from './filters/word-delimiter.js';
import { wordDelimiterGraph } from './filters/word-delimiter-graph.js';
import { charGroup } from './tokenizers/char-group.js';
import { classic as classicTokenizer } from './tokenizers/classic.js';
import { edgeNgram as edgeNgramTokenizer } from './tokenizers/edge-ngram.js';
import { keyword } from './tokenizers/keyword.js';
import { letter } from './tokenizers/letter.js';
import { lowercase as lowercaseTokenizer } from './tokenizers/lowercase.js';
import { mlClassic, mlStandard } from './tokenizers/ml-standard.js';
import { ngram as ngramTokenizer } from './tokenizers/ngram.js';
import { pathHierarchy } from './tokenizers/path-hierarchy.js';
import { pattern, simplePattern, simplePatternSplit } from './tokenizers/pattern.js';
import { standard } from './tokenizers/standard.js';
import { thai } from './tokenizers/thai.js';
import { uaxUrlEmail } from './tokenizers/uax-url-email.js';
import { whitespace } from './tokenizers/whitespace.js';

/** Tokenizers by the `type` of their definition, which is also their built-in name. */
export const tokenizers: ReadonlyMap<string, TokenizerFactory> = new Map<string, TokenizerFactory>([
  ['char_group', charGroup],
  ['classic', classicTokenizer],
  ['edge_ngram', edgeNgramTokenizer],
  ['keyword', keyword],
  ['letter', letter],
  ['lowercase', lowercaseTokenizer],
  ['ml_classic', mlClassic],
  ['ml_standard', mlStandard],
  ['ngram', ngramTokenizer],
  ['path_hierarchy', pathHierarchy],
  ['pattern', pattern],
  ['simple_pattern', simplePattern],
  ['simple_pattern_split', simplePatternSplit],
  ['standard', standard],
  ['thai', thai],
  ['uax_url_email', uaxUrlEmail],
  ['whitespace', whitespace],
]);

/** Token filters by `type`, which is also their built-in name. */
export const filters: ReadonlyMap<string, FilterFactory> = new Map<string, FilterFactory>([
  ['apostrophe', apostrophe],
  ['arabic_normalization', arabicNormalization],
  ['asciifolding', asciifolding],
  ['cjk_bigram', cjkBigram],
  ['cjk_width', cjkWidth],
  ['classic', classic],
  ['common_grams', commonGrams],
  ['condition', condition],
  ['decimal_digit', decimalDigit],
  ['delimited_payload', delimitedPayload],
  ['dictionary_decompounder', dictionaryDecompounder],
  ['edge_ngram', edgeNgram],
  ['elision', elision],
  ['fingerprint', fingerprint],
  ['flatten_graph', flattenGraph],
  ['german_normalization', germanNormalization],
  ['keep', keep],
  ['keep_types', keepTypes],
  ['keyword_marker', keywordMarker],
  ['keyword_repeat', keywordRepeat],
  ['length', length],
  ['limit', limit],
  ['lowercase', lowercase],
  ['multiplexer', multiplexer],
  ['ngram', ngram],
  ['pattern_capture', patternCapture],
  ['pattern_replace', patternReplace],
  ['persian_normalization', persianNormalization],
  ['porter_stem', porterStemFilter],
  ['predicate_token_filter', predicate],
  ['remove_duplicates', removeDuplicates],
  ['reverse', reverse],
  ['scandinavian_folding', scandinavianFolding],
  ['scandinavian_normalization', scandinavianNormalization],
  ['shingle', shingle],
  ['snowball', snowball],
  ['stemmer', stemmer],
  ['stemmer_override', stemmerOverride],
  ['stop', stop],
  ['synonym', synonym],
  ['synonym_graph', synonymGraph],
  ['trim', trim],
  ['truncate', truncate],
  ['unique', unique],
  ['uppercase', uppercase],
  ['word_delimiter', wordDelimiter],
  ['word_delimiter_graph', wordDelimiterGraph],
]);

/** Character filters by `type`, which is also their built-in name. */
export const charFilters: ReadonlyMap<string, CharFilterFactory> = new Map<string, CharFilterFactory>([
  ['first_line_with_letters', firstLineWithLetters],
  ['first_non_blank_line', firstNonBlankLine],
  ['html_strip', htmlStrip],
  ['mapping', mapping],
  ['pattern_replace', patternReplaceChars],
]);
