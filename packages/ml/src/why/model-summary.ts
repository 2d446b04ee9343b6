import type { JsonObject } from '@shoal/json';
import { type JobModel, SeriesJudge } from '@shoal/learning';
import { spanText } from '../results/span-text.js';

/** Series whose seasons are looked at. */
const SERIES_MAX = 10_000;

/** Says how many series a job has, what one of them takes, and which periods forecasts follow. */
export function modelSummary(model: JobModel): JsonObject {
  const periods = new Map<string, number>();
  let series = 0;
  for (const detector of model.detectors)
    for (const one of detector.all()) {
      series++;
      if (series > SERIES_MAX || !(detector.judge instanceof SeriesJudge)) continue;
      const period = detector.judge.periodOf(one);
      if (period > 0) periods.set(spanText(period), (periods.get(spanText(period)) ?? 0) + 1);
    }
  const { bytes } = model;
  return {
    ...{ series, model_bytes: bytes, bytes_per_series: series === 0 ? 0 : Math.round(bytes / series) },
    seasons: [...periods].map(([period, count]) => ({ period, series: count })).sort((a, b) => b.series - a.series),
  };
}
