import { errors } from '@shoal/errors';
import { decimalFormat } from '@shoal/values';
import type { ParseSite, PipelineBehaviour, PipelineType } from '../aggregation-type.js';
import type { ReducedSubs } from '../reduce/reduced.js';
import { type AggregationPath, isBucketKey, namesOf, ownerOf, type PathOwner, type PathStep } from '../reduce/paths.js';
import type { Reduced, ReducedBucket } from '../reduce/reduced.js';
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
  readonly owner: PathOwner;
  /** What the path says after the aggregation with the buckets. */
  readonly rest: AggregationPath;
}

/** The results below one step of a path: those of a single bucket, or of the bucket whose key the step gives. */
function below(reduced: Reduced, { name, key }: PathStep): ReducedSubs | undefined {
  if (!reduced.buckets) return reduced.subs;
  if (!isBucketKey(key)) return undefined;
  const bucket = reduced.buckets.find((one) => one.keyText === key.slice(1, -1));
  if (bucket) return bucket.subs;
  throw errors.aggregationExecution(`Cannot find an key [${key}] in [${name}]`, { status: 400 });
}

/**
 * Follows a path to the first multi-bucket aggregation without a key. The remaining path is read from each of its
 * buckets.
 */
function sourceOf(level: ReducedSubs, path: AggregationPath, at: string): Source {
  let subs: ReducedSubs | undefined = level;
  for (let i = 0; subs !== undefined && i < path.steps.length; i++) {
    const step: PathStep = path.steps[i]!;
    const reduced: Reduced | undefined = subs.get(step.name);
    if (!reduced) break;
    subs = i < path.steps.length - 1 ? below(reduced, step) : undefined;
    if (subs !== undefined || !reduced.buckets) continue;
    const steps = path.steps.slice(i + 1);
    const names = path.names.slice(path.steps.slice(0, i).flatMap(namesOf).length + 1);
    const owner = ownerOf(step.name, reduced);
    return { buckets: reduced.buckets, owner, rest: { ...path, steps, names } };
  }
  throw errors.aggregationExecution(`No multi-bucket aggregation found for path [${path.text}] of [${at}]`, {
    status: 400,
  });
}

/** A bucket of a sibling with its value, its place among the buckets, and the aggregation that it is of. */
export interface ValuedBucket {
  readonly bucket: ReducedBucket;
  readonly index: number;
  readonly value: number;
  readonly owner: PathOwner;
}

/** The buckets that the path of a sibling pipeline named `at` leads to; a gap policy may leave out some. */
export function valuedBuckets(
  level: ReducedSubs,
  path: AggregationPath,
  at: string,
  policy: GapPolicy,
): readonly ValuedBucket[] {
  const { buckets, rest, owner } = sourceOf(level, path, at);
  const out: ValuedBucket[] = [];
  for (const [index, bucket] of buckets.entries()) {
    const value = gapValue(bucket, rest, policy, owner);
    if (value !== null) out.push({ bucket, index, value, owner });
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
      const body = pipelineBody(site, true);
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
          const values = valuedBuckets(level, path, at, policy).map(({ bucket, value }) => ({
            key: bucket.keyText,
            value,
          }));
          const print = format === null ? null : decimalFormat(format);
          return result({ values, shown: print ?? (() => null) }, own);
        },
      };
    },
  };
}
