import { type ApiError, errors } from '@shoal/errors';
import { formatDouble } from '@shoal/values';
import type { AggregationType, Aggregator, Behaviour, ParseSite } from '../aggregation-type.js';
import {
  atMost,
  booleanField,
  type FieldReader,
  integerField,
  listOf,
  numberField,
  objectOf,
  readFields,
} from '../parse/body-fields.js';
import type { Reduced } from '../reduce/reduced.js';
import { type Formatter, formatIn } from '../source/format.js';
import { sourceFields, sourceOf } from '../source/values-source.js';
import { quantile, rankOf, type Samples, sampleCount } from './digest.js';
import { type ExecutionHint, hintField } from './execution-hint.js';
import { hdrView } from './hdr.js';
import { type SamplesPartial, mergedSamples, sampleAggregator } from './sample-metric.js';
import { METRIC_KINDS } from '../source/value-kinds.js';

interface Method {
  readonly kind: 'tdigest' | 'hdr';
  readonly compression: number;
  readonly digits: number;
  readonly hint: ExecutionHint;
}

/** Limit for the compression: digests are exact up to 20 times as many values, and a larger one only costs memory. */
const COMPRESSION_MAX = 10_000;

const compressionField: FieldReader<number> = (value, site) => {
  const compression = numberField(value, site);
  if (!(compression >= 0))
    throw errors.illegalArgument(
      `[compression] must be greater than or equal to 0. Found [${formatDouble(compression)}]`,
    );
  return Math.min(COMPRESSION_MAX, compression);
};

const digitsField: FieldReader<number> = (value, site) => {
  const digits = integerField(value, site);
  if (digits < 0 || digits > 5)
    throw errors.illegalArgument('[numberOfSignificantValueDigits] must be between 0 and 5');
  return digits;
};

const points: FieldReader<readonly number[]> = listOf(numberField);

const failure = (site: ParseSite, reason: string): ApiError =>
  errors.xContentParse(`Failed to build [${site.type}] after last required field arrived`, {
    cause: errors.illegalArgument(reason),
  });

interface QuantileRequest {
  readonly behaviour: (
    typedName: string,
    value: (samples: Samples, method: Method, point: number) => number,
  ) => Behaviour<SamplesPartial>;
}

/** Percents or values of one aggregation at most: each is looked for among all centroids. */
const POINTS_MAX = 1000;

/** How Elasticsearch's messages name an empty list of points. */
const EMPTY = { percents: 'empty', values: 'an empty array' } as const;

function parseQuantiles(
  site: ParseSite,
  pointsKey: 'percents' | 'values',
  defaults: readonly number[] | null,
  check: (points: readonly number[]) => void,
): QuantileRequest {
  const fields = readFields(site.body, site, {
    ...sourceFields,
    [pointsKey]: atMost(POINTS_MAX, points),
    keyed: booleanField,
    tdigest: objectOf({ compression: compressionField, execution_hint: hintField }, 'tdigest'),
    hdr: objectOf({ number_of_significant_value_digits: digitsField }, 'hdr'),
  }) as Record<string, unknown>;
  const source = sourceOf(fields as Parameters<typeof sourceOf>[0], site, 'double');
  const wanted = (fields[pointsKey] as readonly number[] | undefined) ?? defaults;
  if (!wanted || wanted.length === 0)
    throw failure(site, `[${pointsKey}] must not be ${wanted ? EMPTY[pointsKey] : 'null'}: [${site.name}]`);
  check(wanted);
  if (fields['tdigest'] && fields['hdr']) throw failure(site, 'Only one percentiles method should be declared.');
  const tdigest = fields['tdigest'] as { compression?: number; execution_hint?: ExecutionHint } | undefined;
  const hdr = fields['hdr'] as { number_of_significant_value_digits?: number } | undefined;
  const method: Method = {
    kind: hdr ? 'hdr' : 'tdigest',
    compression: Math.max(20, tdigest?.compression ?? 100),
    digits: hdr?.number_of_significant_value_digits ?? 3,
    hint: tdigest?.execution_hint ?? 'default',
  };
  const keyed = (fields['keyed'] as boolean | undefined) ?? true;
  const sorted = [...wanted].sort((a, b) => a - b);
  return {
    behaviour: (typedName, value) => ({
      acceptsSubs: false,
      shape: 'metric',
      numbers: (name) => sorted.includes(pointOf(name)),
      reads: [{ source, kind: 'numbers' }],
      collector: (build) => {
        const samples = sampleAggregator(build, source, method.compression);
        return method.kind === 'hdr' ? refusingNegatives(samples) : samples;
      },
      reduce(partials) {
        const samples = mergedSamples(partials, method.compression);
        return quantilesResult(
          `${method.kind}_${typedName}`,
          sorted,
          (point) => value(samples, method, point),
          formatIn(partials),
          keyed,
        );
      },
    }),
  };
}

