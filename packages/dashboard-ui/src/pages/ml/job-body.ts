/** A job as its form has it. */
export interface JobForm {
  readonly id: string;
  readonly indices: string;
  readonly timeField: string;
  readonly measure: Measure;
  /** Field of the measure; empty for `count`. */
  readonly field: string;
  /** Field whose values are looked at one by one; empty for none. */
  readonly splitBy: string;
  readonly bucketSpan: string;
}

/** Measures of a job that a chart can show, with the aggregation that does. */
export const MEASURES = {
  count: null,
  mean: 'avg',
  sum: 'sum',
  min: 'min',
  max: 'max',
  distinct_count: 'cardinality',
} as const;

/** Name of a measure. */
export type Measure = keyof typeof MEASURES;

/** Whether a job's function can be shown as a chart. */
export const isMeasure = (name: string): name is Measure => Object.hasOwn(MEASURES, name);

/** What is missing in a form, a sentence; null if nothing is. */
export function jobProblem({ id, indices, timeField, measure, field, bucketSpan }: JobForm): string | null {
  if (!/^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$/.test(id))
    return 'The name has small letters, digits, hyphens and underscores, and begins and ends with a letter or digit.';
  if (indices.trim() === '') return 'Choose indices.';
  if (timeField === '') return 'The indices have no field of time.';
  if (measure !== 'count' && field === '') return 'Choose a field.';
  return /^\d+[smhd]$/.test(bucketSpan) ? null : 'The bucket span is a time as 15m.';
}

/** The job of a form. */
export function jobBody({ timeField, measure, field, splitBy, bucketSpan }: JobForm): object {
  const detector = {
    function: measure,
    ...(measure === 'count' ? {} : { field_name: field }),
    ...(splitBy === '' ? {} : { partition_field_name: splitBy }),
  };
  return {
    analysis_config: {
      bucket_span: bucketSpan,
      detectors: [detector],
      influencers: splitBy === '' ? [] : [splitBy],
    },
    data_description: { time_field: timeField, time_format: 'epoch_ms' },
    // The bounds of a single series are kept for its chart; of many they would be more than the data.
    ...(splitBy === '' ? { model_plot_config: { enabled: true } } : {}),
  };
}

/** The datafeed of a form. */
export const feedBody = ({ id, indices }: JobForm): object => ({
  job_id: id,
  indices: indices.split(',').map((name) => name.trim()),
  query: { match_all: {} },
});

/** Id of the datafeed that goes with a job made here. */
export const feedIdOf = (job: string): string => `datafeed-${job}`;

/** What a chart of a measure over time asks. */
export interface SeriesRequest {
  readonly timeField: string;
  readonly measure: Measure;
  readonly field: string;
  /** A value of a field that the documents have; null for all. */
  readonly only: { readonly field: string; readonly value: string } | null;
  readonly interval: { readonly fixed_interval: string } | null;
}

const BUCKETS = 120;

/** Search for a measure over time; without an interval the cluster chooses one that gives about 120 values. */
export function seriesBody({ timeField, measure, field, only, interval }: SeriesRequest): object {
  const operation = MEASURES[measure];
  return {
    size: 0,
    query: only === null ? { match_all: {} } : { term: { [only.field]: only.value } },
    aggs: {
      time: {
        ...(interval === null
          ? { auto_date_histogram: { field: timeField, buckets: BUCKETS } }
          : { date_histogram: { field: timeField, ...interval, min_doc_count: 0 } }),
        ...(operation === null ? {} : { aggs: { value: { [operation]: { field } } } }),
      },
    },
  };
}

/** A value of a series. */
export interface SeriesPoint {
  readonly at: number;
  readonly value: number | null;
}

/** The answer to the search. */
export function readSeries(answer: unknown): readonly SeriesPoint[] {
  const { aggregations } = (answer ?? {}) as {
    readonly aggregations?: {
      readonly time?: {
        readonly buckets?: readonly {
          readonly key: number;
          readonly doc_count: number;
          readonly value?: { readonly value: number | null };
        }[];
      };
    };
  };
  return (aggregations?.time?.buckets ?? []).map(({ key, doc_count: count, value }) => ({
    at: key,
    value: value === undefined ? count : value.value,
  }));
}
