import type { TermCounts } from '../execute/similarity.js';
import type { Mapping } from '@shoal/mapping';
import type { WeightContext } from '../execute/weight-context.js';
import type { Matching, TextFinder } from '../highlight/matching.js';
import type { Weight } from '../matcher.js';
import type { RequiredTerms, TermRequirements } from '../percolate/required-terms.js';
import type { Plan } from '../plan.js';
import type { Searcher } from '../searcher.js';
import type { ExplainPlace } from './explanation.js';
import type { Explanation } from './explanation-tree.js';

/** Options of describing a plan. With a mapping, bounds and addresses print by the type of their field. */
export interface DescribeOptions {
  readonly mapping?: Mapping;
  /**
   * True prints both queries that Lucene may choose for a range, as `_validate/query` does; false prints the one that
   * explanations name.
   */
  readonly bothWays?: boolean;
  /** True prints what Lucene makes of queries that it runs before it makes weights, as profiles and explanations do. */
  readonly isRun?: boolean;
}

/** Context of describing one kind of plan. */
export interface DescribeContext extends DescribeOptions {
  /** Returns the text of an inner plan, with its boost. */
  readonly text: (plan: Plan) => string;
  /** Returns whether an inner plan scores a constant by itself. */
  readonly scoresConstant: (plan: Plan) => boolean;
}

/**
 * Functions and names of one kind of plan. Each kind has a file; `catalogue.ts` lists them. A missing member has the
 * default that its comment names: a new kind needs `weight` and `describe` only.
 */
export interface PlanKind<P extends Plan> {
  /** Name of Lucene's query in profiles; the name of the kind by default. */
  readonly luceneName?: string;
  /** The same where it depends on the plan. */
  luceneNameOf?(plan: P): string;
  /** Binds the plan to a searcher. */
  weight(plan: P, context: WeightContext): Weight;
  /** Returns the plan in Lucene's notation, without its boost. */
  describe(plan: P, context: DescribeContext): string;
  /** Whether a boost follows parentheses: `(a b)^2.0`. By default only where both queries of a range are printed. */
  readonly wrapsBoost?: 'always' | 'never';
  /** Whether the scores of a plan that was run have its boost already, so that it is not printed. */
  hidesBoost?(plan: P): boolean;
  /** Whether Lucene scores the plan with a constant by itself, so that ConstantScore around it is not printed. */
  readonly scoresConstant?: true;
  /** Explains the score of a document. By default the score and the plan's text. */
  explain?(plan: P, context: WeightContext, place: ExplainPlace): Explanation;
  /** Returns whether nested documents could match; `inner` answers for an inner plan. True by default. */
  mayMatchNested?(plan: P, mapping: Mapping, inner: (plan: Plan) => boolean): boolean;
  /**
   * Returns whether the plan may match, judged by terms and bounds of values; `inner` answers for an inner plan. True
   * by default.
   */
  canMatch?(plan: P, searcher: Searcher, inner: (plan: Plan) => boolean): boolean;
  /**
   * Returns a finder of the plan's terms in a text, for highlighting; null when this plan has none. By default there is
   * none.
   */
  textFinder?(plan: P): TextFinder | null;
  /**
   * Returns the inner plans whose terms the plain and the vector highlighter show, whichever of them match. None by
   * default.
   */
  highlightedParts?(plan: P): readonly Plan[];
  /** Returns the matches to highlight for a plan made of other plans; `inner` answers for an inner plan. */
  matching?(plan: P, inner: (plan: Plan) => Matching): Matching;
  /**
   * Returns the inner plans that match the same documents, in the order in which their names are reported. None by
   * default.
   */
  sameDocuments?(plan: P): readonly Plan[];
  /** Returns the inner plans that a profile shows below this one. None by default. */
  profiledParts?(plan: P): readonly Plan[];
  /** Returns the inner plans whose scores count. None by default. */
  scoredParts?(plan: P): readonly Plan[];
  /**
   * Returns the terms of which a document must have one to match, for queries that are stored; null if none are known,
   * the default.
   */
  requiredTerms?(plan: P, requirements: TermRequirements): RequiredTerms;
  /** Visits the terms whose statistics the plan's own score needs. None by default. */
  visitScoredTerms?(plan: P, visit: VisitTerm, searcher: Searcher): void;
}

/** Is told a term, and its counts where they are not its own: terms of a fuzzy query are scored by those of all. */
export type VisitTerm = (field: string, term: string, counts?: TermCounts) => void;
