import { Automaton, boundariesOf, type StateSpace } from './automaton.js';

/**
 * State of the automaton: two rows of the edit distance matrix (Wagner and Fischer 1974, with transpositions of
 * neighbours as optimal string alignment). `last` is the row after the last character, `before` the row before it,
 * `char` the last character; `prefix` counts the characters of the required prefix that were read.
 */
interface Rows {
  readonly prefix: number;
  readonly last: readonly number[];
  readonly before: readonly number[] | null;
  readonly char: number;
}

const STATES_MAX = 1_000_000;

/**
 * Returns an automaton that accepts texts within `maxEdits` of a term that share the term's first `prefixLength`
 * characters.
 */
export function levenshteinAutomaton(
  term: string,
  maxEdits: number,
  prefixLength: number,
  transpositions: boolean,
): Automaton<Rows> {
  const codes = [...term].map((char) => char.codePointAt(0)!);
  const space = rowSpace(codes.slice(0, prefixLength), codes.slice(prefixLength), maxEdits, transpositions);
  return new Automaton(space, boundariesOf(codes.map((code) => [code, code])), STATES_MAX);
}

function rowSpace(
  prefix: readonly number[],
  codes: readonly number[],
  maxEdits: number,
  transpositions: boolean,
): StateSpace<Rows> {
  const far = maxEdits + 1;
  const known = new Set(codes);
  const first = [...codes, 0].map((_, i) => Math.min(i, far));
  const dead: Rows = { prefix: -1, last: [], before: null, char: 0 };
  const onPrefix = (rows: Rows, code: number): Rows =>
    prefix[rows.prefix] === code ? { ...rows, prefix: rows.prefix + 1 } : dead;
  return {
    start: { prefix: 0, last: first, before: null, char: 0 },
    dead,
    key: keyOf,
    step: (rows, code) => {
      if (rows === dead) return dead;
      if (rows.prefix < prefix.length) return onPrefix(rows, code);
      const next = nextRows(rows, codes, known.has(code) ? code : -1, far, transpositions);
      return next.last.every((edits) => edits >= far) ? dead : next;
    },
    accepts: (rows) => rows.prefix === prefix.length && rows.last[codes.length]! <= maxEdits,
    acceptsAll: () => false,
  };
}

/** Returns a state's numbers as the characters of one text, for use as a map key. */
function keyOf({ prefix, last, before, char }: Rows): string {
  const head = String.fromCharCode(prefix + 1, char & 0xffff, char >>> 16);
  return before === null
    ? head + String.fromCharCode.apply(null, last as number[])
    : head + String.fromCharCode.apply(null, last as number[]) + String.fromCharCode.apply(null, before as number[]);
}

function nextRows(rows: Rows, codes: readonly number[], code: number, far: number, transpositions: boolean): Rows {
  const next = [Math.min(far, rows.last[0]! + 1)];
  for (let i = 1; i <= codes.length; i++) next.push(Math.min(far, cell(rows, next, i, codes, code)));
  return transpositions ? { prefix: rows.prefix, last: next, before: rows.last, char: code } : { ...rows, last: next };
}

function cell(
  { last, before, char }: Rows,
  next: readonly number[],
  i: number,
  codes: readonly number[],
  code: number,
): number {
  const best = Math.min(last[i - 1]! + (codes[i - 1] === code ? 0 : 1), last[i]! + 1, next[i - 1]! + 1);
  const swaps = before !== null && i > 1 && codes[i - 2] === code && codes[i - 1] === char;
  return swaps ? Math.min(best, before[i - 2]! + 1) : best;
}

/** Edits between two texts, by code point; `transpositions` counts swapped neighbours as one. */
export function editDistance(a: string, b: string, transpositions: boolean): number {
  const left = [...a];
  const right = [...b];
  let before: number[] = [];
  let last = [...left, ''].map((_, i) => i);
  right.forEach((char, j) => {
    const next = [j + 1];
    left.forEach((other, i) => {
      let best = Math.min(last[i]! + (other === char ? 0 : 1), last[i + 1]! + 1, next[i]! + 1);
      if (transpositions && i > 0 && j > 0 && left[i - 1] === char && right[j - 1] === other)
        best = Math.min(best, before[i - 1]! + 1);
      next.push(best);
    });
    before = last;
    last = next;
  });
  return last[left.length]!;
}
