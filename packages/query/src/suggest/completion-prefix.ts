import type { FuzzyPrefix } from './completion-options.js';

/** How an input matches: `boost` is added to the boosts of its contexts. Null if it does not. */
export type MatchInput = (input: string) => number | null;

/** Returns the matcher of inputs that begin with a text, give or take the edits. */
export function prefixMatcher(prefix: string, fuzzy: FuzzyPrefix | null): MatchInput {
  if (fuzzy === null) return (input) => (input.startsWith(prefix) ? 0 : null);
  const wanted = [...prefix];
  const { prefixLength, minLength } = fuzzy;
  const isExact = wanted.length <= prefixLength || wanted.length < minLength;
  const edits = isExact ? 0 : fuzzy.edits;
  return (input) => {
    const length = matchedLength(wanted, [...input], { ...fuzzy, edits });
    return length === null ? null : sharedBytes(prefix, [...input].slice(0, length).join(''));
  };
}

/** Returns the length in bytes of the common beginning: what 8.12 multiplies weights of fuzzy matches by. */
function sharedBytes(a: string, b: string): number {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  let length = 0;
  while (length < left.length && left[length] === right[length]) length++;
  return length;
}

/**
 * Returns the length of the shortest beginning of `input` that is within the edits of `prefix`, both in code points;
 * null if there is none. Damerau-Levenshtein distance (optimal string alignment), column by column.
 */
function matchedLength(prefix: readonly string[], input: readonly string[], fuzzy: FuzzyPrefix): number | null {
  const fixed = Math.min(fuzzy.prefixLength, prefix.length);
  for (let i = 0; i < fixed; i++) if (input[i] !== prefix[i]) return null;
  const left = prefix.slice(fixed);
  let before: number[] = [];
  let last = Array.from({ length: left.length + 1 }, (_, i) => i);
  if (last[left.length]! <= fuzzy.edits) return fixed;
  for (let j = fixed; j < Math.min(input.length, prefix.length + fuzzy.edits); j++) {
    const next = [j - fixed + 1];
    for (let i = 0; i < left.length; i++) {
      let cell = Math.min(last[i]! + (left[i] === input[j] ? 0 : 1), last[i + 1]! + 1, next[i]! + 1);
      const isSwap = i > 0 && j > fixed && left[i - 1] === input[j] && left[i] === input[j - 1];
      if (isSwap && fuzzy.transpositions) cell = Math.min(cell, before[i - 1]! + 1);
      next.push(cell);
    }
    if (next[left.length]! <= fuzzy.edits) return j + 1;
    before = last;
    last = next;
  }
  return null;
}
