import { type CharacterTest, RegexSyntaxError } from './regex-tree.js';

export const isLineEnd: CharacterTest = (code) =>
  code === 10 || code === 13 || code === 0x85 || code === 0x2028 || code === 0x2029;
export const isWord: CharacterTest = (code) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
const isDigit: CharacterTest = (code) => code >= 48 && code <= 57;
const isSpace: CharacterTest = (code) => code === 32 || (code >= 9 && code <= 13);
const isHorizontal: CharacterTest = (code) =>
  code === 32 ||
  code === 9 ||
  code === 0xa0 ||
  code === 0x1680 ||
  code === 0x180e ||
  (code >= 0x2000 && code <= 0x200a) ||
  code === 0x202f ||
  code === 0x205f ||
  code === 0x3000;
const isVertical: CharacterTest = (code) =>
  (code >= 10 && code <= 13) || code === 0x85 || code === 0x2028 || code === 0x2029;

export const not =
  (test: CharacterTest): CharacterTest =>
  (code) =>
    !test(code);

/** Classes by the letter behind a backslash. */
const LETTERS: Readonly<Record<string, CharacterTest>> = {
  d: isDigit,
  D: not(isDigit),
  w: isWord,
  W: not(isWord),
  s: isSpace,
  S: not(isSpace),
  h: isHorizontal,
  H: not(isHorizontal),
  v: isVertical,
  V: not(isVertical),
};

/** The class of a letter behind a backslash; null if it is none. */
export const classOfLetter = (letter: string): CharacterTest | null =>
  Object.hasOwn(LETTERS, letter) ? LETTERS[letter]! : null;

/** Expressions of V8 for the classes of POSIX, which Java knows within ASCII. */
const POSIX: Readonly<Record<string, RegExp>> = {
  Lower: /[a-z]/,
  Upper: /[A-Z]/,
  ASCII: /[\0-\x7f]/,
  Alpha: /[A-Za-z]/,
  Digit: /[0-9]/,
  Alnum: /[A-Za-z0-9]/,
  Punct: /[!-/:-@[-`{-~]/,
  Graph: /[!-~]/,
  Print: /[ -~]/,
  Blank: /[ \t]/,
  Cntrl: /[\0-\x1f\x7f]/,
  XDigit: /[0-9A-Fa-f]/,
  Space: /[ \t-\r]/,
  javaLowerCase: /\p{Ll}/u,
  javaUpperCase: /\p{Lu}/u,
  javaWhitespace: /[\t-\r\x1c-\x1f ]|\p{Zs}|\p{Zl}|\p{Zp}/u,
  javaLetter: /\p{L}/u,
  javaDigit: /\p{Nd}/u,
  javaLetterOrDigit: /[\p{L}\p{Nd}]/u,
  IsAlphabetic: /\p{Alphabetic}/u,
  IsLetter: /\p{L}/u,
  IsDigit: /\p{Nd}/u,
  IsPunctuation: /\p{P}/u,
  IsUppercase: /\p{Uppercase}/u,
  IsLowercase: /\p{Lowercase}/u,
  IsWhite_Space: /\p{White_Space}/u,
  IsIdeographic: /\p{Ideographic}/u,
};

/** Tests of names that were asked for. */
const named = new Map<string, CharacterTest>();

/** Returns the characters of `\p{name}`. Throws RegexSyntaxError for a name that there is not. */
export function classOfProperty(name: string): CharacterTest {
  const known = named.get(name);
  if (known) return known;
  const regex = Object.hasOwn(POSIX, name) ? POSIX[name]! : unicodeProperty(name);
  const test: CharacterTest = (code) => regex.test(String.fromCodePoint(code));
  if (named.size < 200) named.set(name, test);
  return test;
}

function unicodeProperty(name: string): RegExp {
  const [, key, value = name] = /^(?:(\w+)=)?(\w+)$/.exec(name) ?? [];
  const script = /^(sc|script)$/i.test(key ?? '') ? value : name.startsWith('Is') ? name.slice(2) : null;
  const forms = script === null ? [`\\p{${value}}`] : [`\\p{Script=${capitalized(script)}}`, `\\p{${script}}`];
  for (const form of forms) {
    try {
      return new RegExp(form, 'u');
    } catch {
      // The next form may be one.
    }
  }
  throw new RegexSyntaxError(`Unknown character property name {${name}}`);
}

const capitalized = (name: string): string =>
  name
    .split('_')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1).toLowerCase())
    .join('_');

const foldAscii = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);

function foldUnicode(code: number): number {
  if (code < 128) return foldAscii(code);
  const upper = String.fromCodePoint(code).toUpperCase();
  const folded = upper.toLowerCase();
  return [...folded].length === 1 ? folded.codePointAt(0)! : code;
}

/** Returns what makes characters equal that differ by case; null where case matters. */
export function folding(ignoresCase: boolean, isUnicode: boolean): ((code: number) => number) | null {
  if (!ignoresCase) return null;
  return isUnicode ? foldUnicode : foldAscii;
}

/** Returns a test of one character. */
export function oneCharacter(code: number, fold: ((code: number) => number) | null): CharacterTest {
  if (fold === null) return (other) => other === code;
  const folded = fold(code);
  return (other) => fold(other) === folded;
}

/** Returns a test of the characters from one to another. */
export function rangeOf(low: number, high: number, fold: ((code: number) => number) | null): CharacterTest {
  if (low > high) throw new RegexSyntaxError('Illegal character range');
  const inRange: CharacterTest = (code) => code >= low && code <= high;
  if (fold === null) return inRange;
  const upper = (code: number): number => String.fromCodePoint(code).toUpperCase().codePointAt(0)!;
  return (code) => inRange(code) || inRange(fold(code)) || inRange(upper(fold(code)));
}
