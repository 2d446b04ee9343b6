/*
 * Light stemmers: plurals and genders only. Rules of Jacques Savoy (UniNE, "Light stemming approaches for the French,
 * Portuguese, German and Hungarian languages", SAC 2006) and of Donna Harman's S-stemmer ("How effective is
 * suffixing?", 1991).
 */

/** Stems English plurals (S-stemmer). */
export function minimalEnglish(word: string): string {
  if (word.length < 3 || !word.endsWith('s')) return word;
  const before = word.at(-2);
  if (before === 'u' || before === 's') return word;
  if (before === 'e') {
    const third = word.at(-3);
    if (word.length > 3 && third === 'i' && !'ae'.includes(word.at(-4)!)) return `${word.slice(0, -3)}y`;
    if (third === 'i' || third === 'a' || third === 'o' || third === 'e') return word;
  }
  return word.slice(0, -1);
}

const GERMAN_FOLD: Readonly<Record<string, string>> = {
  ä: 'a',
  à: 'a',
  á: 'a',
  â: 'a',
  ö: 'o',
  ò: 'o',
  ó: 'o',
  ô: 'o',
  ï: 'i',
  ì: 'i',
  í: 'i',
  î: 'i',
  ü: 'u',
  ù: 'u',
  ú: 'u',
  û: 'u',
};

function foldGerman(word: string): string {
  return word.replace(/[äàáâöòóôïìíîüùúû]/g, (char) => GERMAN_FOLD[char] ?? char);
}

function germanStep1(word: string): string {
  const { length } = word;
  if (length > 5 && word.endsWith('ern')) return word.slice(0, -3);
  if (length > 4 && word.at(-2) === 'e' && 'mnrs'.includes(word.at(-1)!)) return word.slice(0, -2);
  if (length > 3 && word.endsWith('e')) return word.slice(0, -1);
  return length > 3 && word.endsWith('s') && 'bdfghklmnt'.includes(word.at(-2)!) ? word.slice(0, -1) : word;
}

function germanStep2(word: string): string {
  const { length } = word;
  if (length > 5 && word.endsWith('est')) return word.slice(0, -3);
  if (length > 4 && (word.endsWith('er') || word.endsWith('en'))) return word.slice(0, -2);
  return length > 4 && word.endsWith('st') && 'bdfghklmnt'.includes(word.at(-3)!) ? word.slice(0, -2) : word;
}

/** Stems German (Savoy's light stemmer). */
export function lightGerman(word: string): string {
  return germanStep2(germanStep1(foldGerman(word)));
}

/** Stems German plurals (Savoy's minimal stemmer). */
export function minimalGerman(word: string): string {
  if (word.length < 5) return word;
  const folded = word.replaceAll('ä', 'a').replaceAll('ö', 'o').replaceAll('ü', 'u');
  if (folded.length > 6 && folded.endsWith('nen')) return folded.slice(0, -3);
  if (folded.length > 5 && /e[nser]$/.test(folded)) return folded.slice(0, -2);
  return /[nser]$/.test(folded) ? folded.slice(0, -1) : folded;
}

const SPANISH_FOLD: Readonly<Record<string, string>> = {
  à: 'a',
  á: 'a',
  â: 'a',
  ä: 'a',
  ò: 'o',
  ó: 'o',
  ô: 'o',
  ö: 'o',
  è: 'e',
  é: 'e',
  ê: 'e',
  ë: 'e',
  ù: 'u',
  ú: 'u',
  û: 'u',
  ü: 'u',
  ì: 'i',
  í: 'i',
  î: 'i',
  ï: 'i',
};

/** Stems Spanish (Savoy's light stemmer). */
export function lightSpanish(word: string): string {
  if (word.length < 5) return word;
  const folded = word.replace(/[àáâäòóôöèéêëùúûüìíîï]/g, (char) => SPANISH_FOLD[char] ?? char);
  const last = folded.at(-1);
  if (last === 'o' || last === 'a' || last === 'e') return folded.slice(0, -1);
  if (last !== 's') return folded;
  if (folded.endsWith('eses')) return folded.slice(0, -2);
  if (folded.endsWith('ces')) return `${folded.slice(0, -3)}z`;
  return /[oae]s$/.test(folded) ? folded.slice(0, -2) : folded;
}

const ITALIAN_FOLD: Readonly<Record<string, string>> = SPANISH_FOLD;

