import type { JsonObject } from '@shoal/json';
import type { BucketResult, ModelChange, PartitionSizes } from '@shoal/learning';
import type { JobConfig } from '../jobs/job-config.js';
import { partitionFields } from './category-lines.js';
import { bulkLines, type ResultDocument } from './result-lines.js';
import { spanText } from './span-text.js';
import { valueId } from './value-id.js';

/** Who writes annotations that no user wrote, as in 8.12. */
export const SYSTEM_USER = '_xpack';

/** What an annotation is about. */
export type AnnotationEvent =
  | 'categorization_status_change'
  | 'delayed_data'
  | 'model_change'
  | 'model_snapshot_stored';

/** An annotation of a job: a text beside a stretch of time, in milliseconds. */
export interface JobAnnotation {
  readonly jobId: string;
  readonly text: string;
  readonly event: AnnotationEvent;
  readonly startMs: number;
  readonly endMs: number;
  /** When it is written. */
  readonly nowMs: number;
}

/** Returns an annotation as 8.12 writes it. */
export function annotationSource({ jobId, text, event, startMs, endMs, nowMs }: JobAnnotation): JsonObject {
  return {
    ...{ annotation: text, create_time: nowMs, create_username: SYSTEM_USER, timestamp: startMs, end_timestamp: endMs },
    ...{ job_id: jobId, modified_time: nowMs, modified_username: SYSTEM_USER, type: 'annotation', event },
  };
}

/** Annotations of what buckets have changed in the models. Their ids depend on job, bucket and series alone. */
export function changeAnnotations(config: JobConfig, results: readonly BucketResult[]): string {
  const documents = results.flatMap((result) => result.changes.map((change) => changeDocument(config, result, change)));
  return bulkLines(documents);
}

/** Annotations of partitions whose lines fall into categories well or badly from now on. */
export function statusAnnotations(config: JobConfig, all: readonly PartitionSizes[], timeMs: number): string {
  const turned = all.filter(({ hasTurned }) => hasTurned);
  return bulkLines(turned.map(({ partition, sizes }) => statusDocument(config, partition, sizes.status, timeMs)));
}

function statusDocument(config: JobConfig, partition: string | null, status: string, timeMs: number): ResultDocument {
  const whose = partition === null ? '' : ` for '${config.categorization!.partition!}' '${partition}'`;
  const text = `Categorization status changed to '${status}'${whose}`;
  const about = { jobId: config.id, text, event: 'categorization_status_change' as const, startMs: timeMs };
  const source = {
    ...annotationSource({ ...about, endMs: timeMs, nowMs: timeMs }),
    ...partitionFields(config, partition),
  };
  return { id: `${config.id}_categorization_status_change_${timeMs}_${valueId([partition])}`, source };
}

function changeDocument(config: JobConfig, { time }: BucketResult, change: ModelChange): ResultDocument {
  const { spec } = config.detectors[change.detector]!;
  const { by, over, partition } = change.splits;
  const named = (name: string, field: string | null, value: string | null): JsonObject =>
    field === null ? {} : { [`${name}_field_name`]: field, [`${name}_field_value`]: value ?? '' };
  const [startMs, endMs] = [time * 1000, (time + config.spanS) * 1000];
  const about = { jobId: config.id, text: changeText(change), event: 'model_change', startMs, endMs } as const;
  const source = {
    // The time of the data, not of the clock: a bucket that is judged again writes the same bytes.
    ...annotationSource({ ...about, nowMs: endMs }),
    detector_index: change.detector,
    ...named('partition', spec.partition, partition),
    ...named('by', spec.by, by),
    ...named('over', spec.over, over),
  };
  const id = `${config.id}_model_change_${startMs}_${change.detector}_${valueId([by, over, partition])}`;
  return { id, source };
}

function changeText({ kind, amount }: ModelChange): string {
  if (kind === 'season') return `Detected periodicity with period ${spanText(amount)}`;
  if (kind === 'noSeason') return 'Periodicity is no longer used: forecasts without it err less';
  return `Detected level shift of ${Number(amount.toPrecision(4))}`;
}
