import type { JsonObject } from '@shoal/json';
import type { JobModel } from '@shoal/learning';
import type { JobConfig } from './job-config.js';

/** Matches from which a category counts as frequent, as a share of all lines. */
const FREQUENT_SHARE = 0.01;

/** Returns the size of a model as 8.12 shows it: bytes are counted, not estimated. */
export function modelSizeStats(config: JobConfig, model: JobModel): JsonObject {
  const { by, over, partition } = model.fieldCounts;
  const { categories, bytes } = model;
  const lines = categories.reduce((sum, { matches }) => sum + matches, 0);
  const count = (test: (matches: number) => boolean): number => categories.filter((one) => test(one.matches)).length;
  const time = Number.isNaN(model.latest.bucket) ? {} : { timestamp: model.latest.bucket * 1000 };
  return {
    job_id: config.id,
    result_type: 'model_size_stats',
    model_bytes: bytes,
    peak_model_bytes: model.peakBytes,
    model_bytes_exceeded: Math.max(0, bytes - config.memoryLimitBytes),
    model_bytes_memory_limit: config.memoryLimitBytes,
    total_by_field_count: by,
    total_over_field_count: over,
    total_partition_field_count: partition,
    bucket_allocation_failures_count: model.refused,
    memory_status: model.memoryStatus,
    assignment_memory_basis: 'current_model_bytes',
    categorized_doc_count: lines,
    total_category_count: categories.length,
    frequent_category_count: count((matches) => matches > FREQUENT_SHARE * lines),
    rare_category_count: count((matches) => matches === 1),
    dead_category_count: 0,
    failed_category_count: model.failedCategories,
    categorization_status: 'ok',
    ...time,
  };
}
