import { stringify } from '@shoal/json';
import type { Plan } from '../plan.js';
import type { FieldTokens } from './field-text.js';
import { sortedInSteps, STEP_ITEMS, type Steps } from './steps.js';
import type { TextMatch } from './text-match.js';

type Phrase = Extract<Plan, { kind: 'phrase' }>;

interface Occurrence {
  /** Position in the text less the term's place in the phrase: equal for all terms of an exact match. */
  readonly shifted: number;
  readonly token: number;
}

/** Returns the occurrences of a phrase in a text, each from its first to its last token. */
export function* phraseMatches(plan: Phrase, tokens: FieldTokens): Steps<readonly TextMatch[]> {
  const lists: (readonly Occurrence[])[] = [];
  for (let i = 0; i < plan.terms.length; i++) {
    const { terms, position } = plan.terms[i]!;
    const list = yield* occurrences(tokens, terms, position, plan.prefixLast && i === plan.terms.length - 1);
    if (list.length === 0) return [];
    lists.push(list);
  }
  const name = stringify(plan.terms);
  const found = plan.slop === 0 ? yield* exact(lists) : yield* sloppy(lists, plan.slop);
  const matches: TextMatch[] = [];
  for (const match of found) {
    if (matches.length % STEP_ITEMS === STEP_ITEMS - 1) yield;
    matches.push(spanOf(match, tokens, name));
  }
  return matches;
}

function* occurrences(
  tokens: FieldTokens,
  terms: readonly string[],
  position: number,
  isPrefix: boolean,
): Steps<readonly Occurrence[]> {
  const found: Occurrence[] = [];
  const lists: (readonly number[])[] = [];
  if (isPrefix)
    for (const [term, places] of tokens.byTerm) if (terms.some((prefix) => term.startsWith(prefix))) lists.push(places);
  if (!isPrefix) for (const term of terms) lists.push(tokens.byTerm.get(term) ?? []);
  for (const places of lists)
    for (const token of places) {
      if (found.length % STEP_ITEMS === STEP_ITEMS - 1) yield;
      found.push({ shifted: tokens.positions[token]! - position, token });
    }
  return lists.length === 1 ? found : yield* sortedInSteps(found, (a, b) => a.shifted - b.shifted);
}

/** Returns the places where all terms follow each other: the lists are walked side by side. */
function* exact(lists: readonly (readonly Occurrence[])[]): Steps<Occurrence[][]> {
  const [first = [], ...others] = lists;
  const at = others.map(() => 0);
  const found: Occurrence[][] = [];
  for (let i = 0; i < first.length; i++) {
    if (i % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const match = [first[i]!];
    others.forEach((list, k) => {
      while (at[k]! < list.length && list[at[k]!]!.shifted < first[i]!.shifted) at[k]!++;
      const other = list[at[k]!];
      if (other?.shifted === first[i]!.shifted) match.push(other);
    });
    if (match.length === lists.length) found.push(match);
  }
  return found;
}

/**
 * Returns windows in which the shifted positions are at most `slop` apart. The list with the smallest position is
 * advanced after each window.
 */
function* sloppy(lists: readonly (readonly Occurrence[])[], slop: number): Steps<Occurrence[][]> {
  const at = lists.map(() => 0);
  const found: Occurrence[][] = [];
  for (let steps = 1; ; steps++) {
    if (steps % STEP_ITEMS === 0) yield;
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