/** Stems Italian (Savoy's light stemmer). */
export function lightItalian(word: string): string {
  if (word.length < 6) return word;
  const folded = word.replace(/[àáâäòóôöèéêëùúûüìíîï]/g, (char) => ITALIAN_FOLD[char] ?? char);
  const last = folded.at(-1)!;
  const before = folded.at(-2)!;
  if (last === 'e') return before === 'i' || before === 'h' ? folded.slice(0, -2) : folded.slice(0, -1);
  if (last === 'i') return before === 'h' || before === 'i' ? folded.slice(0, -2) : folded.slice(0, -1);
  if (last === 'a' || last === 'o') return before === 'i' ? folded.slice(0, -2) : folded.slice(0, -1);
  return folded;
}

/** Rules for endings of plurals and adverbs; only the first that matches is applied. */
const PORTUGUESE_PLURALS: readonly (readonly [ending: RegExp, longerThan: number, replacement: string])[] = [
  [/(?<=[rslz])es$/, 4, ''],
  [/ns$/, 3, 'm'],
  [/[eé]is$/, 4, 'el'],
  [/ais$/, 4, 'al'],
  [/óis$/, 4, 'ol'],
  [/is$/, 4, 'il'],
  [/[õã]es$/, 3, 'ão'],
  [/mente$/, 6, ''],
  [/s$/, 3, ''],
];

function portuguesePlural(word: string): string {
  for (const [ending, longerThan, replacement] of PORTUGUESE_PLURALS) {
    if (word.length > longerThan && ending.test(word)) return word.replace(ending, replacement);
  }
  return word;
}

function portugueseFeminine(word: string): string {
  if (word.length > 7 && /(?:inha|iaca|eira)$/.test(word)) return `${word.slice(0, -1)}o`;
  if (word.length <= 6) return word;
  if (/(?:osa|ica|ida|ada|iva|ama)$/.test(word)) return `${word.slice(0, -1)}o`;
  if (word.endsWith('ona')) return `${word.slice(0, -3)}ão`;
  if (word.endsWith('ora')) return word.slice(0, -1);
  if (word.endsWith('esa')) return `${word.slice(0, -3)}ês`;
  return word.endsWith('na') ? `${word.slice(0, -1)}o` : word;
}

/** Stems Portuguese (Savoy's light stemmer). */
export function lightPortuguese(word: string): string {
  if (word.length < 4) return word;
  const singular = portuguesePlural(word);
  const masculine = singular.length > 3 && singular.endsWith('a') ? portugueseFeminine(singular) : singular;
  const bare = masculine.length > 4 && /[eao]$/.test(masculine) ? masculine.slice(0, -1) : masculine;
  return bare
    .normalize('NFD')
    .replace(/[\u0300\u0301\u0302\u0303\u0308\u0327]/g, '')
    .normalize('NFC');
}

/** A rule of the French light stemmer: replaces `ending` of words longer than `longerThan`. */
interface FrenchRule {
  readonly ending: RegExp;
  readonly longerThan: number;
  readonly replacement: string;
  /** Whether later rules are applied too; by default the first matching rule is the last. */
  readonly goesOn?: boolean;
}

const FRENCH_RULES: readonly FrenchRule[] = [
  { ending: /issement$/, longerThan: 9, replacement: 'ir' },
  { ending: /issant$/, longerThan: 8, replacement: 'ir' },
  { ending: /ivement$/, longerThan: 6, replacement: 'if' },
  { ending: /ement$/, longerThan: 6, replacement: 'e' },
  { ending: /ficatrice$/, longerThan: 11, replacement: 'fier' },
  { ending: /ficateur$/, longerThan: 10, replacement: 'fier' },
  { ending: /catrice$/, longerThan: 9, replacement: 'quer' },
  { ending: /cateur$/, longerThan: 8, replacement: 'quer' },
  { ending: /atrice$/, longerThan: 8, replacement: 'er' },
  { ending: /ateur$/, longerThan: 7, replacement: 'er' },
  { ending: /trice$/, longerThan: 6, replacement: 'teur', goesOn: true },
  { ending: /ième$/, longerThan: 5, replacement: '' },
  { ending: /teuse$/, longerThan: 7, replacement: 'ter' },
  { ending: /teur$/, longerThan: 6, replacement: 'ter' },
  { ending: /euse$/, longerThan: 5, replacement: 'eu' },
  { ending: /ère$/, longerThan: 8, replacement: 'er' },
  { ending: /ive$/, longerThan: 7, replacement: 'if' },
  { ending: /(?<=[fm])olle$/, longerThan: 4, replacement: 'ou' },
  { ending: /nnelle$/, longerThan: 9, replacement: 'n' },
  { ending: /nnel$/, longerThan: 8, replacement: 'n' },
  { ending: /ète$/, longerThan: 4, replacement: 'et', goesOn: true },
  { ending: /ique$/, longerThan: 8, replacement: '', goesOn: true },
  { ending: /esse$/, longerThan: 8, replacement: 'e' },
  { ending: /inage$/, longerThan: 7, replacement: 'in' },
  { ending: /ualisation$/, longerThan: 9, replacement: 'uel' },
  { ending: /isation$/, longerThan: 9, replacement: '' },
  { ending: /isateur$/, longerThan: 9, replacement: '' },
  { ending: /[ai]tion$/, longerThan: 8, replacement: '' },
];

