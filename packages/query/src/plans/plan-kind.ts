import type { Mapping } from '@shoal/mapping';
import type { WeightContext } from '../execute/weight-context.js';
import type { Matching, TextFinder } from '../highlight/matching.js';
import type { Weight } from '../matcher.js';
import type { Plan } from '../plan.js';
import type { Searcher } from '../searcher.js';
import type { Explanation, ExplainPlace } from './explanation.js';

/** What describing may look at: field types give bounds and addresses their text. */
export interface DescribeOptions {
  readonly mapping?: Mapping;
  /** True names both ways in which a range may run, as `_validate/query` does; false the one that explanations name. */
  readonly bothWays?: boolean;
}

/** What describing one kind of plan may use. */
export interface DescribeContext extends DescribeOptions {
  /** The text of a plan inside, with its boost. */
  readonly text: (plan: Plan) => string;
  /** Whether a plan inside scores a constant by itself. */
  readonly scoresConstant: (plan: Plan) => boolean;
}

/**
 * All that is known of one kind of plan. One file a kind; `catalogue.ts` lists them. A member that is left out has the
 * default that it names, so that a new kind needs `weight` and `describe` only.
 */
export interface PlanKind<P extends Plan> {
  /** Name of Lucene's query in profiles; that of the kind by default. */
  readonly luceneName?: string;
  /** Binds the plan to a searcher. */
  weight(plan: P, context: WeightContext): Weight;
  /** The plan in Lucene's notation, without its boost. */
  describe(plan: P, context: DescribeContext): string;
  /** Whether a boost stands behind parentheses: `(a b)^2.0`. By default only where both ways are named. */
  readonly wrapsBoost?: 'always' | 'never';
  /** Scores a constant by itself in Lucene, so that a constant score around it goes without saying. */
  readonly scoresConstant?: true;
  /** How the score of a document came about. By default the score and the plan's text. */
  explain?(plan: P, context: WeightContext, place: ExplainPlace): Explanation;
  /** Whether nested documents could match; `inner` asks a plan inside. True by default. */
  mayMatchNested?(plan: P, mapping: Mapping, inner: (plan: Plan) => boolean): boolean;
  /** Whether terms and bounds of values leave a match possible; `inner` asks a plan inside. True by default. */
  canMatch?(plan: P, searcher: Searcher, inner: (plan: Plan) => boolean): boolean;
  /** Looks for the plan's terms in a text, to mark them; null when this plan has none. By default there are none. */
  textFinder?(plan: P): TextFinder | null;
  /** Marks of a plan that is made of others; `inner` gives those of a plan inside. */
  matching?(plan: P, inner: (plan: Plan) => Matching): Matching;
  /** Plans inside that look at the same documents, in the order in which their names are told. None by default. */
  sameDocuments?(plan: P): readonly Plan[];
  /** Plans inside that a profile shows below this one. None by default. */
  profiledParts?(plan: P): readonly Plan[];
  /** Plans inside whose scores count. None by default. */
  scoredParts?(plan: P): readonly Plan[];
  /** Visits the terms whose statistics its own score takes. None by default. */
  visitScoredTerms?(plan: P, visit: (field: string, term: string) => void): void;
}
