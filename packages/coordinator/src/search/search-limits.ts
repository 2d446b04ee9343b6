import { type IndexMetadata, indexSetting } from '@shoal/state';
import { type ApiError, errors } from '@shoal/errors';
import type { CoordinatorContext } from '../context.js';
import type { SearchFailure } from './search-failure.js';
import type { SearchPlan } from './parse/search-plan.js';
import type { SearchRequest } from './parse/search-request.js';
import type { TargetShard } from './targets/search-targets.js';

function limit(index: IndexMetadata, name: string, fallback: number): number {
  const value = indexSetting(index.settings, name);
  return typeof value === 'string' ? Number(value) : fallback;
}

function checkWindow(request: SearchRequest, plan: SearchPlan, max: number): ApiError | null {
  if (request.scrollMs !== null) {
    if (plan.size <= max) return null;
    return errors.illegalArgument(
      `Batch size is too large, size must be less than or equal to: [${max}] but was [${plan.size}]. Scroll batch ` +
        'sizes cost as much memory as result windows so they are controlled by the [index.max_result_window] index ' +
        'level setting.',
    );
  }
  // A search that ranks asks each of its queries for a whole window.
  const window = Math.max(plan.from + plan.size, plan.rank?.windowSize ?? 0);
  if (window <= max) return null;
  return errors.illegalArgument(
    `Result window is too large, from + size must be less than or equal to: [${max}] but was [${window}]. See the ` +
      'scroll api for a more efficient way to request large data sets. This limit can be set by changing the ' +
      '[index.max_result_window] index level setting.',
  );
}

function checkSearchAfter(request: SearchRequest, plan: SearchPlan): ApiError | null {
  if (plan.searchAfter === null) return null;
  if (request.scrollMs !== null) return errors.search('`search_after` cannot be used in a scroll context.');
  if (plan.from > 0) return errors.search('`from` parameter must be set to 0 when `search_after` is used.');
  return null;
}

function checkSlices(plan: SearchPlan, max: number): ApiError | null {
  if (!plan.slice || plan.slice.max <= max) return null;
  return errors.illegalArgument(
    `The number of slices [${plan.slice.max}] is too large. It must be less than [${max}]. This limit can be set ` +
      'by changing the [index.max_slices_per_scroll] index level setting.',
  );
}

function checkScriptFields(plan: SearchPlan, max: number): ApiError | null {
  if (plan.scriptFields.length <= max) return null;
  return errors.illegalArgument(
    `Trying to retrieve too many script_fields. Must be less than or equal to: [${max}] but was ` +
      `[${plan.scriptFields.length}]. This limit can be set by changing the [index.max_script_fields] index level ` +
      'setting.',
  );
}

function refusal(request: SearchRequest, plan: SearchPlan, index: IndexMetadata): ApiError | null {
  return (
    checkWindow(request, plan, limit(index, 'index.max_result_window', 10_000)) ??
    checkSearchAfter(request, plan) ??
    checkSlices(plan, limit(index, 'index.max_slices_per_scroll', 1024)) ??
    checkScriptFields(plan, limit(index, 'index.max_script_fields', 32))
  );
}

/** Whether a search uses nothing that index settings limit. Most searches do, and skip the checks. */
function isModest(request: SearchRequest, plan: SearchPlan): boolean {
  return (
    request.scrollMs === null &&
    plan.from + plan.size <= 10 &&
    plan.searchAfter === null &&
    !plan.slice &&
    plan.scriptFields.length === 0 &&
    plan.rank === null
  );
}

/** Returns the failures of shards whose index settings refuse the search, as the shards would answer. */
export function refusals(
  context: CoordinatorContext,
  request: SearchRequest,
  plan: SearchPlan,
  targets: readonly TargetShard[],
): SearchFailure[] {
  if (isModest(request, plan)) return [];
  const { indices } = context.cluster.state();
  return targets.flatMap((target) => {
    const index = indices.get(target.indexUuid);
    const error = index ? refusal(request, plan, index) : null;
    return error ? [{ shard: target.shard, index: target.indexName, nodeId: target.nodeIds[0] ?? null, error }] : [];
  });
}