const FRENCH_FOLD: Readonly<Record<string, string>> = {
  à: 'a',
  á: 'a',
  â: 'a',
  ô: 'o',
  è: 'e',
  é: 'e',
  ê: 'e',
  ù: 'u',
  û: 'u',
  î: 'i',
  ç: 'c',
};

/** Removes accents, doubled letters, and a final `r`, then `e`, then `e`. Words of up to four letters stay. */
function normalizeFrench(word: string): string {
  if (word.length <= 4) return word;
  let bare = word.replace(/[àáâôèéêùûîç]/g, (char) => FRENCH_FOLD[char] ?? char).replace(/(\p{L})\1+/gu, '$1');
  if (bare.length <= 4) return bare;
  for (const ending of ['r', 'e', 'e']) if (bare.endsWith(ending)) bare = bare.slice(0, -1);
  return bare.at(-1) === bare.at(-2) ? bare.slice(0, -1) : bare;
}

function frenchSingular(word: string): string {
  let singular = word;
  if (singular.length > 5 && /(?<!e)aux$/.test(singular)) singular = `${singular.slice(0, -2)}l`;
  if (singular.length > 3 && singular.endsWith('x')) singular = singular.slice(0, -1);
  return singular.length > 3 && singular.endsWith('s') ? singular.slice(0, -1) : singular;
}

/** Stems French (Savoy's light stemmer). */
export function lightFrench(word: string): string {
  let stem = frenchSingular(word);
  for (const { ending, longerThan, replacement, goesOn } of FRENCH_RULES) {
    if (stem.length <= longerThan || !ending.test(stem)) continue;
    stem = stem.replace(ending, replacement);
    if (!goesOn) break;
  }
  return normalizeFrench(stem);
}

const ARABIC_PREFIXES = [
  '\u0627\u0644',
  '\u0648\u0627\u0644',
  '\u0628\u0627\u0644',
  '\u0643\u0627\u0644',
  '\u0641\u0627\u0644',
  '\u0644\u0644',
  '\u0648',
];
const ARABIC_SUFFIXES = [
  '\u0647\u0627',
  '\u0627\u0646',
  '\u0627\u062a',
  '\u0648\u0646',
  '\u064a\u0646',
  '\u064a\u0647',
  '\u064a\u0629',
  '\u0647',
  '\u0629',
  '\u064a',
];

/**
 * Stems Arabic: removes leading articles and conjunctions and common endings (light10: L. Larkey et al., "Light
 * stemming for Arabic information retrieval").
 */
export function lightArabic(word: string): string {
  const prefix = ARABIC_PREFIXES.find(
    (part) => word.startsWith(part) && word.length >= (part.length === 1 ? 4 : part.length + 2),
  );
  let stem = prefix === undefined ? word : word.slice(prefix.length);
  for (const suffix of ARABIC_SUFFIXES) {
    if (stem.endsWith(suffix) && stem.length >= suffix.length + 2) stem = stem.slice(0, -suffix.length);
  }
  return stem;
}

/** Stems French plurals and feminines (Savoy's minimal stemmer). */
export function minimalFrench(word: string): string {
  if (word.length < 6) return word;
  if (word.endsWith('x')) return word.endsWith('aux') ? `${word.slice(0, -2)}l` : word.slice(0, -1);
  let bare = word;
  for (const ending of ['s', 'r', 'e', 'é']) if (bare.endsWith(ending)) bare = bare.slice(0, -1);
  return bare.length > 1 && bare.at(-1) === bare.at(-2) ? bare.slice(0, -1) : bare;
}

/** Removes a final `'s`, with any kind of apostrophe. */
export function englishPossessive(word: string): string {
  const last = word.charCodeAt(word.length - 1) | 32;
  if (last !== 115 || word.length < 2) return word;
  const mark = word.charCodeAt(word.length - 2);
  return mark === 0x27 || mark === 0x2019 || mark === 0xff07 ? word.slice(0, -2) : word;
}
