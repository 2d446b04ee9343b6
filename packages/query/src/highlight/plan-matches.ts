import { createWeight } from '../execute/weight.js';
import type { Plan } from '../plan.js';
import { kindOf } from '../plans/catalogue.js';
import { type Matching, NO_MATCHES } from './matching.js';
import { STEP_ITEMS } from './steps.js';
import type { TextMatch } from './text-match.js';

/**
 * Returns a finder of a plan's matches in a field's text. As with Lucene's `Weight.matches`, only clauses that
 * contribute to the document's match are highlighted, and phrases are highlighted as a whole.
 */
export function planMatching(plan: Plan): Matching {
  return kindOf(plan).matching?.(plan, planMatching) ?? leafMatching(plan);
}

/**
 * Returns a finder of what the plain highlighter shows of a plan: the terms of all clauses but prohibited ones, whether
 * these clauses match or not.
 */
export function plainMatching(plan: Plan): Matching {
  const finders = leavesOf(plan).flatMap((leaf) => kindOf(leaf).textFinder?.(leaf) ?? []);
  return function* (text, place) {
    const found: (readonly TextMatch[])[] = [];
    for (const finder of finders)
      if (finder.fields.some((field) => place.isField(field)))
        found.push(yield* finder.findPlainly?.(text.tokens) ?? finder.find(text.tokens));
    return found.flat();
  };
}

/** Returns a finder like that of the plain highlighter, of single words: those of phrases are marked each. */
export function wordMatching(plan: Plan): Matching {
  const matching = plainMatching(plan);
  return function* (text, place) {
    const { terms, startOffsets, endOffsets } = text.tokens;
    const found: TextMatch[] = [];
    for (const match of (yield* matching(text, place))!) {
      if (found.length % STEP_ITEMS === STEP_ITEMS - 1) yield;
      if (match.tokens === undefined) found.push(match);
      for (const i of match.tokens ?? []) found.push({ start: startOffsets[i]!, end: endOffsets[i]!, term: terms[i]! });
    }
    return found;
  };
}

function leavesOf(plan: Plan): readonly Plan[] {
  const parts = kindOf(plan).highlightedParts?.(plan);
  return parts === undefined ? [plan] : parts.flatMap(leavesOf);
}

function leafMatching(plan: Plan): Matching {
  const finder = kindOf(plan).textFinder?.(plan) ?? null;
  const whole = documentMatching(plan);
  if (finder === null) return whole;
  return function* (text, place) {
    if (!finder.fields.some((field) => place.isField(field))) return yield* whole(text, place);
    const found = yield* finder.find(text.tokens);
    if (found.length > 0) return found;
    return finder.isOneOfSeveral ? yield* whole(text, place) : null;
  };
}

/** Returns a finder that only tells whether the document matches, by a matcher on the index. */
function documentMatching(plan: Plan): Matching {
  let weight: ReturnType<typeof createWeight> | null = null;
  // oxlint-disable-next-line require-yield -- asking the index is a single step
  return function* (_text, { searcher, segment, doc }) {
    weight ??= createWeight(plan, searcher, { needsScores: false });
    const matcher = weight.matcher(segment, false);
    return matcher && matcher.filter(Int32Array.of(doc), 1, null) === 1 ? NO_MATCHES : null;
  };
}
