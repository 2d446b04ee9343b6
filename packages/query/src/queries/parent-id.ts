import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { boolean, readOptions, text } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { filteredPlan, relationPlan, relationsOf } from './joining.js';

/** Children of one parent. */
export const parentId: QueryType = { name: 'parent_id', parse: (body) => parse(body as JsonObject) };

interface ParentId {
  readonly type: 'parent_id';
  readonly relation: string;
  readonly id: string;
  readonly ignoreUnmapped: boolean;
}

function parse(body: JsonObject): ParsedQuery {
  const options = readOptions('parent_id', body, { type: text, id: text, ignore_unmapped: boolean });
  if (options.type === undefined) throw errors.illegalArgument("[parent_id] requires 'type' field");
  if (options.id === undefined) throw errors.illegalArgument("[parent_id] requires 'id' field");
  const given: ParentId = {
    type: 'parent_id',
    relation: options.type,
    id: options.id,
    ignoreUnmapped: options.ignore_unmapped ?? false,
  };
  const { boost, queryName } = options;
  return { type: 'parent_id', boost, queryName, plan: (context) => planOf(given, context) };
}

function planOf(given: ParentId, context: PlanContext): Plan {
  const { relation, id } = given;
  const relations = relationsOf(given, context, (known) => {
    if (known === null) return `no join field found for index [${context.searcher.index}]`;
    return known.parentOf.has(relation) ? null : `no relation found for child [${relation}]`;
  });
  if ('kind' in relations) return relations;
  const field = relations.idField(relations.parentOf.get(relation)!);
  return filteredPlan({ kind: 'term', field, term: id, boost: 1 }, relationPlan(relations, relation));
}
