import { describePlan, needsRoots, ROOTS_TEXT } from './describe.js';
import { type GlobalStatistics, shardStatistics } from './execute/statistics.js';
import { weightOf } from './execute/weight.js';
import type { WeightContext } from './execute/weight-context.js';
import { formatFloat } from '@shoal/values';
import type { Plan } from './plan.js';
import { boolPlan } from './queries/bool.js';
import { kindOf } from './plans/catalogue.js';
import { explainAsWhole, type ExplainPlace } from './plans/explanation.js';
import { explanation, type Explanation, NO_PREFIX, noMatch } from './plans/explanation-tree.js';
import type { Searcher } from './searcher.js';

/** Explains the score of one document of the shard. */
export function explainPlan(
  plan: Plan,
  searcher: Searcher,
  doc: number,
  statistics: GlobalStatistics | null = null,
): Explanation {
  const segment = searcher.segments.findLast((view) => view.docBase <= doc)!;
  const context: WeightContext = {
    searcher,
    statistics: shardStatistics(searcher, statistics),
    boost: 1,
    needsScores: true,
    weight: weightOf,
  };
  return explain(plan, context, {
    searcher,
    segment,
    doc: doc - segment.docBase,
    explain,
    describe: (inner) => describePlan(inner, { mapping: searcher.mapping, isRun: true }),
  });
}

function explanationJson({ value, description, details, isExact, whole }: Explanation): Record<string, unknown> {
  return {
    value: isExact === true ? (whole ?? value) : Number(formatFloat(value)),
    description,
    details: details.map(explanationJson),
  };
}

interface ExplainOptions {
  readonly filter?: Plan | null;
  readonly statistics?: GlobalStatistics | null;
}

/**
 * Explains the score of one document for the query of a whole search: in an index with nested objects, with the filter
 * on root documents that Elasticsearch adds. `filter` is that of the alias; `statistics` are those of all shards.
 */
export function explainSearch(
  given: Plan,
  searcher: Searcher,
  doc: number,
  { filter = null, statistics = null }: ExplainOptions = {},
): Explanation {
  const plan = bareAll(given) ?? withoutNothing(given);
  if (filter !== null) return explainFiltered(plan, filter, searcher, doc, statistics);
  const inner = explainPlan(plan, searcher, doc, statistics);
  if (!needsRoots(plan, searcher.mapping) || (isNothing(inner) && plan.kind !== 'span')) return inner;
  if (plan.kind === 'all') return explanation(inner.value, `ConstantScore(${ROOTS_TEXT})`);
  const roots = explainRoots();
  if (inner.match) return explanation(inner.value, 'sum of:', [...(isFlat(plan) ? inner.details : [inner]), roots]);
  const text = describePlan(plan, { mapping: searcher.mapping, bothWays: true, isRun: true });
  const missed = noMatch(`no match on required clause (${text})`, [inner]);
  return noMatch('Failure to meet condition(s) of required/prohibited clause(s)', [missed, roots]);
}

/** Returns the `match_all` that a plan comes down to: by its name, or as the only clause of a bool. */
function bareAll(plan: Plan): Plan | null {
  if (plan.kind === 'all') return plan;
  if (plan.kind === 'named') return bareAll(plan.plan);
  if (plan.kind !== 'bool' || plan.boost !== 1 || plan.isOpaque === true) return null;
  const [only, other] = plan.must;
  const others = plan.should.length + plan.filter.length + plan.mustNot.length;
  return only === undefined || other !== undefined || others > 0 ? null : bareAll(only);
}

const explainRoots = (): Explanation =>
  explanation(0, 'match on required clause, product of:', [explanation(0, '# clause'), explanation(1, ROOTS_TEXT)]);

/** Explains a search through an alias. Root documents are asked for if both query and filter may match nested ones. */
function explainFiltered(
  plan: Plan,
  filter: Plan,
  searcher: Searcher,
  doc: number,
  statistics: GlobalStatistics | null,
): Explanation {
  const { mapping } = searcher;
  const asksForRoots = needsRoots(plan, mapping) && needsRoots(filter, mapping);
  if (plan.kind === 'all') {
    const text = describePlan(filter, { mapping });
    return explanation(plan.boost, `ConstantScore(${asksForRoots ? `#${ROOTS_TEXT} #${text}` : text})`);
  }
  const found = explainPlan(boolPlan({ must: [plan], filter: [filter] }), searcher, doc, statistics);
  if (!asksForRoots || !found.match) return found;
  const [scored, ...rest] = found.details;
  return { ...found, details: [scored!, explainRoots(), ...rest] };
}

/** What queries that Lucene rewrites to nothing are explained by; it drops the filter then, but not beside spans. */
const OF_NOTHING = ['no matching term', 'empty BooleanQuery', NO_PREFIX];
const isNothing = ({ description, match }: Explanation): boolean => !match && OF_NOTHING.includes(description);

/** Whether Lucene writes the clauses of the query beside the filter: they are all optional. */
const isFlat = (plan: Plan): boolean =>
  plan.kind === 'bool' &&
  plan.boost === 1 &&
  plan.isOpaque !== true &&
  plan.should.length > 1 &&
  plan.should.every((clause) => clause.kind !== 'multiTerm' && clause.kind !== 'nearest') &&
  plan.must.length + plan.filter.length + plan.mustNot.length === 0;

/** Explains the score of one document of the shard as the API shows it, and returns whether the plan matches it. */
export function explainDoc(
  plan: Plan,
  searcher: Searcher,
  doc: number,
): { readonly matched: boolean; readonly explanation: Record<string, unknown> } {
  const found = explainSearch(plan, searcher, doc);
  return { matched: found.match, explanation: explanationJson(found) };
}

/** Lucene drops optional and prohibited clauses that match nothing. A clause left alone stands for the query. */
function withoutNothing(plan: Plan): Plan {
  if (plan.kind !== 'bool' || plan.isOpaque === true) return plan;
  const should = plan.should.filter(({ kind }) => kind !== 'none');
  const mustNot = plan.mustNot.filter(({ kind }) => kind !== 'none');
  const left = should.length + mustNot.length + plan.must.length + plan.filter.length;
  const isSame = should.length === plan.should.length && mustNot.length === plan.mustNot.length;
  if (isSame || left === 0 || plan.minimumShouldMatch > should.length) return plan;
  const isOnly = left === 1 && should.length === 1 && plan.boost === 1;
  return isOnly ? should[0]! : { ...plan, should, mustNot };
}

function explain(given: Plan, context: WeightContext, place: ExplainPlace): Explanation {
  const plan = withoutNothing(given);
  if (isWorthless(plan)) return explainWorthless(plan, context, place);
  return kindOf(plan).explain?.(plan, context, place) ?? explainAsWhole(plan, context, place);
}

/**
 * Whether Lucene rewrites a plan to one without scores because its boost is 0. Scores of documents that were chosen
 * over all shards have their boost already.
 */
const isWorthless = (plan: Plan): boolean =>
  'boost' in plan && plan.boost === 0 && plan.kind !== 'constant' && !(plan.kind === 'nearest' && plan.isGlobal);

function explainWorthless(plan: Plan, context: WeightContext, place: ExplainPlace): Explanation {
  const text = `ConstantScore(${place.describe({ ...plan, boost: 1 } as Plan)})`;
  const found = explainAsWhole(plan, { ...context, needsScores: false }, place);
  return found.match ? explanation(0, `${text}^0.0`) : noMatch(`${text} doesn't match id ${place.doc}`);
}
