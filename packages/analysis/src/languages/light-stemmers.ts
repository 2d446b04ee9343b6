/**
 * Light stemmers: plurals and genders only. Rules of Jacques Savoy (UniNE, "Light stemming approaches for the French,
 * Portuguese, German and Hungarian languages", SAC 2006) and of Donna Harman's S-stemmer ("How effective is suffixing?", 1991).
 */

/** English plurals (S-stemmer). */
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

const GERMAN_FOLD: Readonly<Record<string, string>> = { ä: 'a', à: 'a', á: 'a', â: 'a', ö: 'o', ò: 'o', ó: 'o', ô: 'o', ï: 'i', ì: 'i', í: 'i', î: 'i', ü: 'u', ù: 'u', ú: 'u', û: 'u' };

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

/** German, Savoy's light stemmer. */
export function lightGerman(word: string): string {
  return germanStep2(germanStep1(foldGerman(word)));
}

/** German plurals only. */
export function minimalGerman(word: string): string {
  if (word.length < 5) return word;
  const folded = word.replaceAll('ä', 'a').replaceAll('ö', 'o').replaceAll('ü', 'u');
  if (folded.length > 6 && folded.endsWith('nen')) return folded.slice(0, -3);
  if (folded.length > 5 && /e[nser]$/.test(folded)) return folded.slice(0, -2);
  return /[nser]$/.test(folded) ? folded.slice(0, -1) : folded;
}

const SPANISH_FOLD: Readonly<Record<string, string>> = { à: 'a', á: 'a', â: 'a', ä: 'a', ò: 'o', ó: 'o', ô: 'o', ö: 'o', è: 'e', é: 'e', ê: 'e', ë: 'e', ù: 'u', ú: 'u', û: 'u', ü: 'u', ì: 'i', í: 'i', î: 'i', ï: 'i' };

/** Spanish, Savoy's light stemmer. */
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

/** Italian, Savoy's light stemmer. */
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

/** Portuguese plurals, Savoy's rules for light stemming before the vowels. */
function portuguesePlural(word: string): string {
  const { length } = word;
  if (!word.endsWith('s')) return word;
  if (length > 4 && /(?:e[rsz]|[rz]e)s$/.test(word) && /[rsz]es$/.test(word)) return word.slice(0, -2);
  if (length > 3 && word.endsWith('ns')) return `${word.slice(0, -2)}m`;
  if (length > 4 && (word.endsWith('eis') || word.endsWith('éis'))) return `${word.slice(0, -3)}el`;
  if (length > 4 && word.endsWith('ais')) return `${word.slice(0, -2)}l`;
  if (length > 4 && word.endsWith('óis')) return `${word.slice(0, -3)}ol`;
  if (length > 4 && word.endsWith('is')) return `${word.slice(0, -1)}l`;
  if (length > 3 && (word.endsWith('ões') || word.endsWith('ães'))) return `${word.slice(0, -3)}ão`;
  return length > 6 && word.endsWith('mente') ? word.slice(0, -5) : word.slice(0, -1);
}

/** Portuguese plurals and final vowels. */
export function lightPortuguese(word: string): string {
  if (word.length < 4) return word;
  const singular = portuguesePlural(word);
  const bare = singular.length > 4 && /[eao]$/.test(singular) ? singular.slice(0, -1) : singular;
  return bare.normalize('NFD').replace(/[\u0300\u0301\u0302\u0303\u0308\u0327]/g, '').normalize('NFC');
}

/** French plurals and feminines (Savoy's minimal stemmer). */
export function minimalFrench(word: string): string {
  if (word.length < 6) return word;
  if (word.endsWith('x')) return word.at(-3) === 'a' && word.at(-2) === 'u' ? `${word.slice(0, -2)}l` : word;
  let bare = word;
  for (const ending of ['s', 'r', 'e', 'é']) if (bare.endsWith(ending)) bare = bare.slice(0, -1);
  return bare.length > 1 && bare.at(-1) === bare.at(-2) ? bare.slice(0, -1) : bare;
}

/** Removes `'s` in any of its apostrophes. */
export function englishPossessive(word: string): string {
  const last = word.charCodeAt(word.length - 1) | 32;
  if (last !== 115 || word.length < 2) return word;
  const mark = word.charCodeAt(word.length - 2);
  return mark === 0x27 || mark === 0x2019 || mark === 0xff07 ? word.slice(0, -2) : word;
}
