import type { Span, TermSource } from '../execute/positions/position-lists.js';
import { firstFrom, NO_SPANS } from '../execute/positions/position-lists.js';
import type { FieldTokens } from './field-text.js';
import { STEP_ITEMS, type Steps } from './steps.js';
import type { TextMatch } from './text-match.js';

/** Returns the spans of terms in a text, as if the text were document 0. */
export function textTerms(tokens: FieldTokens): TermSource {
  return (_field, term) => {
    const places = tokens.byTerm.get(term);
    if (!places) return NO_SPANS;
    const spans = places.map((i) => ({ start: tokens.positions[i]!, end: tokens.positions[i]! + 1, width: 0 }));
    return { cost: 1, next: (target) => target, spans: () => spans };
  };
}

/** Returns the occurrences of terms inside spans, which are ordered by their beginnings. */
export function* within(
  tokens: FieldTokens,
  terms: readonly string[],
  spans: readonly Span[],
): Steps<readonly TextMatch[]> {
  yield;
  const ends = new Int32Array(spans.length);
  for (let i = 0, end = 0; i < spans.length; i++) ends[i] = end = Math.max(end, spans[i]!.end);
  const isInside = (i: number): boolean => {
    const before = firstFrom(spans, tokens.positions[i]! + 1);
    return before > 0 && ends[before - 1]! > tokens.positions[i]!;
  };
  const found: TextMatch[] = [];
  for (const term of new Set(terms)) yield* addMatches(found, tokens, tokens.byTerm.get(term) ?? [], term, isInside);
  return found;
}

/** Returns the occurrences of terms. */
export function* termMatches(tokens: FieldTokens, terms: readonly string[]): Steps<readonly TextMatch[]> {
  const found: TextMatch[] = [];
  for (const term of terms) yield* addMatches(found, tokens, tokens.byTerm.get(term) ?? [], term);
  return found;
}

/** Returns the occurrences of terms that `accepts` accepts, all under one name. */
export function* predicateMatches(
  tokens: FieldTokens,
  accepts: (term: string) => boolean,
  name: string,
): Steps<readonly TextMatch[]> {
  const found: TextMatch[] = [];
  let seen = 0;
  for (const [term, places] of tokens.byTerm) {
    if (++seen % STEP_ITEMS === 0) yield;
    if (accepts(term)) yield* addMatches(found, tokens, places, name);
  }
  return found;
}

function* addMatches(
  found: TextMatch[],
  tokens: FieldTokens,
  places: readonly number[],
  term: string,
  isWanted: ((i: number) => boolean) | null = null,
): Steps<void> {
  for (let k = 0; k < places.length; k++) {
    const i = places[k]!;
    if (k % STEP_ITEMS === STEP_ITEMS - 1) yield;
    if (isWanted === null || isWanted(i))
      found.push({ start: tokens.startOffsets[i]!, end: tokens.endOffsets[i]!, term });
  }
}
