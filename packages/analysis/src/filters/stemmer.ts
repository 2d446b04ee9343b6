import { errors } from '@shoal/errors';
import type { FilterFactory } from '../component.js';
import {
  englishPossessive,
  lightArabic,
  lightFrench,
  lightGerman,
  lightItalian,
  lightPortuguese,
  lightSpanish,
  minimalEnglish,
  minimalFrench,
  minimalGerman,
} from '../languages/light-stemmers.js';
import { porterStem } from '../languages/porter.js';
import { snowballStemmer } from '../languages/snowball.js';
import { termFilter, type TokenFilter } from '../token.js';

type Stem = (word: string) => string;

/** Algorithms of the `stemmer` filter whose names are not names of Snowball. */
const NAMED: ReadonlyMap<string, Stem> = new Map<string, Stem>([
  ['english', porterStem],
  ['porter', porterStem],
  ['minimal_english', minimalEnglish],
  ['possessive_english', englishPossessive],
  ['arabic', lightArabic],
  ['light_french', lightFrench],
  ['light_german', lightGerman],
  ['minimal_german', minimalGerman],
  ['light_spanish', lightSpanish],
  ['light_italian', lightItalian],
  ['light_portuguese', lightPortuguese],
  ['minimal_french', minimalFrench],
]);

const SNOWBALL_NAMES: ReadonlyMap<string, string> = new Map([
  ['porter2', 'english'],
  ['german2', 'german'],
  ['dutch', 'dutch'],
]);

/** Stemmer of an algorithm. Throws illegal_argument_exception for an unknown name. */
export function stemOf(language: string): Stem {
  const name = language.toLowerCase();
  const stem = NAMED.get(name) ?? snowballStemmer(SNOWBALL_NAMES.get(name) ?? name);
  if (!stem) throw errors.illegalArgument(`Invalid stemmer class specified: ${language}`);
  return stem;
}

/** Limit of the words that a stemmer caches. */
const CACHED_WORDS_MAX = 10_000;
/** Longer words, in UTF-16 units, are not cached. */
const CACHED_LENGTH_MAX = 32;

/** Caches the stems of recent words: texts mostly repeat few words, and a stem costs as much as ten look-ups. */
function cachedStem(stem: Stem): Stem {
  const stems = new Map<string, string>();
  return (word) => {
    const known = stems.get(word);
    if (known !== undefined) return known;
    const made = stem(word);
    if (word.length > CACHED_LENGTH_MAX) return made;
    if (stems.size >= CACHED_WORDS_MAX) stems.clear();
    stems.set(word, made);
    return made;
  };
}

/** A filter that stems all tokens except keywords. */
export function stemFilter(name: string, stem: Stem): TokenFilter {
  return termFilter(name, cachedStem(stem), { sparesKeywords: true });
}

/** `stemmer`: stems by the algorithm `language` (or `name`), english by default. */
export const stemmer: FilterFactory = {
  create: (name, parameters) =>
    stemFilter(name, stemOf(parameters.text('language', parameters.text('name', 'porter')))),
};

/** `porter_stem`: stems English by Porter's algorithm. */
export const porterStemFilter: FilterFactory = { create: (name) => stemFilter(name, porterStem) };

/** `snowball`: stems by the Snowball algorithm `language`, English by default. */
export const snowball: FilterFactory = {
  create(name, parameters) {
    const language = parameters.text('language', parameters.text('name', 'English'));
    const known = language.toLowerCase() === 'german2' ? 'german' : language.toLowerCase();
    const stem = snowballStemmer(known);
    if (!stem) throw errors.illegalArgument(`Invalid stemmer class specified: ${language}`);
    return stemFilter(name, stem);
  },
};
