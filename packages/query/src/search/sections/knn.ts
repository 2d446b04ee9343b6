import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import { parseInnerHits } from '../../fetch/parse-inner-hits.js';
import {
  cannotBuild,
  checkCandidates,
  checkKnnBoost,
  choosesCandidates,
  knnBoost,
  type KnnOptions,
  knnReaders,
  nearestPlan,
  requireOptions,
  truncated,
} from '../../parse/knn-options.js';
import { type OptionPlace, readOptions, unknownField, unsupportedValue } from '../../parse/options.js';
import { parseField } from '../../parse/parse-field.js';
import { parseQuery, parseStored } from '../../parse/parse-query.js';
import type { ParsedQuery, PlanContext, QueryContext } from '../../parsed-query.js';
import type { Plan } from '../../plan.js';
import { nestedPlanOf } from '../../queries/nested.js';
import { planQuery } from '../../plan-query.js';
import { ARRAY, OBJECT, type SearchContext, type SearchSection } from '../section.js';
import { innerHitsReaders } from '../inner-hits-readers.js';
import { anyOf } from './sub-searches.js';

/** One `knn` of a body. */
export interface Knn extends KnnOptions {
  /** Number of documents over all shards. */
  readonly k: number;
  readonly boost: number;
  readonly innerHits: JsonObject | null;
  /** The clause as it was given, for requests that are derived from it. */
  readonly json: JsonObject;
}

/** `knn`: the documents nearest to a vector over all shards, besides the matches of the query. */
export const knn: SearchSection<readonly Knn[]> = {
  keys: ['knn'],
  tokens: OBJECT | ARRAY,
  absent: [],
  parse(value, { context }) {
    const readers = readersOf(context);
    if (!Array.isArray(value)) return [parseOne(value, readers)];
    // Counted before they are read: each becomes a search of its own.
    if (value.length > CLAUSES_MAX)
      throw errors.illegalArgument(`[knn] has [${value.length}] clauses, more than [${CLAUSES_MAX}]`);
    return value.map((_, i) => parseItem(value, i, readers));
  },
  effects: (clauses) => ({ gathersMore: clauses.length > 0 }),
};

function parseItem(all: readonly unknown[], i: number, readers: ClauseReaders): Knn {
  if (isPlainObject(all[i])) return parseOne(all[i], readers);
  throw errors.xContentParse(
    `malformed knn format, within the knn search array only objects are allowed; found ${tokenOf(all[i])}`,
    { location: { container: all, key: i } },
  );
}

/** Clauses of a body at most. */
const CLAUSES_MAX = 1024;

const REQUIRED = ['field', 'k', 'num_candidates'];

type ClauseReaders = ReturnType<typeof readersOf>;

/** Returns the readers of the options of all clauses of a body. */
function readersOf(context: SearchContext) {
  const queries: QueryContext = { ...context, parseQuery: (inner) => parseQuery(inner, context), parseStored };
  const inner = innerHitsReaders(context);
  return {
    ...knnReaders(queries),
    k: truncated,
    inner_hits: (given: unknown, { type, container, key }: OptionPlace) => {
      if (!isPlainObject(given)) throw unsupportedValue(type, String(key), container as JsonObject);
      context.onInnerHits?.();
      return parseField(type, container, String(key), () => parseInnerHits(given, container, inner));
    },
    boost: knnBoost,
  };
}

function parseOne(value: unknown, readers: ClauseReaders): Knn {
  const body = value as JsonObject;
  if (Object.hasOwn(body, '_name')) throw unknownField('knn', '_name', body, Object.keys(readers));
  const given = readOptions('knn', body, readers, 'declared');
  const isChosen = choosesCandidates(given);
  requireOptions(given, isChosen ? REQUIRED.slice(0, 2) : REQUIRED);
  const { k, query_vector: vector } = given;
  const candidates = given.num_candidates ?? (isChosen ? k! : undefined);
  if (k! < 1) throw cannotBuild('[k] must be greater than 0');
  if (candidates! < k!) throw cannotBuild('[num_candidates] cannot be less than [k]');
  checkCandidates(candidates!);
  if (given.query_vector_builder !== undefined)
    throw errors.illegalArgument(
      '[query_vector_builder] is not supported: no model can run that makes vectors of texts',
    );
  if (vector === undefined) throw cannotBuild('either [query_vector_builder] or [query_vector] must be provided');
  return {
    field: given.field!,
    vector,
    k: k!,
    candidates: candidates!,
    filters: given.filter ?? [],
    similarity: given.similarity ?? null,
    recall: given.recall ?? null,
    exact: given.exact ?? false,
    boost: given.boost ?? 1,
    innerHits: given.inner_hits ?? null,
    json: body,
  };
}

/**
 * Returns the query of a body with `knn` clauses: any of the query and of them has to match, and scores add up. How
 * many documents of a clause are on a shard is known when it is planned.
 */
export function withNearest(query: ParsedQuery | null, clauses: readonly Knn[]): ParsedQuery {
  const nearest = clauses.map(clauseQuery);
  return anyOf(query === null ? nearest : [query, ...nearest]);
}

function clauseQuery(clause: Knn, i: number): ParsedQuery {
  const own: ParsedQuery = {
    type: 'knn',
    boost: clause.boost,
    queryName: null,
    plan: (context) => globalPlan(clause, context.nearestKept?.[i] ?? clause.k, context),
  };
  return {
    type: 'knn',
    boost: 1,
    queryName: null,
    isNone: () => {
      checkKnnBoost(clause, clause.boost);
      return false;
    },
    plan: (context) => clausePlan(clause, own, context),
  };
}

/**
 * Returns the plan of the documents that a shard keeps. With a boost of 0 all candidates score the same, and the first
 * of them are taken, as 8.12 does, which chooses among boosted scores.
 */
function globalPlan(clause: Knn, kept: number, context: PlanContext): Plan {
  if (clause.boost !== 0) return nearestPlan(clause, kept, true, context);
  return nearestPlan(clause, Math.max(clause.k, clause.candidates), true, context, kept);
}

/** Documents around the nested objects of a nested field match, with the score of the best object. */
function clausePlan(clause: Knn, own: ParsedQuery, context: PlanContext): Plan {
  const parent = context.searcher.mapping.nestedParent(clause.field);
  if (parent === null || context.searcher.mapping.field(clause.field) === null) return planQuery(own, context);
  return nestedPlanOf(
    { path: parent.path, query: own, scoreMode: 'max', ignoreUnmapped: false, innerHits: clause.innerHits },
    context,
  );
}
