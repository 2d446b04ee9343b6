import { createWeight } from '../execute/weight.js';
import type { Plan } from '../plan.js';
import { kindOf } from '../plans/catalogue.js';
import { type Matching, NO_MATCHES } from './matching.js';
import type { TextMatch } from './text-match.js';

/**
 * Returns a finder of a plan's matches in a field's text. As with Lucene's `Weight.matches`, only clauses that
 * contribute to the document's match are highlighted, and phrases are highlighted as a whole.
 */
export function planMatching(plan: Plan): Matching {
  return kindOf(plan).matching?.(plan, planMatching) ?? leafMatching(plan);
}

function leafMatching(plan: Plan): Matching {
  const finder = kindOf(plan).textFinder?.(plan) ?? null;
  const whole = documentMatching(plan);
  if (finder === null) return whole;
  return (text, place) => {
    if (!finder.fields.some((field) => place.isField(field))) return whole(text, place);
    return nonEmpty(finder.find(text.tokens)) ?? (finder.isOneOfSeveral ? whole(text, place) : null);
  };
}

const nonEmpty = (matches: readonly TextMatch[]): readonly TextMatch[] | null =>
  matches.length === 0 ? null : matches;

/** Returns a finder that only tells whether the document matches, by a matcher on the index. */
function documentMatching(plan: Plan): Matching {
  let weight: ReturnType<typeof createWeight> | null = null;
  return (_text, { searcher, segment, doc }) => {
    weight ??= createWeight(plan, searcher, { needsScores: false });
    const matcher = weight.matcher(segment, false);
    return matcher && matcher.filter(Int32Array.of(doc), 1, null) === 1 ? NO_MATCHES : null;
  };
}
