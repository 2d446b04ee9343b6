import type { ReciprocalRanks } from '@shoal/query';
import type { SearchPlan } from './search-plan.js';

/** The query that gives a result set, and which of the clauses `knn` it is (null: none). */
export interface RankedQuery {
  readonly json: Readonly<Record<string, unknown>>;
  readonly clause: number | null;
}

/** Queries before clauses `knn`, as 8.12 orders them. */
export function queriesOf({ json, subSearches, knn }: SearchPlan): RankedQuery[] {
  const queries =
    subSearches.length > 0
      ? (json['sub_searches'] as readonly Readonly<Record<string, unknown>>[])
      : json['query'] === undefined
        ? []
        : [{ query: json['query'] }];
  return [
    ...queries.map((one) => ({ json: one, clause: null })),
    ...knn.map((one, clause) => ({ json: { knn: one.json }, clause })),
  ];
}

/** Options that a search which ranks may not have, in 8.12's words. */
export function rankProblems(plan: SearchPlan, isScroll: boolean): string[] {
  if (plan.rank === null) return plan.subSearches.length > 1 ? ['[sub_searches] requires [rank]'] : [];
  const { windowSize }: ReciprocalRanks = plan.rank;
  const refused: readonly (readonly [boolean, string])[] = [
    [plan.size === 0, '[rank] requires [size] greater than [0]'],
    [
      plan.size > windowSize,
      `[rank] requires [window_size: ${windowSize}] be greater than or equal to [size: ${plan.size}]`,
    ],
    [
      queriesOf(plan).length < 2,
      '[rank] requires a minimum of [2] result sets using a combination of sub searches and/or knn searches',
    ],
    [isScroll, '[rank] cannot be used in a scroll context'],
    [plan.rescore.length > 0, '[rank] cannot be used with [rescore]'],
    [plan.sort.length > 0, '[rank] cannot be used with [sort]'],
    [plan.collapse !== null, '[rank] cannot be used with [collapse]'],
    [plan.suggest !== null, '[rank] cannot be used with [suggest]'],
    [plan.highlight !== null, '[rank] cannot be used with [highlighter]'],
    [plan.pointInTime !== null, '[rank] cannot be used with [point in time]'],
    [plan.profile, '[rank] requires [profile] is [false]'],
    [plan.explain, '[rank] requires [explain] is [false]'],
  ];
  return refused.flatMap(([isSo, problem]) => (isSo ? [problem] : []));
}
