import { errors } from '@shoal/errors';
import type { ParseSite, PipelineBehaviour, PipelineType } from '../aggregation-type.js';
import type { ReducedSubs } from '../reduce/reduced.js';
import type { AggregationPath } from '../reduce/paths.js';
import type { Reduced, ReducedBucket } from '../reduce/reduced.js';
import { decimalFormat } from '../source/decimal-format.js';
import { gapValue, type GapPolicy, type PipelineBody, pipelineBody } from './pipeline-request.js';

/** A value and the key of its bucket. */
export interface BucketValue {
  readonly key: string;
  readonly value: number;
}

/** The values that a sibling pipeline reads, and the format of its results. */
export interface SiblingInput {
  readonly values: readonly BucketValue[];
  /** Text of a number for `value_as_string`; null if the answer shows none. */
  readonly shown: (value: number) => string | null;
}

interface Source {
  readonly buckets: readonly ReducedBucket[];
  readonly rest: AggregationPath;
  readonly format: ((value: number) => string | null) | null;
}

/**
 * Follows a path to the first multi-bucket aggregation. The remaining path is read from each of its buckets. Throws
 * aggregation_execution_exception if there is none.
 */
function sourceOf(level: ReducedSubs, path: AggregationPath, name: string): Source {
  let subs = level;
  for (let i = 0; i < path.steps.length; i++) {
    const reduced: Reduced | undefined = subs.get(path.steps[i]!.name);
    if (!reduced) break;
    const { key } = path.steps[i]!;
    const rest: AggregationPath = { ...path, steps: path.steps.slice(i + 1) };
    if (reduced.buckets && key === null)
      return { buckets: reduced.buckets, rest, format: formatAt(reduced.buckets, rest) };
    const below = reduced.buckets ? reduced.buckets.find((bucket) => bucket.keyText === key)?.subs : reduced.subs;
    if (!below) break;
    subs = below;
  }
  throw errors.aggregationExecution(`No multi-bucket aggregation found for path [${path.text}] of [${name}]`, {
    status: 400,
  });
}

function formatAt(buckets: readonly ReducedBucket[], rest: AggregationPath): Source['format'] {
  return buckets[0]?.subs.get(rest.steps[0]?.name ?? '')?.format ?? null;
}

function valuesOf(source: Source, policy: GapPolicy): BucketValue[] {
  const out: BucketValue[] = [];
  for (const bucket of source.buckets) {
    const value = gapValue(bucket, source.rest, policy);
    if (value !== null) out.push({ key: bucket.keyText, value });
  }
  return out;
}

/**
 * Makes a pipeline that computes one result from the buckets of a sibling. `extra` reads the parameters of this
 * pipeline.
 */
export function siblingPipeline<E>(
  name: string,
  extra: (body: PipelineBody, site: ParseSite) => E,
  result: (input: SiblingInput, extra: E) => Reduced,
): PipelineType {
  return {
    name,
    parse(site): PipelineBehaviour {
      const body = pipelineBody(site);
      const path = body.path();
      const policy = body.gapPolicy();
      const format = body.text('format');
      const own = extra(body, site);
      body.end();
      return {
        kind: 'sibling',
        needsHistogram: false,
        paths: [path.text],
        sibling(level, at) {
          const source = sourceOf(level, path, at);
          const print = format === null ? null : decimalFormat(format);
          return result({ values: valuesOf(source, policy), shown: print ?? source.format ?? (() => null) }, own);
        },
      };
    },
  };
}
