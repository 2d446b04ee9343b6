import { errors, isApiError } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import {
  checkCandidates,
  checkKnnBoost,
  choosesCandidates,
  knnBoost,
  type KnnOptions,
  knnReaders,
  nearestPlan,
  requireOptions,
} from '../parse/knn-options.js';
import { readOptions } from '../parse/options.js';
import { parseField } from '../parse/parse-field.js';
import type { ParsedQuery, QueryContext, QueryType } from '../parsed-query.js';

/** The documents of a shard whose vectors are nearest to a vector: as many as it has candidates. */
export const knn: QueryType = {
  name: 'knn',
  parse: (body, _container, context) => parse(body as JsonObject, context),
};

function parse(body: JsonObject, context: QueryContext): ParsedQuery {
  const { query_vector_builder: _, ...common } = knnReaders(context);
  const readers = { ...common, boost: knnBoost };
  const given = readOptions('knn', body, readers, 'declared');
  choosesCandidates(given);
  requireOptions(given, ['field', 'query_vector', 'num_candidates']);
  checkCandidates(given.num_candidates!);
  const options: KnnOptions = {
    field: given.field!,
    vector: given.query_vector!,
    candidates: given.num_candidates!,
    filters: given.filter ?? [],
    similarity: given.similarity ?? null,
    recall: given.recall ?? null,
    exact: given.exact ?? false,
  };
  const { boost = 1 } = given;
  checkBoost(options, boost, body);
  return {
    type: 'knn',
    boost,
    queryName: given.queryName,
    plan: (planContext) => {
      if (options.candidates < 1) throw errors.illegalArgument(`k must be at least 1, got: ${options.candidates}`);
      return nearestPlan(options, options.candidates, false, planContext);
    },
  };
}

/** Options of which 8.12 makes the query: once all of them are there, others are set at once. */
const BUILT_OF = ['field', 'query_vector', 'num_candidates', 'similarity'];

/** Throws for a negative boost: where it stands if the query is made by then, else where 8.12 makes it in the end. */
function checkBoost(options: KnnOptions, boost: number, body: JsonObject): void {
  const keys = Object.keys(body);
  const isBuilt = BUILT_OF.every((key) => keys.includes(key) && keys.indexOf(key) < keys.indexOf('boost'));
  const check = (): void => parseField('knn', body, 'boost', () => checkKnnBoost(options, boost));
  if (isBuilt) return check();
  try {
    check();
  } catch (error) {
    if (!isApiError(error)) throw error;
    throw errors.xContentParse('failed to build [knn] after last required field arrived', {
      cause: error,
      location: { container: body, key: 'boost' },
    });
  }
}
