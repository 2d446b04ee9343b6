import type { Span, TermSource } from '../execute/positions/position-lists.js';
import { NO_SPANS } from '../execute/positions/position-lists.js';
import type { FieldTokens } from './field-text.js';
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

/** Returns the occurrences of terms inside spans. */
export function within(tokens: FieldTokens, terms: readonly string[], spans: readonly Span[]): TextMatch[] {
  const isInside = (i: number): boolean =>
    spans.some(({ start, end }) => start <= tokens.positions[i]! && tokens.positions[i]! < end);
  const found: TextMatch[] = [];
  for (const term of new Set(terms))
    for (const i of tokens.byTerm.get(term) ?? []) if (isInside(i)) found.push(matchOf(tokens, i, term));
  return found;
}

/** Returns the occurrences of terms. */
export function termMatches(tokens: FieldTokens, terms: readonly string[]): TextMatch[] {
  const found: TextMatch[] = [];
  for (const term of terms) for (const i of tokens.byTerm.get(term) ?? []) found.push(matchOf(tokens, i, term));
  return found;
}

function matchOf(tokens: FieldTokens, i: number, term: string): TextMatch {
  return { start: tokens.startOffsets[i]!, end: tokens.endOffsets[i]!, term };
}

/** Returns the occurrences of terms that `accepts` accepts, all under one name. */
export function predicateMatches(tokens: FieldTokens, accepts: (term: string) => boolean, name: string): TextMatch[] {
  const found: TextMatch[] = [];
  for (const [term, places] of tokens.byTerm)
    if (accepts(term)) for (const i of places) found.push(matchOf(tokens, i, name));
  return found;
}
