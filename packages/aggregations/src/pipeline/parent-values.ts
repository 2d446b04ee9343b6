import { decimalFormat } from '@shoal/values';
import type { ParseSite, PipelineBehaviour, PipelineType } from '../aggregation-type.js';
import { numberResult, type Reduced, type ReducedBucket } from '../reduce/reduced.js';
import { ownerOf } from '../reduce/paths.js';
import { gapValue, type PipelineBody, pipelineBody } from './pipeline-request.js';

/** A pipeline that adds one number to each bucket of the histogram that contains it. */
export interface ParentSeries<E> {
  readonly name: string;
  readonly typedName: string;
  /** Whether the parent must be a histogram. */
  readonly needsHistogram: boolean;
  /** Refuses a body before it is read, where its errors are not those of most pipelines. */
  checkBody?(site: ParseSite): void;
  extra(body: PipelineBody): E;
  /** Computes the result of each bucket, undefined for none. `values` has null for buckets without a value. */
  series(
    values: readonly (number | null)[],
    extra: E,
    buckets: readonly ReducedBucket[],
  ): readonly (number | null | undefined)[];
  /** Returns further members of the JSON of a result. */
  members?(value: number, at: number, extra: E, buckets: readonly ReducedBucket[]): Record<string, unknown>;
}

function result(
  typedName: string,
  value: number | null,
  text: string | null,
  members: Record<string, unknown>,
): Reduced {
  const base = numberResult(typedName, value, text);
  return Object.keys(members).length === 0
    ? base
    : { ...base, render: (render) => ({ ...base.render(render), ...members }) };
}

/** Makes a pipeline type of a series. */
export function parentPipeline<E>(type: ParentSeries<E>): PipelineType {
  return {
    name: type.name,
    parse(site): PipelineBehaviour {
      type.checkBody?.(site);
      const body = pipelineBody(site);
      const path = body.path();
      const policy = body.gapPolicy();
      const format = body.text('format');
      const extra = type.extra(body);
      body.end();
      const shown = format === null ? () => null : decimalFormat(format);
      return {
        kind: 'parent',
        needsHistogram: type.needsHistogram,
        paths: [path.text],
        parent(buckets, name, reduced) {
          const owner = ownerOf(name, reduced);
          const series = type.series(
            buckets.map((bucket) => gapValue(bucket, path, policy, owner)),
            extra,
            buckets,
          );
          buckets.forEach((bucket, i) => {
            const value = series[i];
            if (value === undefined) return;
            bucket.subs.set(
              name,
              result(
                type.typedName,
                value,
                value === null ? null : shown(value),
                value === null ? {} : (type.members?.(value, i, extra, buckets) ?? {}),
              ),
            );
          });
          return buckets;
        },
      };
    },
  };
}
