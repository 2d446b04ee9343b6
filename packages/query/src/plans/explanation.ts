import type { WeightContext } from '../execute/weight-context.js';
import type { Matcher } from '../matcher.js';
import type { Plan } from '../plan.js';
import { type Explanation, explanation, noMatch } from './explanation-tree.js';
import type { Searcher, SegmentView } from '../searcher.js';

/** The document that is explained, with functions to explain and describe inner plans. */
export interface ExplainPlace {
  readonly searcher: Searcher;
  readonly segment: SegmentView;
  /** Number of the document in its segment. */
  readonly doc: number;
  explain(plan: Plan, context: WeightContext, place: ExplainPlace): Explanation;
  /** The text of a plan, with its boost. */
  describe(plan: Plan): string;
}

/** Returns the score of one document of the matcher's segment, or null when the document does not match. */
export function scoreOfDoc(matcher: Matcher | null, doc: number): number | null {
  const scores = new Float64Array(1);
  return matcher !== null && matcher.filter(Int32Array.of(doc), 1, scores) === 1 ? Math.fround(scores[0]!) : null;
}

/** Explains a plan by its score and its text alone. */
export function explainAsWhole(plan: Plan, context: WeightContext, place: ExplainPlace): Explanation {
  const score = scoreOfDoc(context.weight(plan, context).matcher(place.segment, true), place.doc);
  const text = place.describe(plan);
  if (score === null) return noMatch(`${text} doesn't match id ${place.doc}`);
  return explanation(score, text);
}
