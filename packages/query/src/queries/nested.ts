import type { JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { parseInnerHits } from '../fetch/parse-inner-hits.js';
import { boolean, readOptions, text } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { nonePlan, planQuery } from '../plan-query.js';
import { addInnerHits, refuseExpensiveJoin } from './joining.js';

/** Documents that have nested objects matching a query. */
export const nested: QueryType = {
  name: 'nested',
  parse: (body, _container, context) => parse(body as JsonObject, context),
};

/** How the scores of several documents become one. */
export type ScoreMode = 'avg' | 'sum' | 'min' | 'max' | 'none';
const SCORE_MODES: readonly string[] = ['avg', 'sum', 'min', 'max', 'none'];

interface Nested {
  readonly path: string;
  readonly query: ParsedQuery;
  readonly scoreMode: ScoreMode;
  readonly ignoreUnmapped: boolean;
  readonly innerHits: JsonObject | null;
}

function parse(body: JsonObject, context: QueryContext): ParsedQuery {
  const options = readOptions('nested', body, {
    // 8.12 takes each value of a list in turn.
    path: (value, place) => (Array.isArray(value) ? lastText(value, place.key) : text(value, place)),
    query: (value) => context.parseQuery(value),
    score_mode: (value, place) => scoreMode(text(value, place)),
    ignore_unmapped: boolean,
    inner_hits: (value) => {
      // 8.12 passes over an empty list.
      if (Array.isArray(value) && value.length === 0) return null;
      context.onInnerHits?.();
      return parseInnerHits(value, body, context.innerHits);
    },
  });
  const { path, query, boost, queryName } = options;
  if (path === undefined) throw errors.illegalArgument("[nested] requires 'path' field");
  if (query === undefined) throw errors.illegalArgument("[nested] requires 'query' field");
  const given: Nested = {
    path,
    query,
    scoreMode: options.score_mode ?? 'avg',
    ignoreUnmapped: options.ignore_unmapped ?? false,
    innerHits: options.inner_hits ?? null,
  };
  return { type: 'nested', boost, queryName, plan: (planContext) => nestedPlanOf(given, planContext) };
}

function lastText(list: readonly unknown[], key: string | number): string | undefined {
  return list.length === 0 ? undefined : text(list.at(-1), { type: 'nested', container: list, key });
}

/** Parses `score_mode`. */
export function scoreMode(name: string): ScoreMode {
  if (SCORE_MODES.includes(name)) return name as ScoreMode;
  throw errors.illegalArgument(`No score mode for child query [${name}] found`);
}

/** Returns the plan of a nested query. Throws if there are no nested objects under its path. */
export function nestedPlanOf(given: Nested, context: PlanContext): Plan {
  refuseExpensiveJoin(context);
  const object = context.searcher.mapping.object(given.path);
  if (object === null || !object.isNested) {
    if (given.ignoreUnmapped) return nonePlan('');
    throw errors.refusedState(`[nested] failed to find nested object under path [${given.path}]`);
  }
  const inner = planQuery(given.query, { ...context, nestedPath: given.path, innerHits: [] });
  collectInnerHits(given, context);
  return {
    kind: 'nested',
    path: given.path,
    parentPath: context.nestedPath,
    plan: inner,
    scoreMode: given.scoreMode,
    boost: 1,
  };
}

function collectInnerHits({ path, query, innerHits }: Nested, context: PlanContext): void {
  if (innerHits === null) return;
  const name = typeof innerHits['name'] === 'string' ? innerHits['name'] : path;
  addInnerHits({ name, path, query, body: innerHits }, context);
}
