import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { parseInnerHits } from '../fetch/parse-inner-hits.js';
import { boolean, int, readOptions, text } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { addInnerHits, type JoinGiven, ownPlan, relationPlan, relationsOf } from './joining.js';
import { type ScoreMode, scoreMode } from './nested.js';

/** Parents with children that match a query. */
export const hasChild: QueryType = {
  name: 'has_child',
  parse: (body, _container, context) => parse(body as JsonObject, context),
};

interface HasChild extends JoinGiven {
  readonly scoreMode: ScoreMode;
  readonly minChildren: number;
  readonly maxChildren: number | null;
}

function parse(body: JsonObject, context: QueryContext): ParsedQuery {
  const options = readOptions('has_child', body, {
    type: text,
    query: (value) => context.parseQuery(value),
    score_mode: (value, place) => scoreMode(text(value, place)),
    min_children: int,
    max_children: int,
    ignore_unmapped: boolean,
    inner_hits: (value) => {
      context.onInnerHits?.();
      return parseInnerHits(value, body, context.innerHits);
    },
  });
  if (options.type === undefined) throw errors.illegalArgument("[has_child] requires 'type' field");
  if (options.query === undefined) throw errors.illegalArgument("[has_child] requires 'query' field");
  const given: HasChild = {
    type: 'has_child',
    relation: options.type,
    query: options.query,
    scoreMode: options.score_mode ?? 'none',
    ...childrenOf(options.min_children ?? 1, options.max_children ?? INT_MAX),
    ignoreUnmapped: options.ignore_unmapped ?? false,
    innerHits: options.inner_hits ?? null,
  };
  const { boost, queryName } = options;
  return { type: 'has_child', boost, queryName, plan: (planContext) => planOf(given, planContext) };
}

const INT_MAX = 2147483647;

function childrenOf(min: number, max: number): Pick<HasChild, 'minChildren' | 'maxChildren'> {
  if (min <= 0) throw errors.illegalArgument("[has_child] requires positive 'min_children' field");
  if (max <= 0) throw errors.illegalArgument("[has_child] requires positive 'max_children' field");
  if (max < min) throw errors.illegalArgument("[has_child] 'max_children' is less than 'min_children'");
  return { minChildren: min, maxChildren: max === INT_MAX ? null : max };
}

function planOf(given: HasChild, context: PlanContext): Plan {
  const { relation } = given;
  const relations = relationsOf(given, context, (known) => {
    if (known === null) return 'no join field has been configured';
    return known.parentOf.has(relation) ? null : `join field [${known.field}] doesn't hold [${relation}] as a child`;
  });
  if ('kind' in relations) return relations;
  const parent = relations.parentOf.get(relation)!;
  const field = relations.idField(parent);
  const plan = ownPlan(given, relations, context);
  const { innerHits, query } = given;
  if (innerHits !== null) {
    const name = typeof innerHits['name'] === 'string' ? innerHits['name'] : relation;
    const joined = { field, relationField: relations.field, relation, of: 'children' } as const;
    addInnerHits({ name, path: null, query, body: innerHits, joined }, context);
  }
  return {
    kind: 'join',
    field,
    plan,
    targets: relationPlan(relations, parent),
    scoreMode: given.scoreMode,
    minMatches: given.minChildren,
    maxMatches: given.maxChildren,
    boost: 1,
  };
}
