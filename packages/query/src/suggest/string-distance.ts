import { editDistance } from '../automata/levenshtein.js';

/** Returns the similarity of two words, 1 for equal ones. */
export type StringDistance = (a: string, b: string) => number;

const lengthOf = (text: string): number => [...text].length;

/** Returns 1 - part / whole, rounded to 32 bits after each step as Lucene's distances are. */
const oneMinus = (part: number, whole: number): number => Math.fround(1 - Math.fround(part / whole));

/** Similarity by edits relative to the shorter word: the default of the spell checker. */
export const internalDistance: StringDistance = (a, b) =>
  oneMinus(editDistance(a, b, true), Math.min(lengthOf(a), lengthOf(b)));

const levenshtein: StringDistance = (a, b) => oneMinus(editDistance(a, b, false), Math.max(lengthOf(a), lengthOf(b)));

/** Similarity from which a common prefix raises the result. */
const JARO_WINKLER_THRESHOLD = 0.7;

/** Jaro–Winkler similarity; W. Winkler, "String Comparator Metrics", 1990. */
const jaroWinkler: StringDistance = (a, b) => {
  const [shorter, longer] = a.length > b.length ? [b, a] : [a, b];
  const range = Math.max(Math.floor(longer.length / 2) - 1, 0);
  const taken = new Array<boolean>(longer.length).fill(false);
  const left: string[] = [];
  for (let i = 0; i < shorter.length; i++) {
    for (let j = Math.max(i - range, 0); j < Math.min(i + range + 1, longer.length); j++) {
      if (taken[j] || shorter[i] !== longer[j]) continue;
      taken[j] = true;
      left.push(shorter[i]!);
      break;
    }
  }
  if (left.length === 0) return 0;
  const right = [...longer].filter((_, j) => taken[j]);
  const transposed = Math.floor(left.filter((char, i) => char !== right[i]).length / 2);
  const m = left.length;
  const shares = Math.fround(Math.fround(m / a.length) + Math.fround(m / b.length));
  const jaro = Math.fround(Math.fround(shares + Math.fround((m - transposed) / m)) / 3);
  if (jaro < JARO_WINKLER_THRESHOLD) return jaro;
  let prefix = 0;
  while (prefix < shorter.length && a[prefix] === b[prefix]) prefix++;
  const scale = Math.fround(Math.fround(Math.min(Math.fround(0.1), Math.fround(1 / longer.length))) * prefix);
  return Math.fround(jaro + Math.fround(scale * Math.fround(1 - jaro)));
};

/** N-gram similarity with n = 2; G. Kondrak, "N-Gram Similarity and Distance", SPIRE 2005. */
const ngram: StringDistance = (a, b) => {
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0;
  const padded = `\u0000${a}`;
  let before = Array.from({ length: a.length + 1 }, (_, i) => i);
  for (let j = 1; j <= b.length; j++) {
    const [first, second] = [j === 1 ? '\u0000' : b[j - 2]!, b[j - 1]!];
    const row = [j];
    for (let i = 1; i <= a.length; i++) row.push(ngramCell(row, before, i, padded, first, second));
    before = row;
  }
  return oneMinus(before[a.length]!, Math.max(a.length, b.length));
};

/**
 * Returns one cell of the distance matrix. Two-character windows that agree cost 0, windows that share one character
 * cost half; padding is not counted.
 */
function ngramCell(
  row: readonly number[],
  before: readonly number[],
  i: number,
  padded: string,
  first: string,
  second: string,
): number {
  let cost = 0;
  let counted = 2;
  if (padded[i - 1] !== first) cost++;
  else if (padded[i - 1] === '\u0000') counted--;
  if (padded[i] !== second) cost++;
  return Math.min(row[i - 1]! + 1, before[i]! + 1, before[i - 1]! + cost / counted);
}

/** Similarities by name in `string_distance`. */
export const STRING_DISTANCES: ReadonlyMap<string, StringDistance> = new Map([
  ['internal', internalDistance],
  ['damerau_levenshtein', internalDistance],
  ['levenshtein', levenshtein],
  ['jaro_winkler', jaroWinkler],
  ['ngram', ngram],
]);
