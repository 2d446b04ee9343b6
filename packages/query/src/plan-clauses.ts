import { errors } from '@shoal/errors';
import type { IntervalTree } from './execute/positions/interval-tree.js';
import { spanTerms } from './execute/positions/span-tree.js';
import type { Plan } from './plan.js';

/**
 * Refuses a plan that has more than `max` clauses in all, however they are nested. Counted are the leaves that Lucene's
 * IndexSearcher.rewrite counts: a term, a phrase, a list of terms or a range is one, each term of spans and intervals
 * is one. Functions of `function_score` are not counted. Throws too_many_nested_clauses.
 */
export function checkClauses(plan: Plan, max: number): void {
  let count = 0;
  const open: Plan[] = [plan];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const inner = innerPlans(next);
    if (inner === null) count += leavesOf(next);
    else for (const part of inner) open.push(part);
    if (count > max)
      throw errors.tooManyNestedClauses(`Query contains too many nested clauses; maxClauseCount is set to ${max}`);
  }
}

/**
 * Returns whether a document may take long to match or to score by the plan: positions are compared, sources
 * read, or many plans asked one after the other.
 */
export function isSlowPerDocument(plan: Plan): boolean {
  let count = 0;
  const open: Plan[] = [plan];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (SLOW.has(next.kind) || ++count > PLANS_MANY) return true;
    if (next.kind === 'functionScore' && next.functions.length > FUNCTIONS_MANY) return true;
    for (const part of innerPlans(next) ?? []) open.push(part);
  }
  return false;
}

/** Kinds of plans that look at positions or sources. */
const SLOW: ReadonlySet<Plan['kind']> = new Set(['span', 'intervals', 'phrase', 'runtime', 'percolate', 'shape']);
const PLANS_MANY = 512;
const FUNCTIONS_MANY = 16;

function leavesOf(plan: Plan): number {
  if (plan.kind === 'span') return spanTerms(plan.tree, plan.field).length;
  return plan.kind === 'intervals' ? intervalTerms(plan.tree) : 1;
}

function intervalTerms(tree: IntervalTree): number {
  switch (tree.kind) {
    case 'term':
      return 1;
    case 'none':
      return 0;
    case 'extend':
    case 'maxGaps':
    case 'repeat':
    case 'script':
      return intervalTerms(tree.source);
    case 'filter':
      return intervalTerms(tree.source) + intervalTerms(tree.by);
    default:
      return tree.sources.reduce((sum, source) => sum + intervalTerms(source), 0);
  }
}

/** Returns the plans that a plan is made of; null for a leaf. */
export function innerPlans(plan: Plan): readonly Plan[] | null {
  switch (plan.kind) {
    case 'bool':
      return [...plan.must, ...plan.filter, ...plan.should, ...plan.mustNot];
    case 'disMax':
    case 'covering':
      return plan.plans;
    case 'constant':
    case 'named':
    case 'nested':
    case 'functionScore':
      return [plan.plan];
    case 'join':
      return [plan.plan, plan.targets];
    case 'nearest':
      return plan.filter === null ? null : [plan.filter];
    case 'boosting':
      return [plan.positive, plan.negative];
    default:
      return null;
  }
}
