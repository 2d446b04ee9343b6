import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import type { JoinRelations } from '@shoal/mapping';
import { parseInnerHits } from '../fetch/parse-inner-hits.js';
import { boolean, readOptions, text } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { constantPlan } from '../plan-query.js';
import { addInnerHits, type JoinGiven, ownPlan, relationsOf } from './joining.js';

/** Children of parents that match a query. */
export const hasParent: QueryType = {
  name: 'has_parent',
  parse: (body, _container, context) => parse(body as JsonObject, context),
};

interface HasParent extends JoinGiven {
  readonly isScored: boolean;
}

function parse(body: JsonObject, context: QueryContext): ParsedQuery {
  const options = readOptions('has_parent', body, {
    parent_type: text,
    query: (value) => context.parseQuery(value),
    score: boolean,
    ignore_unmapped: boolean,
    inner_hits: (value) => {
      context.onInnerHits?.();
      return parseInnerHits(value, body, context.innerHits);
    },
  });
  if (options.parent_type === undefined) throw errors.illegalArgument("[has_parent] requires 'parent_type' field");
  if (options.query === undefined) throw errors.illegalArgument("[has_parent] requires 'query' field");
  const given: HasParent = {
    type: 'has_parent',
    relation: options.parent_type,
    query: options.query,
    isScored: options.score ?? false,
    ignoreUnmapped: options.ignore_unmapped ?? false,
    innerHits: options.inner_hits ?? null,
  };
  const { boost, queryName } = options;
  return { type: 'has_parent', boost, queryName, plan: (planContext) => planOf(given, planContext) };
}

function planOf(given: HasParent, context: PlanContext): Plan {
  const { relation } = given;
  const relations = relationsOf(given, context, (known) => {
    if (known === null) return 'no join field has been configured';
    return known.childrenOf.has(relation) ? null : `join field [${known.field}] doesn't hold [${relation}] as a parent`;
  });
  if ('kind' in relations) return relations;
  const field = relations.idField(relation);
  const plan = ownPlan(given, relations, context);
  const { innerHits, query } = given;
  if (innerHits !== null) {
    const name = typeof innerHits['name'] === 'string' ? innerHits['name'] : relation;
    const joined = { field, relationField: relations.field, relation, of: 'parent' } as const;
    addInnerHits({ name, path: null, query, body: innerHits, joined }, context);
  }
  return {
    kind: 'join',
    field,
    plan,
    targets: childrenPlan(relations, relation),
    scoreMode: given.isScored ? 'max' : 'none',
    minMatches: 1,
    maxMatches: null,
    boost: 1,
  };
}

/** Documents of all relations of children of a parent. */
function childrenPlan(relations: JoinRelations, parent: string): Plan {
  const terms = relations.childrenOf.get(parent)!;
  return constantPlan({ kind: 'terms', field: relations.field, terms, boost: 1 });
}
