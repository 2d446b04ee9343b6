import { stringify } from '@shoal/json';
import type { Plan } from '../plan.js';
import type { FieldTokens } from './field-text.js';
import type { TextMatch } from './text-match.js';

type Phrase = Extract<Plan, { kind: 'phrase' }>;

interface Occurrence {
  /** Position in the text less the term's place in the phrase: equal for all terms of an exact match. */
  readonly shifted: number;
  readonly token: number;
}

/** Returns the occurrences of a phrase in a text, each from its first to its last token. */
export function phraseMatches(plan: Phrase, tokens: FieldTokens): TextMatch[] {
  const lists = plan.terms.map(({ terms, position }, i) =>
    occurrences(tokens, terms, position, plan.prefixLast && i === plan.terms.length - 1),
  );
  if (lists.some((list) => list.length === 0)) return [];
  const name = stringify(plan.terms);
  const found = plan.slop === 0 ? exact(lists) : sloppy(lists, plan.slop);
  return found.map((match) => spanOf(match, tokens, name));
}

function occurrences(tokens: FieldTokens, terms: readonly string[], position: number, isPrefix: boolean): Occurrence[] {
  const found: Occurrence[] = [];
  const add = (places: readonly number[]): void => {
    for (const token of places) found.push({ shifted: tokens.positions[token]! - position, token });
  };
  if (isPrefix)
    for (const [term, places] of tokens.byTerm) if (terms.some((prefix) => term.startsWith(prefix))) add(places);
  if (!isPrefix) for (const term of terms) add(tokens.byTerm.get(term) ?? []);
  return found.sort((a, b) => a.shifted - b.shifted);
}

function exact(lists: readonly (readonly Occurrence[])[]): Occurrence[][] {
  const [first = [], ...others] = lists;
  const maps = others.map((list) => new Map(list.map((occurrence) => [occurrence.shifted, occurrence])));
  const found: Occurrence[][] = [];
  for (const occurrence of first) {
    const rest = maps.map((map) => map.get(occurrence.shifted));
    if (rest.every((one) => one !== undefined)) found.push([occurrence, ...(rest as Occurrence[])]);
  }
  return found;
}

/**
 * Returns windows in which the shifted positions are at most `slop` apart. The list with the smallest position is
 * advanced after each window.
 */
function sloppy(lists: readonly (readonly Occurrence[])[], slop: number): Occurrence[][] {
  const at = lists.map(() => 0);
  const found: Occurrence[][] = [];
  for (;;) {
    const window = lists.map((list, i) => list[at[i]!]!);
    const shifts = window.map(({ shifted }) => shifted);
    const least = Math.min(...shifts);
    const isDistinct = new Set(window.map(({ token }) => token)).size === window.length;
    const next = shifts.indexOf(least);
    const follower = lists[next]![at[next]! + 1];
    const isNarrowest =
      !follower ||
      Math.max(...shifts) - follower.shifted >= Math.max(...shifts) - least ||
      follower.shifted > Math.max(...shifts);
    if (isDistinct && isNarrowest && Math.max(...shifts) - least <= slop) found.push(window);
    at[next]!++;
    if (at[next]! >= lists[next]!.length) return found;
  }
}

function spanOf(match: readonly Occurrence[], tokens: FieldTokens, term: string): TextMatch {
  let start = Infinity;
  let end = 0;
  for (const { token } of match) {
    start = Math.min(start, tokens.startOffsets[token]!);
    end = Math.max(end, tokens.endOffsets[token]!);
  }
  return { start, end, term, tokens: match.map(({ token }) => token) };
}
