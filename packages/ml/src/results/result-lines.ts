import type { BucketResult, InfluencerResult, PlotPoint, RecordResult } from '@shoal/learning';
import { type JsonObject, stringify } from '@shoal/json';
import type { JobConfig } from '../jobs/job-config.js';
import { explanation, recordWhy } from './explanation.js';
import { modelFeature } from './model-feature.js';
import { valueId } from './value-id.js';

/** A document of results with its id. */
export interface ResultDocument {
  readonly id: string;
  readonly source: JsonObject;
}

/** Returns the documents of a bucket: the bucket itself, its records and influencers. */
export function bucketDocuments(config: JobConfig, result: BucketResult, processingMs: number): ResultDocument[] {
  return [
    bucketDocument(config, result, processingMs),
    ...result.records.map((record) => recordDocument(config, result, record)),
    ...result.influencers.map((influencer) => influencerDocument(config, result, influencer)),
    ...result.plots.map((point) => plotDocument(config, result, point)),
  ];
}

const idOf = ({ id, spanS }: JobConfig, kind: string, time: number): string => `${id}_${kind}_${time * 1000}_${spanS}`;

function bucketDocument(config: JobConfig, result: BucketResult, processingMs: number): ResultDocument {
  const { time, events, score, ranked, probability, isInterim, scheduledEvents } = result;
  const common = { job_id: config.id, timestamp: time * 1000, bucket_span: config.spanS, is_interim: isInterim };
  const own = {
    ...{ job_id: config.id, result_type: 'bucket_influencer', influencer_field_name: 'bucket_time' },
    ...{ initial_anomaly_score: score, anomaly_score: ranked, raw_anomaly_score: result.rarity, probability },
    ...{ timestamp: time * 1000, bucket_span: config.spanS, is_interim: isInterim },
  };
  const source = {
    ...{ ...common, anomaly_score: ranked, initial_anomaly_score: score, event_count: events },
    bucket_influencers: score > 0 ? [own] : [],
    processing_time_ms: processingMs,
    result_type: 'bucket',
    ...(scheduledEvents.length === 0 ? {} : { scheduled_events: scheduledEvents }),
  };
  return { id: idOf(config, 'bucket', time), source };
}

function recordDocument(config: JobConfig, result: BucketResult, record: RecordResult): ResultDocument {
  const detector = config.detectors[record.detector]!;
  const { partition, by, over } = record.splits;
  const isPopulation = detector.spec.over !== null;
  const values = { typical: record.typical, actual: record.actual };
  const { spec } = detector;
  const named = (name: string, field: string | null, value: string | null): JsonObject =>
    field === null ? {} : { [`${name}_field_name`]: field, [`${name}_field_value`]: value ?? '' };
  const isPlace = spec.function.measure === 'latLong';
  const source: JsonObject = {
    ...{ job_id: config.id, result_type: 'record', probability: record.probability },
    ...{ multi_bucket_impact: record.multiBucket, record_score: record.ranked, initial_record_score: record.score },
    ...{ bucket_span: config.spanS, detector_index: record.detector, is_interim: result.isInterim },
    timestamp: result.time * 1000,
    ...named('partition', spec.partition, partition),
    ...(isPopulation ? {} : named('by', spec.by, by)),
    ...{ function: detector.functionName, function_description: spec.function.description },
    ...(isPopulation ? {} : values),
    ...(spec.field === null ? {} : { field_name: spec.field }),
    ...named('over', spec.over, over),
    ...(isPopulation ? { causes: [cause(detector.functionName, record, spec)] } : {}),
    influencers: record.influencers.map(({ field, values: found }) => ({
      influencer_field_name: field,
      influencer_field_values: found,
    })),
    ...(isPlace
      ? { geo_results: { typical_point: placeText(record.typical), actual_point: placeText(record.actual) } }
      : {}),
    anomaly_score_explanation: explanation(record, result.isInterim),
    shoal: { why: recordWhy(detector.functionName, record) },
  };
  const splits = valueId([by, over, partition]);
  return { id: `${idOf(config, 'record', result.time)}_${record.detector}_${splits}`, source };
}

const placeText = (place: readonly number[]): string => place.join(',');

function cause(functionName: string, record: RecordResult, spec: JobConfig['detectors'][number]['spec']): JsonObject {
  const { partition, by, over } = record.splits;
  return {
    probability: record.probability,
    ...(spec.partition === null ? {} : { partition_field_name: spec.partition, partition_field_value: partition }),
    ...(spec.by === null ? {} : { by_field_name: spec.by, by_field_value: by }),
    ...{ function: functionName, function_description: spec.function.description },
    ...{ typical: record.typical, actual: record.actual },
    ...(spec.field === null ? {} : { field_name: spec.field }),
    ...{ over_field_name: spec.over, over_field_value: over },
  };
}

function influencerDocument(config: JobConfig, result: BucketResult, influencer: InfluencerResult): ResultDocument {
  const { field, value, score, ranked, probability } = influencer;
  const source = {
    ...{ job_id: config.id, result_type: 'influencer', influencer_field_name: field, influencer_field_value: value },
    ...{ influencer_score: ranked, initial_influencer_score: score, probability, bucket_span: config.spanS },
    ...{ is_interim: result.isInterim, timestamp: result.time * 1000, [field]: [value] },
  };
  return { id: `${idOf(config, 'influencer', result.time)}_${field}_${valueId([value])}`, source };
}

function plotDocument(config: JobConfig, { time }: BucketResult, point: PlotPoint): ResultDocument {
  const { spec } = config.detectors[point.detector]!;
  const { partition, by } = point.splits;
  const source = {
    ...{ job_id: config.id, result_type: 'model_plot', bucket_span: config.spanS, detector_index: point.detector },
    timestamp: time * 1000,
    ...(spec.partition === null
      ? {}
      : { partition_field_name: spec.partition, partition_field_value: partition ?? '' }),
    ...(spec.by === null ? {} : { by_field_name: spec.by, by_field_value: by ?? '' }),
    model_feature: modelFeature(spec.function),
    ...{ model_lower: point.lower, model_upper: point.upper, model_median: point.median },
    ...(point.actual === null ? {} : { actual: point.actual }),
  };
  return { id: `${idOf(config, 'model_plot', time)}_${point.detector}_${valueId([by, null, partition])}`, source };
}

/** Renders documents as lines of `_bulk`. */
export function bulkLines(documents: readonly ResultDocument[]): string {
  return documents.map(({ id, source }) => `${stringify({ index: { _id: id } })}\n${stringify(source)}\n`).join('');
}
