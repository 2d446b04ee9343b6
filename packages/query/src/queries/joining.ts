import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import type { JoinRelations } from '@shoal/mapping';
import type { InnerHitsRequest, ParsedQuery, PlanContext } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { allowsExpensive, nonePlan, planQuery, shardError } from '../plan-query.js';

/** Throws if the cluster forbids queries over related documents (`search.allow_expensive_queries`). */
export function refuseExpensiveJoin(context: PlanContext): void {
  if (allowsExpensive(context)) return;
  throw errors.exception(
    "[joining] queries cannot be executed when 'search.allow_expensive_queries' is set to false.",
    { status: 400 },
  );
}

/** Adds inner hits to those of the whole query; throws if the name is taken. */
export function addInnerHits(request: InnerHitsRequest, context: PlanContext): void {
  if (context.innerHits.some(({ name }) => name === request.name)) {
    const error = errors.illegalArgument(`[inner_hits] already contains an entry for key [${request.name}]`);
    // 8.12 finds it after the query was made: it fails the shard as it is.
    error.isOfRewriting = true;
    throw error;
  }
  context.innerHits.push(request);
}

/** The plan of documents of one relation, as a filter. */
export function relationPlan({ field }: JoinRelations, relation: string): Plan {
  return { kind: 'term', field, term: relation, boost: 1 };
}

/** Returns a plan that matches what another does among documents of a filter. */
export function filteredPlan(must: Plan, filter: Plan): Plan {
  return { kind: 'bool', must: [must], filter: [filter], should: [], mustNot: [], minimumShouldMatch: 0, boost: 1 };
}

/** A `has_child` or `has_parent` query. */
export interface JoinGiven {
  /** `has_child` or `has_parent`. */
  readonly type: string;
  /** Relation of the documents that the query is about. */
  readonly relation: string;
  readonly query: ParsedQuery;
  readonly ignoreUnmapped: boolean;
  readonly innerHits: JsonObject | null;
}

/**
 * Returns the relations that a query over related documents is planned by; a plan that matches nothing if there are
 * none and `ignore_unmapped` is set. Throws query_shard_exception with `missing` otherwise.
 */
export function relationsOf(
  { type, ignoreUnmapped }: Pick<JoinGiven, 'type' | 'ignoreUnmapped'>,
  context: PlanContext,
  missing: (relations: JoinRelations | null) => string | null,
): JoinRelations | Plan {
  refuseExpensiveJoin(context);
  const relations = context.searcher.mapping.join;
  const reason = missing(relations);
  if (reason === null) return relations!;
  if (ignoreUnmapped) return nonePlan('User requested "match_none" query.');
  throw shardError(context.searcher, `[${type}] ${reason}`);
}

/** Returns the plan of the query's own documents, those of its relation. */
export function ownPlan({ relation, query }: JoinGiven, relations: JoinRelations, context: PlanContext): Plan {
  const inner = planQuery(query, { ...context, nestedPath: null, innerHits: [] });
  return filteredPlan(inner, relationPlan(relations, relation));
}
