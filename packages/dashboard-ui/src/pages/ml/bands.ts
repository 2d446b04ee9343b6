import type { Detector, Job } from './ml-answers.js';

/** What a model expects at a time, with its bounds. */
export interface BandPoint {
  readonly at: number;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/** A kind of results of a job that have bounds. */
export type BandKind = 'model_plot' | 'model_forecast';

const MEMBERS: Readonly<Record<BandKind, readonly [value: string, lower: string, upper: string]>> = {
  model_plot: ['model_median', 'model_lower', 'model_upper'],
  model_forecast: ['forecast_prediction', 'forecast_lower', 'forecast_upper'],
};

/** Results that are read at most: the newest of a plot, the first of a forecast. */
const RESULTS_MAX = 10_000;

/** Functions whose value of a longer time is the sum of those of its parts. */
const SUMS = new Set(['count', 'sum']);

/** Alias of the results of a job. */
const resultsOf = (job: string): string => `/${encodeURIComponent(`.ml-anomalies-${job}`)}`;

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** Search path of results in the order of their sort, for terms that all hold. */
export function resultsPath(job: string, terms: Readonly<Record<string, string>>, sort: string, size: number): string {
  const text = Object.entries(terms)
    .map(([name, value]) => `${name}:${quoted(value)}`)
    .join(' AND ');
  const query = new URLSearchParams({ q: text, size: String(size), sort, ignore_unavailable: 'true' });
  return `${resultsOf(job)}/_search?${query}`;
}

/** Which series of a job is meant. */
export interface SeriesName {
  readonly detectorIndex: number;
  readonly detector: Detector;
  /** Value of the field that the detector is split by; empty without. */
  readonly value: string;
}

/** Field whose values a detector looks at one by one; null if there is none. */
export const splitOf = ({ partition_field_name: partition, by_field_name: by }: Detector): string | null =>
  partition ?? by ?? null;

/** Search path of the bounds of one series. `forecast`: id of the forecast, null for the plot of what was learnt. */
export function bandsPath(job: Job, { detectorIndex, detector, value }: SeriesName, forecast: string | null): string {
  const split = detector.partition_field_name === undefined ? 'by_field_value' : 'partition_field_value';
  const terms = {
    result_type: forecast === null ? 'model_plot' : 'model_forecast',
    detector_index: String(detectorIndex),
    ...(forecast === null ? {} : { forecast_id: forecast }),
    ...(splitOf(detector) === null ? {} : { [split]: value }),
  };
  return resultsPath(job.id, terms, forecast === null ? 'timestamp:desc' : 'timestamp:asc', RESULTS_MAX);
}

/** Bounds out of an answer to `bandsPath`, joined to steps that begin at multiples of `stepMs`, oldest first. */
export function readBands(answer: unknown, kind: BandKind, stepMs: number, measure: string): readonly BandPoint[] {
  const { hits } = (answer ?? {}) as {
    readonly hits?: { readonly hits: readonly { readonly _source: Readonly<Record<string, number>> }[] };
  };
  const [value, lower, upper] = MEMBERS[kind];
  const steps = new Map<number, Readonly<Record<string, number>>[]>();
  for (const { _source: source } of hits?.hits ?? []) {
    const at = Math.floor(source['timestamp']! / stepMs) * stepMs;
    const step = steps.get(at);
    if (step === undefined) steps.set(at, [source]);
    else step.push(source);
  }
  const join = (step: readonly Readonly<Record<string, number>>[], name: string): number => {
    const sum = step.reduce((all, source) => all + (source[name] ?? 0), 0);
    return SUMS.has(measure) ? sum : sum / step.length;
  };
  return [...steps]
    .map(([at, step]) => ({ at, value: join(step, value), lower: join(step, lower), upper: join(step, upper) }))
    .toSorted((a, b) => a.at - b.at);
}
