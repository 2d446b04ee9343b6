/** Kinds of characters, as bits: a letter may be of either case, and some characters are letters and digits. */
export const LOWER = 1;
export const UPPER = 2;
export const LETTER = LOWER | UPPER;
export const DIGIT = 4;
export const DELIMITER = 8;

/** How `word_delimiter` and `word_delimiter_graph` split terms. */
export interface SplitOptions {
  readonly onCaseChange: boolean;
  readonly onNumerics: boolean;
  readonly possessive: boolean;
  /** Kinds of single UTF-16 units that differ from their Unicode category. */
  readonly types: ReadonlyMap<string, number>;
}

/** A part of a term: its range and the kind of its first character, LETTER for letters of either case. */
export interface Part {
  readonly start: number;
  readonly end: number;
  readonly kind: number;
}

/** Parts of a term, and whether it has nothing else but delimiters around one part, or a final `'s`. */
export interface SplitTerm {
  readonly parts: readonly Part[];
  readonly isSingleWord: boolean;
}

const CATEGORIES: readonly (readonly [RegExp, number])[] = [
  [/^\p{Lu}/u, UPPER],
  [/^\p{Ll}/u, LOWER],
  [/^[\p{Lt}\p{Lm}\p{Lo}\p{M}]/u, LETTER],
  [/^\p{N}/u, DIGIT],
  // Halves of characters beyond 0xffff are never split.
  [/^\p{Cs}/u, LETTER | DIGIT],
];
const LATIN_CATEGORIES: readonly (readonly [RegExp, number])[] = [
  [/^\p{Lowercase}/u, LOWER],
  [/^\p{Uppercase}/u, UPPER],
  [/^\p{Nd}/u, DIGIT],
];

/** Kinds by UTF-16 unit; 0 is unknown yet. */
const KINDS = new Uint8Array(0x10000);

function kindOf(unit: number, types: ReadonlyMap<string, number>): number {
  const char = String.fromCharCode(unit);
  const given = types.size === 0 ? undefined : types.get(char);
  if (given !== undefined) return given;
  if (KINDS[unit] === 0) {
    const categories = unit < 0x100 ? LATIN_CATEGORIES : CATEGORIES;
    KINDS[unit] = categories.find(([category]) => category.test(char))?.[1] ?? DELIMITER;
  }
  return KINDS[unit]!;
}

function breaks(last: number, kind: number, { onCaseChange, onNumerics }: SplitOptions): boolean {
  if ((last & kind) !== 0) return false;
  if ((last & LETTER) !== 0 && (kind & LETTER) !== 0) return onCaseChange && (last & UPPER) === 0;
  return onNumerics || (last & DELIMITER) !== 0 || (kind & DELIMITER) !== 0;
}

/**
 * Splits a term at delimiters, and as `options` say at changes of case and between letters and digits; a possessive
 * `'s` is left out. As Lucene 9.9 WordDelimiterIterator.
 */
export function splitTerm(term: string, options: SplitOptions): SplitTerm {
  const kinds = kindsOf(term, options.types);
  const isDelimiter = (i: number): boolean => (kinds[i]! & DELIMITER) !== 0;
  let [from, to] = [0, term.length];
  while (from < to && isDelimiter(from)) from++;
  while (to > from && isDelimiter(to - 1)) to--;
  const isPossessive = (end: number): boolean =>
    options.possessive &&
    end > 2 &&
    term[end - 2] === "'" &&
    (term[end - 1] === 's' || term[end - 1] === 'S') &&
    (kinds[end - 3]! & LETTER) !== 0 &&
    (end === to || isDelimiter(end));
  const parts: Part[] = [];
  for (let current = from; ; ) {
    while (current < to && isDelimiter(current)) current++;
    if (current >= to) break;
    let end = current + 1;
    while (end < to && !breaks(kinds[end - 1]!, kinds[end]!, options)) end++;
    const kind = kinds[current]!;
    parts.push({ start: current, end, kind: kind === LOWER || kind === UPPER ? LETTER : kind });
    current = end < to - 1 && isPossessive(end + 2) ? end + 2 : end;
  }
  const wordEnd = isPossessive(to) ? to - 2 : to;
  return { parts, isSingleWord: parts.length === 1 && parts[0]!.start === from && parts[0]!.end === wordEnd };
}

function kindsOf(term: string, types: ReadonlyMap<string, number>): number[] {
  const kinds: number[] = [];
  for (let i = 0; i < term.length; i++) kinds.push(kindOf(term.charCodeAt(i), types));
  return kinds;
}
