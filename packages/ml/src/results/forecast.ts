import type { JsonObject } from '@shoal/json';
import { type JobModel, SeriesJudge } from '@shoal/learning';
import type { JobConfig } from '../jobs/job-config.js';
import { modelFeature } from './model-feature.js';
import type { ResultDocument } from './result-lines.js';
import { valueId } from './value-id.js';

/** A forecast that was asked for; times in milliseconds. */
export interface ForecastRequest {
  readonly forecastId: string;
  readonly durationMs: number;
  readonly expiresMs: number;
  readonly nowMs: number;
}

/** Buckets, series and documents of a forecast at most. */
const BUCKETS_MAX = 10_000;
const SERIES_MAX = 10_000;
const DOCUMENTS_MAX = 200_000;

/** Makes the forecast of all series of a job from what they have learnt: level, trend, season, bounds that widen. */
export function forecastDocuments(
  config: JobConfig,
  model: JobModel,
  request: ForecastRequest,
): { readonly documents: ResultDocument[]; readonly series: number; readonly startMs: number; readonly endMs: number } {
  const start = model.finalizedEnd;
  const buckets = Math.min(BUCKETS_MAX, Math.max(1, Math.ceil(request.durationMs / 1000 / config.spanS)));
  const documents: ResultDocument[] = [];
  let series = 0;
  model.detectors.forEach((detector, index) => {
    if (!(detector.judge instanceof SeriesJudge) || Number.isNaN(start)) return;
    for (const one of detector.all()) {
      if (series >= SERIES_MAX || documents.length + buckets > DOCUMENTS_MAX) return;
      const made = seriesForecast(config, index, detector.splitsOf(one), detector.judge, one, {
        request,
        start,
        buckets,
      });
      if (made.length > 0) series++;
      documents.push(...made);
    }
  });
  const startMs = Number.isNaN(start) ? request.nowMs : start * 1000;
  return { documents, series, startMs, endMs: startMs + buckets * config.spanS * 1000 };
}

interface ForecastSpan {
  readonly request: ForecastRequest;
  readonly start: number;
  readonly buckets: number;
}

function seriesForecast(
  config: JobConfig,
  index: number,
  splits: { readonly partition: string | null; readonly by: string | null },
  judge: SeriesJudge,
  series: number,
  { request, start, buckets }: ForecastSpan,
): ResultDocument[] {
  const { spec } = config.detectors[index]!;
  const made: ResultDocument[] = [];
  for (let i = 0; i < buckets; i++) {
    const time = start + i * config.spanS;
    const outlook = judge.forecast(series, time, i + 1);
    if (outlook === null) return [];
    const source: JsonObject = {
      ...{ job_id: config.id, forecast_id: request.forecastId, result_type: 'model_forecast' },
      ...{ bucket_span: config.spanS, detector_index: index, timestamp: time * 1000 },
      model_feature: modelFeature(spec.function),
      forecast_lower: outlook.lower,
      forecast_upper: outlook.upper,
      forecast_prediction: outlook.value,
      ...(spec.partition === null
        ? {}
        : { partition_field_name: spec.partition, partition_field_value: splits.partition }),
      ...(spec.by === null ? {} : { by_field_name: spec.by, by_field_value: splits.by }),
    };
    const values = valueId([splits.by, splits.partition]);
    const id = `${config.id}_model_forecast_${request.forecastId}_${time * 1000}_${config.spanS}_${index}_${values}`;
    made.push({ id, source });
  }
  return made;
}
