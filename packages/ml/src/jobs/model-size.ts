import type { JsonObject } from '@shoal/json';
import type { CategorySizes, JobModel } from '@shoal/learning';
import type { JobConfig } from './job-config.js';

const NO_LINES: CategorySizes = { lines: 0, categories: 0, frequent: 0, rare: 0, failed: 0, status: 'ok' };

/** Returns how lines fall into categories, as 8.12 shows it; dead categories do not come up here. */
export const categorySizesJson = ({
  lines,
  categories,
  frequent,
  rare,
  failed,
  status,
}: CategorySizes): JsonObject => ({
  ...{ categorized_doc_count: lines, total_category_count: categories, frequent_category_count: frequent },
  ...{ rare_category_count: rare, dead_category_count: 0, failed_category_count: failed },
  categorization_status: status,
});

/** Returns the size of a model as 8.12 shows it: bytes are counted, not estimated. */
export function modelSizeStats(config: JobConfig, model: JobModel): JsonObject {
  const { by, over, partition } = model.fieldCounts;
  const { bytes } = model;
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
    ...categorySizesJson(model.lines?.total ?? NO_LINES),
    ...time,
  };
}
