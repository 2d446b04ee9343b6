import { dateFormat, timeZone } from '@shoal/values';
import type { AggregationType, BuildSite } from '../aggregation-type.js';
import { openNumbers } from '../metric/number-metric.js';
import {
  anyField,
  atMost,
  booleanField,
  boundField,
  type FieldReader,
  labelField,
  numberField,
  objectsOf,
  readFields,
} from '../parse/body-fields.js';
import { datePattern, type FormatSpec, formatOf } from '../source/format.js';
import { missingBoolean } from '../source/number-source.js';
import { resolveField, sourceFields, sourceOf, type SourceRequest } from '../source/values-source.js';
import { zoneField } from './date-histogram.js';
import {
  type RangesPartial,
  checkRanges,
  RANGES_MAX,
  emptiedRanges,
  type NumberRange,
  rangeBuckets,
  reduceRanges,
  sortRanges,
} from './ranges.js';
import { METRIC_KINDS, NUMBER_KINDS } from '../source/value-kinds.js';

/** A range of a request: bounds are numbers, or strings in the format of the field. */
interface RawRange {
  readonly key?: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

const rangesField: FieldReader<readonly RawRange[]> = atMost(
  RANGES_MAX,
  objectsOf(
    { key: labelField, from: boundField, to: boundField, from_as_string: anyField, to_as_string: anyField },
    'range',
  ),
);

type BoundReader = (bound: unknown) => number;

function numberBound(bound: unknown): number {
  return numberField(bound, { container: {}, key: 'from', type: 'range', name: '' });
}

/**
 * Parses date bounds as a date field with `spec` does. A number is milliseconds, or seconds if the format is
 * `epoch_second`.
 */
function dateBound(spec: Extract<FormatSpec, { k: 'date' }>, now: () => number): BoundReader {
  const format = dateFormat(spec.p);
  const zone = timeZone(spec.z);
  const readsNumbers = spec.p.includes('epoch');
  return (bound) =>
    typeof bound === 'number' && !readsNumbers
      ? bound
      : format.parseRounded(String(bound), { roundUp: false, now, zone });
}

function resolved(raw: readonly RawRange[], read: BoundReader): NumberRange[] {
  const bound = (value: unknown, open: number): number => (value === undefined || value === null ? open : read(value));
  return sortRanges(
    raw.map((range) => ({
      key: range.key ?? null,
      from: bound(range.from, Number.NEGATIVE_INFINITY),
      to: bound(range.to, Number.POSITIVE_INFINITY),
    })),
  );
}

/** Reads bounds as a boolean field reads values; a number only where ranges are ones of numbers. */
const booleanBound =
  (takesNumbers: boolean): BoundReader =>
  (bound) =>
    takesNumbers && typeof bound === 'number' ? bound : missingBoolean(String(bound));

/** Reads bounds in the format of the field: those of dates only where the field holds dates. */
function readerFor(spec: FormatSpec, isDate: boolean, now: () => number): BoundReader {
  if (spec.k === 'date') return dateBound(spec, now);
  return spec.k === 'boolean' ? booleanBound(!isDate) : numberBound;
}

function specOf(build: BuildSite, source: SourceRequest, isDate: boolean): FormatSpec {
  const field = resolveField(build.context, source.field, 'numbers', build.node.type)?.type ?? null;
  const zone = source.timeZone ?? 'UTC';
  if (isDate && !field) return { k: 'date', p: source.format ?? datePattern(null), z: zone };
  return formatOf(field, source.format, zone);
}

function rangeType(name: 'range' | 'date_range'): AggregationType<RangesPartial> {
  const isDate = name === 'date_range';
  return {
    name,
    valueKinds: isDate ? NUMBER_KINDS : METRIC_KINDS,
    parse(site) {
      const readers = { ...sourceFields, ranges: rangesField, keyed: booleanField };
      const fields = readFields(site.body, site, isDate ? { ...readers, time_zone: zoneField } : readers);
      const source = sourceOf(
        fields,
        site,
        isDate ? 'date' : 'double',
        (fields as { time_zone?: string }).time_zone ?? null,
      );
      const raw = fields.ranges ?? [];
      const keyed = fields.keyed ?? false;
      return {
        acceptsSubs: true,
        shape: 'multi',
        overlapping: raw.length,
        emptied: emptiedRanges,
        reads: [{ source, kind: 'numbers' }],
        collector(build) {
          checkRanges(raw, build.node.name);
          const { source: numbers } = openNumbers(build, source);
          const spec = specOf(build, source, isDate);
          return rangeBuckets(build, numbers, resolved(raw, readerFor(spec, isDate, build.context.now)), spec);
        },
        reduce(partials, reduceSite) {
          checkRanges(raw, site.name);
          const spec: FormatSpec = isDate
            ? { k: 'date', p: source.format ?? datePattern(null), z: source.timeZone ?? 'UTC' }
            : { k: 'raw' };
          const fallback = partials.some((p) => p !== null)
            ? []
            : resolved(raw, readerFor(spec, isDate, reduceSite.now));
          return reduceRanges({ typedName: name, keyed, fallback }, partials, reduceSite);
        },
      };
    },
  };
}

/** Ranges of numbers. */
export const range = rangeType('range');

/** Ranges of dates, with date math and formats. */
export const dateRange = rangeType('date_range');
