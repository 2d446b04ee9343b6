/** Functions of detectors: what they gather of the documents of a bucket, and which model judges it. */

/** Which model judges the values of a function. */
export type ModelKind = 'series' | 'rare' | 'clock' | 'place';

/** What a bucket is reduced to. */
export type Measure =
  | 'count'
  | 'nonZeroCount'
  | 'distinctCount'
  | 'mean'
  | 'median'
  | 'min'
  | 'max'
  | 'sum'
  | 'nonNullSum'
  | 'varp'
  | 'infoContent'
  | 'rare'
  | 'freqRare'
  | 'timeOfDay'
  | 'timeOfWeek'
  | 'latLong';

/** A function of a detector. */
export interface DetectorFunction {
  /** Name in requests, such as `high_mean`. */
  readonly name: string;
  /** Name in records. */
  readonly description: string;
  readonly measure: Measure;
  readonly model: ModelKind;
  /** 1 only high values count, -1 only low ones, 0 both. */
  readonly side: -1 | 0 | 1;
  /** `required`, `none` or `optional` field_name. */
  readonly field: 'required' | 'none';
  /** Whether values are amounts, which vary more the larger they are, and an empty bucket has the value 0. */
  readonly isAmount: boolean;
  readonly countsEmpty: boolean;
}

type Row = readonly [base: string, measure: Measure, field: 'required' | 'none', options?: Partial<DetectorFunction>];

const AMOUNT = { isAmount: true, countsEmpty: true };

const SIDED: readonly Row[] = [
  ['count', 'count', 'none', AMOUNT],
  ['non_zero_count', 'nonZeroCount', 'none', { isAmount: true }],
  ['distinct_count', 'distinctCount', 'required', AMOUNT],
  ['mean', 'mean', 'required'],
  ['avg', 'mean', 'required', { description: 'mean' }],
  ['median', 'median', 'required'],
  ['sum', 'sum', 'required', AMOUNT],
  ['non_null_sum', 'nonNullSum', 'required', { isAmount: true }],
  ['varp', 'varp', 'required'],
  ['info_content', 'infoContent', 'required'],
];

const PLAIN: readonly Row[] = [
  ['min', 'min', 'required'],
  ['max', 'max', 'required'],
  ['metric', 'mean', 'required'],
  ['rare', 'rare', 'none', { model: 'rare' }],
  ['freq_rare', 'freqRare', 'none', { model: 'rare' }],
  ['time_of_day', 'timeOfDay', 'none', { model: 'clock' }],
  ['time_of_week', 'timeOfWeek', 'none', { model: 'clock' }],
  ['lat_long', 'latLong', 'required', { model: 'place' }],
];

/** Other names of functions in 8.12. */
const SYNONYMS: Readonly<Record<string, string>> = {
  c: 'count',
  nzc: 'non_zero_count',
  nonzerocount: 'non_zero_count',
  low_nzc: 'low_non_zero_count',
  high_nzc: 'high_non_zero_count',
  dc: 'distinct_count',
  low_dc: 'low_distinct_count',
  high_dc: 'high_distinct_count',
  nonnullsum: 'non_null_sum',
};

function rowOf([base, measure, field, options]: Row, prefix: string, side: -1 | 0 | 1): DetectorFunction {
  const plain = { description: base, measure, field, side, model: 'series', isAmount: false, countsEmpty: false };
  return { ...(plain as Omit<DetectorFunction, 'name'>), ...options, name: `${prefix}${base}` };
}

const FUNCTIONS: ReadonlyMap<string, DetectorFunction> = new Map(
  [
    ...SIDED.flatMap((row) => [rowOf(row, '', 0), rowOf(row, 'high_', 1), rowOf(row, 'low_', -1)]),
    ...PLAIN.map((row) => rowOf(row, '', 0)),
  ].map((one) => [one.name, one]),
);

/** Returns the function of a name or of its synonym; null if there is none. */
export function functionOf(name: string): DetectorFunction | null {
  return FUNCTIONS.get(Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name]! : name) ?? null;
}
