/*
 * Stemmer of M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, with the two changes of his
 * reference implementation (`bli` and `logi`), as in Lucene's PorterStemmer. Words of one or two letters stay.
 */

const VOWELS = 'aeiou';

function isConsonant(word: string, i: number): boolean {
  const char = word[i]!;
  if (VOWELS.includes(char)) return false;
  return char !== 'y' || i === 0 || !isConsonant(word, i - 1);
}

/** Number of vowel-consonant sequences in a stem: m in Porter's paper. */
function measure(stem: string): number {
  let count = 0;
  let wasVowel = false;
  for (let i = 0; i < stem.length; i++) {
    const consonant = isConsonant(stem, i);
    if (consonant && wasVowel) count++;
    wasVowel = !consonant;
  }
  return count;
}

function hasVowel(stem: string): boolean {
  for (let i = 0; i < stem.length; i++) if (!isConsonant(stem, i)) return true;
  return false;
}

function endsDouble(word: string): boolean {
  const last = word.length - 1;
  return last >= 1 && word[last] === word[last - 1] && isConsonant(word, last);
}

/** Whether a word ends with consonant, vowel, consonant other than w, x, y: *o in Porter's paper. */
function endsShort(word: string): boolean {
  const last = word.length - 1;
  if (last < 2 || !isConsonant(word, last) || isConsonant(word, last - 1) || !isConsonant(word, last - 2)) return false;
  return !'wxy'.includes(word[last]!);
}

function stripPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function repairEnd(stem: string): string {
  if (stem.endsWith('at') || stem.endsWith('bl') || stem.endsWith('iz')) return `${stem}e`;
  if (endsDouble(stem)) return 'lsz'.includes(stem.at(-1)!) ? stem : stem.slice(0, -1);
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

function stripPast(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  for (const suffix of ['ed', 'ing']) {
    if (word.endsWith(suffix) && hasVowel(word.slice(0, -suffix.length)))
      return repairEnd(word.slice(0, -suffix.length));
  }
  return word;
}

function turnY(word: string): string {
  return word.endsWith('y') && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;
}

type Rule = readonly [suffix: string, replacement: string];

const DOUBLE_SUFFIXES: readonly Rule[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
];

const FULL_SUFFIXES: readonly Rule[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];

const LAST_SUFFIXES = [
  'al',
  'ance',
  'ence',
  'er',
  'ic',
  'able',
  'ible',
  'ant',
  'ement',
  'ment',
  'ent',
  'ion',
  'ou',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
];

/** Applies the first rule whose suffix matches. If the stem is too short for that rule, the word stays. */
function replaceSuffix(word: string, rules: readonly Rule[]): string {
  for (const [suffix, replacement] of rules) {
    if (!word.endsWith(suffix)) continue;
    const stem = word.slice(0, -suffix.length);
    return measure(stem) > 0 ? stem + replacement : word;
  }
  return word;
}

function stripLast(word: string): string {
  for (const suffix of LAST_SUFFIXES) {
    if (!word.endsWith(suffix)) continue;
    const stem = word.slice(0, -suffix.length);
    if (suffix === 'ion' && !/[st]$/.test(stem)) continue;
    return measure(stem) > 1 ? stem : word;
  }
  return word;
}

function stripE(word: string): string {
  if (!word.endsWith('e')) return word;
  const stem = word.slice(0, -1);
  const m = measure(stem);
  return m > 1 || (m === 1 && !endsShort(stem)) ? stem : word;
}

function stripDoubleL(word: string): string {
  return word.endsWith('ll') && measure(word) > 1 ? word.slice(0, -1) : word;
}

/** Stem of an English word, which must be in lower case. */
export function porterStem(word: string): string {
  if (word.length <= 2) return word;
  const bare = turnY(stripPast(stripPlural(word)));
  const short = replaceSuffix(replaceSuffix(bare, DOUBLE_SUFFIXES), FULL_SUFFIXES);
  return stripDoubleL(stripE(stripLast(short)));
}
