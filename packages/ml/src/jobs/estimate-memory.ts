import { errors } from '@shoal/errors';
import { bodyReader, type JsonObject } from '@shoal/json';
import { parseJob } from './job-config.js';

const MB = 1024 * 1024;
/** Bytes of a job, of a series with day and week, of a member of a population, of a value of an influencer field. */
const JOB_BYTES = MB;
const SERIES_BYTES = 4096;
const MEMBER_BYTES = 150;
const INFLUENCER_BYTES = 64;
const CATEGORIES_BYTES = 2 * MB;

function cardinalities(body: JsonObject | null): Map<string, number> {
  const found = new Map<string, number>();
  for (const [field, count] of Object.entries(body ?? {})) {
    if (!Number.isSafeInteger(count) || (count as number) < 0)
      throw errors.illegalArgument(`[${field}] must be a number of values, was [${String(count)}]`);
    found.set(field, count as number);
  }
  return found;
}

/** Estimates the memory of a job as the sizes of its series say; `overall_cardinality` counts the values of fields. */
export function estimateMemory(body: unknown, nowMs: number): JsonObject {
  const reader = bodyReader('estimate_model_memory', body);
  reader.onlyKeys(['analysis_config', 'overall_cardinality', 'max_bucket_cardinality']);
  const job = { analysis_config: reader.object('analysis_config'), data_description: {} };
  const site = { nowMs, memoryMostBytes: Number.MAX_SAFE_INTEGER, items: () => new Set<string>() };
  const config = parseJob('estimated', job, site);
  const overall = cardinalities(reader.optionalObject('overall_cardinality'));
  const inBucket = cardinalities(reader.optionalObject('max_bucket_cardinality'));
  const valuesOf = (field: string | null): number => (field === null ? 1 : Math.max(1, overall.get(field) ?? 1));
  let bytes = JOB_BYTES + (config.categorization === null ? 0 : CATEGORIES_BYTES);
  for (const { spec } of config.detectors) {
    const groups = valuesOf(spec.partition) * valuesOf(spec.by);
    bytes += groups * (spec.over === null ? SERIES_BYTES : SERIES_BYTES + MEMBER_BYTES * valuesOf(spec.over));
  }
  for (const field of config.influencers) bytes += INFLUENCER_BYTES * (inBucket.get(field) ?? 1);
  return { model_memory_estimate: `${Math.max(1, Math.ceil(bytes / MB))}mb` };
}
