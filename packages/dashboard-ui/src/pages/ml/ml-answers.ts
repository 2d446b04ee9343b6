import { prettyJson, rawAt, rawElements } from '@shoal/values';
import type { ScoredResult } from './swim-lanes.js';

/** A detector of a job. */
export interface Detector {
  readonly function: string;
  readonly field_name?: string;
  readonly by_field_name?: string;
  readonly over_field_name?: string;
  readonly partition_field_name?: string;
  readonly detector_description?: string;
}

/** A job as pages work with it. */
export interface Job {
  readonly id: string;
  readonly spanMs: number;
  readonly detectors: readonly Detector[];
  readonly influencers: readonly string[];
  readonly timeField: string;
  /** Its definition for people, out of the text of the answer. */
  readonly textOf: (answer: string) => string;
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a bucket span such as `15m`; 5 minutes, the default of the cluster, for one that is none. */
export function spanMsOf(text: string | undefined): number {
  const [, amount, unit] = /^(\d+)([smhd])$/.exec(text ?? '') ?? [];
  return amount === undefined ? 300_000 : Math.max(1, Number(amount)) * UNITS[unit!]!;
}

/** The first job of an answer; null if there is none. */
export function readJob(answer: unknown): Job | null {
  const { jobs = [] } = (answer ?? {}) as {
    readonly jobs?: readonly {
      readonly job_id: string;
      readonly analysis_config?: {
        readonly bucket_span?: string;
        readonly detectors?: readonly Detector[];
        readonly influencers?: readonly string[];
      };
      readonly data_description?: { readonly time_field?: string };
    }[];
  };
  const [job] = jobs;
  if (job === undefined) return null;
  const { bucket_span: span, detectors = [], influencers = [] } = job.analysis_config ?? {};
  return {
    id: job.job_id,
    spanMs: spanMsOf(span),
    detectors,
    influencers,
    timeField: job.data_description?.time_field ?? 'time',
    textOf: (text) => prettyJson(rawElements(rawAt(text, ['jobs']) ?? '[]')[0] ?? '{}'),
  };
}

/** What a detector looks at: `mean(size) by host`. */
export function detectorName(detector: Detector): string {
  if (detector.detector_description !== undefined) return detector.detector_description;
  const splits = [
    [' by ', detector.by_field_name],
    [' over ', detector.over_field_name],
    [' for each ', detector.partition_field_name],
  ]
    .map(([word, field]) => (field === undefined ? '' : `${word}${field}`))
    .join('');
  return `${detector.function}${detector.field_name === undefined ? '' : `(${detector.field_name})`}${splits}`;
}

/** A record of an anomaly. */
export interface AnomalyRecord {
  readonly timestamp: number;
  readonly record_score: number;
  readonly detector_index: number;
  readonly function: string;
  readonly field_name?: string;
  readonly by_field_name?: string;
  readonly by_field_value?: string;
  readonly over_field_name?: string;
  readonly over_field_value?: string;
  readonly partition_field_name?: string;
  readonly partition_field_value?: string;
  readonly actual?: readonly number[];
  readonly typical?: readonly number[];
  readonly causes?: readonly { readonly actual?: readonly number[]; readonly typical?: readonly number[] }[];
  readonly influencers?: readonly {
    readonly influencer_field_name: string;
    readonly influencer_field_values: readonly string[];
  }[];
}

/** Which values of its fields a record is of: `host: a, service: b`. */
export function recordSplits(record: AnomalyRecord): string {
  return [
    [record.partition_field_name, record.partition_field_value],
    [record.by_field_name, record.by_field_value],
    [record.over_field_name, record.over_field_value],
  ]
    .flatMap(([name, value]) => (name === undefined ? [] : [`${name}: ${value ?? ''}`]))
    .join(', ');
}

/** Records of an answer. */
export const readRecords = (answer: unknown): readonly AnomalyRecord[] =>
  ((answer ?? {}) as { readonly records?: readonly AnomalyRecord[] }).records ?? [];

/** Buckets of a job and its influencers as results for lanes. */
export function readScores(buckets: unknown, influencers: unknown): readonly ScoredResult[] {
  const { buckets: found = [] } = (buckets ?? {}) as {
    readonly buckets?: readonly { readonly timestamp: number; readonly anomaly_score: number }[];
  };
  const { influencers: named = [] } = (influencers ?? {}) as {
    readonly influencers?: readonly {
      readonly timestamp: number;
      readonly influencer_score: number;
      readonly influencer_field_name: string;
      readonly influencer_field_value: string;
    }[];
  };
  return [
    ...found.map(({ timestamp, anomaly_score: score }) => ({ at: timestamp, score, name: null })),
    ...named.map((one) => ({
      at: one.timestamp,
      score: one.influencer_score,
      name: `${one.influencer_field_name}: ${one.influencer_field_value}`,
    })),
  ];
}
