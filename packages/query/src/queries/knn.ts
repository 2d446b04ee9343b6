import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import {
  cannotBuild,
  checkCandidates,
  choosesCandidates,
  knnReaders,
  nearestPlan,
  requireOptions,
} from '../parse/knn-options.js';
import { readOptions } from '../parse/options.js';
import type { ParsedQuery, QueryContext, QueryType } from '../parsed-query.js';

/** The documents of a shard whose vectors are nearest to a vector: as many as it has candidates. */
export const knn: QueryType = {
  name: 'knn',
  parse: (body, _container, context) => parse(body as JsonObject, context),
};

function parse(body: JsonObject, context: QueryContext): ParsedQuery {
  const { query_vector_builder: _, ...readers } = knnReaders(context);
  const given = readOptions('knn', body, readers, 'declared');
  choosesCandidates(given);
  requireOptions(given, ['field', 'query_vector', 'num_candidates']);
  checkCandidates(given.num_candidates!);
  const options = {
    field: given.field!,
    vector: given.query_vector!,
    candidates: given.num_candidates!,
    filters: given.filter ?? [],
    similarity: given.similarity ?? null,
    recall: given.recall ?? null,
    exact: given.exact ?? false,
  };
  if (options.candidates < 0) throw cannotBuild('[num_candidates] must be greater than 0');
  return {
    type: 'knn',
    boost: given.boost,
    queryName: given.queryName,
    plan: (planContext) => {
      if (options.candidates === 0) throw errors.illegalArgument('k must be at least 1, got: 0');
      return nearestPlan(options, options.candidates, false, planContext);
    },
  };
}
