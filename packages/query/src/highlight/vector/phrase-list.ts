import type { FieldTokens } from '../field-text.js';
import { sortedInSteps, STEP_ITEMS, type Steps } from '../steps.js';
import type { PhraseNode } from './phrase-map.js';

/** A range of the field's text, as offsets. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A phrase found in a text: ranges to mark, with the boost and the number of the phrase in the query. */
export interface FoundPhrase {
  readonly ranges: readonly Range[];
  readonly boost: number;
  readonly number: number;
}

interface TermInfo extends Range {
  readonly term: string;
  readonly position: number;
}

export const startOf = ({ ranges }: FoundPhrase): number => ranges[0]!.start;
export const endOf = ({ ranges }: FoundPhrase): number => ranges.at(-1)!.end;

/**
 * Returns the phrases of a tree in a text, in its order, at most `limit`; those that overlap an earlier one are left
 * out. After Lucene's FieldPhraseList: the longest phrase that begins with a term is taken, and only terms of the query
 * count for what follows what.
 */
export function* findPhrases(tokens: FieldTokens, root: PhraseNode, limit: number): Steps<FoundPhrase[]> {
  const stack = yield* termStack(tokens, root);
  const found: FoundPhrase[] = [];
  for (let steps = 1; stack.length > 0 && found.length < limit; steps++) {
    if (steps % STEP_ITEMS === 0) yield;
    const first = choose(stack.pop()!, root);
    if (first === null) continue;
    const phrase = longestPhrase(first, stack, root);
    if (phrase !== null && !overlapsAny(phrase, found)) found.push(phrase);
  }
  return found;
}

/** Terms of one position, the first one to be looked at first. */
type Place = readonly TermInfo[];

/** Returns the places of the query's terms, the first of the text last. */
function* termStack(tokens: FieldTokens, root: PhraseNode): Steps<Place[]> {
  const infos: TermInfo[] = [];
  for (const term of termsOf(root))
    for (const i of tokens.byTerm.get(term) ?? []) {
      if (infos.length % STEP_ITEMS === STEP_ITEMS - 1) yield;
      infos.push(infoOf(tokens, i, term));
    }
  const places: TermInfo[][] = [];
  for (const info of yield* sortedInSteps(infos, (a, b) => a.position - b.position)) {
    if (places.length % STEP_ITEMS === STEP_ITEMS - 1) yield;
    if (places.at(-1)?.[0]!.position === info.position) places.at(-1)!.push(info);
    else places.push([info]);
  }
  return places.reverse();
}

const infoOf = (tokens: FieldTokens, i: number, term: string): TermInfo => ({
  term,
  position: tokens.positions[i]!,
  start: tokens.startOffsets[i]!,
  end: tokens.endOffsets[i]!,
});

function termsOf(root: PhraseNode): Set<string> {
  const found = new Set<string>();
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop())
    for (const [term, next] of node.next) {
      found.add(term);
      open.push(next);
    }
  return found;
}

interface Chosen {
  readonly info: TermInfo;
  readonly node: PhraseNode;
}

function choose(place: Place, { next }: PhraseNode): Chosen | null {
  for (const info of place) {
    const node = next.get(info.term);
    if (node !== undefined) return { info, node };
  }
  return null;
}

/** Follows the tree from a first term; terms that belong to no phrase go back to the stack. */
function longestPhrase(first: Chosen, stack: Place[], root: PhraseNode): FoundPhrase | null {
  const candidate = [first.info];
  let { node } = first;
  for (;;) {
    const place = stack.pop();
    const next = place === undefined ? null : choose(place, node);
    if (next === null) {
      if (place !== undefined) stack.push(place);
      break;
    }
    candidate.push(next.info);
    node = next.node;
  }
  for (;;) {
    if (isPhrase(candidate, node)) return foundPhrase(candidate, node);
    if (candidate.length === 1) return null;
    stack.push([candidate.pop()!]);
    node = candidate.reduce((at, { term }) => at.next.get(term)!, root);
  }
}

/** Whether terms are a phrase: it ends here, and no two terms are further apart than the slop. */
function isPhrase(candidate: readonly TermInfo[], { end }: PhraseNode): boolean {
  if (end === null) return false;
  return candidate.every(
    ({ position }, i) => i === 0 || Math.abs(position - candidate[i - 1]!.position - 1) <= end.slop,
  );
}

/** Terms in a row are marked as one range. */
function foundPhrase(candidate: readonly TermInfo[], { end }: PhraseNode): FoundPhrase {
  const ranges: { start: number; end: number }[] = [];
  candidate.forEach(({ start, end: to, position }, i) => {
    if (i > 0 && position - candidate[i - 1]!.position === 1) ranges.at(-1)!.end = to;
    else ranges.push({ start, end: to });
  });
  return { ranges, boost: end!.boost, number: end!.number };
}

function overlapsAny(phrase: FoundPhrase, found: readonly FoundPhrase[]): boolean {
  // Phrases ascend by their beginnings, and none overlaps another: only the last one can reach this far.
  const last = found.at(-1);
  return last !== undefined && startOf(phrase) < endOf(last) && startOf(last) < endOf(phrase);
}

/** Merges the phrases of several analyses of one text; overlapping ones become one, with the sum of their boosts. */
export function mergePhrases(lists: readonly (readonly FoundPhrase[])[]): readonly FoundPhrase[] {
  if (lists.length === 1) return lists[0]!;
  const all = lists.flat().sort((a, b) => startOf(a) - startOf(b) || endOf(a) - endOf(b) || a.boost - b.boost);
  const merged: FoundPhrase[] = [];
  for (const phrase of all) {
    const last = merged.at(-1);
    if (last === undefined || startOf(phrase) > endOf(last)) merged.push(phrase);
    else merged[merged.length - 1] = joined(last, phrase);
  }
  return merged;
}

function joined(a: FoundPhrase, b: FoundPhrase): FoundPhrase {
  const ranges: { start: number; end: number }[] = [];
  for (const { start, end } of [...a.ranges, ...b.ranges].sort((x, y) => x.start - y.start || x.end - y.end)) {
    const last = ranges.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else ranges.push({ start, end });
  }
  return { ranges, boost: a.boost + b.boost, number: a.number };
}
