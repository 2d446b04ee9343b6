import { parseSearchBody } from '@shoal/aggregations';
import type { ParseContext } from '@shoal/query';
import { stringify } from '@shoal/json';
import type { JsonObject } from '@shoal/json';
import type { CoordinatorContext } from '../../context.js';
import { encodeUtf8 } from '../../json-bytes.js';
import type { RunningSearch } from '../running-search.js';
import type { GatheredAnswers } from './gathered-answers.js';
import type { QueryPhaseRequest, QueryPhaseResult } from './phase-request.js';
import { runQueryPhase } from './query-phase.js';

/** Phase of a search in its errors. */
export type SearchPhaseName = 'dfs' | 'dfs_query' | 'query' | 'fetch';

/** The dfs phase of a search. */
interface DfsPhase {
  /** Whether the search has one: it scores by the statistics of all shards. */
  readonly isGlobal: boolean;
  /** Whether all shards have refused the query in it. */
  readonly isRefused: boolean;
}

/**
 * The phase that a search with failures fails in. With statistics of all shards, or the nearest vectors of all, 8.12
 * reads queries, sorts and the like in the phase that gathers those, aggregations and hits of vectors in the one after
 * it, highlighters when it fetches. Shards read them at once here: if they refuse the search, they are asked again
 * without what is read later.
 */
export async function failedPhase(
  context: CoordinatorContext,
  { plan }: Pick<RunningSearch, 'plan'>,
  phase: QueryPhaseRequest,
  { isGlobal, isRefused }: DfsPhase,
  { answers, failures }: QueryPhaseResult,
  parsing: () => ParseContext,
  gathered: GatheredAnswers,
): Promise<SearchPhaseName> {
  if (!isGlobal && plan.knn.length === 0) return 'query';
  const isOfAll = answers.every((answer) => answer === null);
  if (isRefused || !isOfAll || failures.some(({ error }) => error.status >= 500)) return 'dfs';
  const { aggs: _, aggregations: __, highlight, ...rest } = plan.json;
  const isLater = plan.aggregations !== null || plan.knn.some(({ json }) => json['inner_hits'] !== undefined);
  if (!isLater && highlight === undefined) return 'dfs';
  const json = plan.knn.length === 0 ? rest : { ...rest, knn: plan.knn.map(withoutInnerHits) };
  const search = parseSearchBody(json, parsing());
  const asked = { ...phase, body: encodeUtf8(stringify(json)), search, fetch: false, keepContext: false };
  const again = await runQueryPhase(context, asked, gathered);
  if (again.answers.every((answer) => answer === null)) return 'dfs';
  return isLater ? 'dfs_query' : 'fetch';
}

function withoutInnerHits({ json }: RunningSearch['plan']['knn'][number]): JsonObject {
  const { inner_hits: _, ...knn } = json;
  return knn;
}
