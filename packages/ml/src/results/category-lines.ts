import type { JsonObject } from '@shoal/json';
import { categoryGrok, categoryRegex, type PartitionCategory, type PartitionSizes } from '@shoal/learning';
import type { JobConfig } from '../jobs/job-config.js';
import { categorySizesJson } from '../jobs/model-size.js';
import type { ResultDocument } from './result-lines.js';
import { valueId } from './value-id.js';

/** Members that name the partition of a result; none without partitions. */
export const partitionFields = ({ categorization }: JobConfig, value: string | null): JsonObject =>
  value === null ? {} : { partition_field_name: categorization!.partition, partition_field_value: value };

/** Returns the document of a category. */
export function categoryDocument(config: JobConfig, { partition, category }: PartitionCategory): ResultDocument {
  const source = {
    // As 8.12 does, so that a search by the field that parts lines finds its categories too.
    ...(partition === null ? {} : { [config.categorization!.partition!]: partition }),
    job_id: config.id,
    category_id: category.id,
    ...partitionFields(config, partition),
    terms: category.tokens.join(' '),
    regex: categoryRegex(category),
    max_matching_length: Math.ceil(category.maxLength * 1.1),
    examples: [...category.examples].sort(),
    grok_pattern: categoryGrok(category),
    num_matches: category.matches,
    result_type: 'category_definition',
    mlcategory: String(category.id),
  };
  return { id: `${config.id}_category_definition_${category.id}`, source };
}

/** Returns how the lines of a partition fall into categories; the newest document of a partition is kept. */
export function categorizerStats(
  config: JobConfig,
  { partition, sizes }: PartitionSizes,
  timeMs: number,
): ResultDocument {
  const source = {
    ...{ job_id: config.id, result_type: 'categorizer_stats' },
    ...partitionFields(config, partition),
    ...categorySizesJson(sizes),
    ...{ log_time: timeMs, timestamp: timeMs },
  };
  return { id: `${config.id}_categorizer_stats_${valueId([partition])}`, source };
}