/** The point that a name in a path stands for. */
function pointOf(name: string): number {
  const point = Number(name);
  if (name.trim() === '' || Number.isNaN(point)) throw errors.numberFormat(`For input string: "${name}"`);
  return point;
}

/** Refuses negative values, which a histogram of doubles cannot record: the shard that has one fails. */
function refusingNegatives(samples: Aggregator<SamplesPartial>): Aggregator<SamplesPartial> {
  return {
    ...samples,
    partial(bucket) {
      const own = samples.partial(bucket);
      const least = own?.v?.[0] ?? 0;
      if (least >= 0) return own;
      throw errors.arrayIndexOutOfBounds(
        `The value ${formatDouble(least)} is out of bounds for histogram, Negative values cannot be recorded`,
      );
    },
  };
}

function quantilesResult(
  typedName: string,
  wanted: readonly number[],
  valueAt: (point: number) => number,
  format: Formatter,
  keyed: boolean,
): Reduced {
  const rows = wanted.map((point) => ({ point, value: valueAt(point) }));
  const shown = (value: number): string | null => (Number.isNaN(value) ? null : format.shown(value));
  const json = (value: number): number | null => (Number.isNaN(value) ? null : value);
  return {
    typedName,
    buckets: null,
    value(property) {
      return property === null ? undefined : json(valueAt(pointOf(property)));
    },
    render() {
      if (!keyed)
        return {
          values: rows.map(({ point, value }) => ({
            key: point,
            value: json(value),
            ...(shown(value) === null ? {} : { value_as_string: shown(value) }),
          })),
        };
      const values: Record<string, unknown> = {};
      for (const { point, value } of rows) {
        values[formatDouble(point)] = json(value);
        if (shown(value) !== null) values[`${formatDouble(point)}_as_string`] = shown(value);
      }
      return { values };
    },
  };
}

/** `percentiles`: the values below which given percentages of all values lie. */
export const percentiles: AggregationType<SamplesPartial> = {
  name: 'percentiles',
  valueKinds: METRIC_KINDS,
  profileName: 'TDigestPercentilesAggregator',
  parse(site) {
    const check = (percents: readonly number[]): void => {
      for (const percent of percents) {
        if (!(percent >= 0 && percent <= 100))
          throw failure(site, `percent must be in [0,100], got [${formatDouble(percent)}]: [${site.name}]`);
      }
    };
    return parseQuantiles(site, 'percents', [1, 5, 25, 50, 75, 95, 99], check).behaviour(
      'percentiles',
      (samples, method, percent) => {
        if (sampleCount(samples) === 0) return Number.NaN;
        return method.kind === 'hdr'
          ? hdrView(samples, method.digits).valueAt(percent)
          : quantile(samples, percent / 100, method.hint);
      },
    );
  },
};

/** `percentile_ranks`: the percentages of all values that lie below given values. */
export const percentileRanks: AggregationType<SamplesPartial> = {
  name: 'percentile_ranks',
  valueKinds: METRIC_KINDS,
  parse: (site) =>
    parseQuantiles(site, 'values', null, () => {}).behaviour('percentile_ranks', (samples, method, value) => {
      if (sampleCount(samples) === 0) return Number.NaN;
      return method.kind === 'hdr' ? hdrView(samples, method.digits).rankOf(value) : rankOf(samples, value) * 100;
    }),
};
