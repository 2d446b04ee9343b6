import type { Mapping } from '@shoal/mapping';
import { formatFloat } from '@shoal/values';
import type { Plan } from './plan.js';
import { kindOf } from './plans/catalogue.js';
import { addressText } from './plans/field-facts.js';
import type { DescribeContext, DescribeOptions } from './plans/plan-kind.js';

/** Returns a plan in Lucene's notation, as `_validate/query?explain`, profiles and explanations show queries. */
export function describePlan(plan: Plan, options: DescribeOptions = {}): string {
  const context: DescribeContext = {
    ...options,
    text: (inner) => boostedText(inner, context),
    scoresConstant: (inner) => kindOf(inner).scoresConstant === true || addressText(inner, options.mapping) !== null,
  };
  return boostedText(plan, context);
}

function boostedText(plan: Plan, context: DescribeContext): string {
  const kind = kindOf(plan);
  const text = kind.describe(plan, context);
  const boost = 'boost' in plan ? plan.boost : 1;
  if (boost === 1 || (context.isRun === true && kind.hidesBoost?.(plan) === true)) return text;
  const isWrapped = kind.wrapsBoost === undefined ? context.bothWays === true : kind.wrapsBoost === 'always';
  return isWrapped ? `(${text})^${formatFloat(boost)}` : `${text}^${formatFloat(boost)}`;
}

/**
 * Returns the query of a whole search as `_validate/query?explain` shows it. In an index with nested objects, a query
 * that might match nested documents is shown with the filter on root documents. `filter` is that of the alias.
 */
export function describeQuery(plan: Plan, mapping: Mapping, filter: Plan | null = null): string {
  const asText = (one: Plan): string => {
    const text = describePlan(one, { mapping, bothWays: true });
    return one.kind === 'bool' && one.boost === 1 ? `(${text})` : text;
  };
  const filters = [
    ...(needsRoots(plan, mapping, filter) ? [ROOTS_TEXT] : []),
    ...(filter === null ? [] : [asText(filter)]),
  ];
  if (filters.length === 0) return describePlan(plan, { mapping, bothWays: true });
  return [`+${asText(plan)}`, ...filters.map((text) => `#${text}`)].join(' ');
}

/** The filter on root documents in Lucene's notation. */
export const ROOTS_TEXT = 'FieldExistsQuery [field=_primary_term]';

/** Whether Elasticsearch adds the filter on root documents to the query of a whole search. */
export const needsRoots = (plan: Plan, mapping: Mapping, filter: Plan | null = null): boolean =>
  mapping.hasNested && mayMatchNested(plan, mapping) && (filter === null || mayMatchNested(filter, mapping));

/** Whether nested documents may match a plan, as far as Elasticsearch looks for it. */
export function mayMatchNested(plan: Plan, mapping: Mapping): boolean {
  return kindOf(plan).mayMatchNested?.(plan, mapping, (inner) => mayMatchNested(inner, mapping)) ?? true;
}
