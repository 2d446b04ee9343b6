import { globalOrdinals } from '@shoal/query';
import { errors } from '@shoal/errors';
import { doubleNumber } from '@shoal/json';
import type { MultiNumbers } from '@shoal/segments';
import {
  dateFormat,
  formatDouble,
  geotileX,
  geotileY,
  parseGeotile,
  parseIp,
  type IntervalRounding,
  timeZone,
} from '@shoal/values';
import type { BuildSite } from '../../aggregation-type.js';
import { type FormatSpec, formatOf, formatter, keyFormat, RAW_FORMAT, termJson } from '../../source/format.js';
import { numberSource } from '../../source/number-source.js';
import { pointSource } from '../../source/point-source.js';
import { notSupported, resolveField, type SourceRequest } from '../../source/values-source.js';
import { isWide } from '../../source/wide-numbers.js';
import { countingOrdinalSource } from '../terms-ordinals.js';
import { keepCodesBetween, keepOrdinalsBetween, ordinalCodes } from './codes.kernel.js';
import type { SourceKey, SourceReader } from './source-reader.js';
import { termCodes } from './term-codes.js';
import { wideReader } from './wide-source.js';

/** One source of a composite aggregation. */
export interface CompositeSource {
  readonly name: string;
  readonly type: 'terms' | 'histogram' | 'date_histogram' | 'geotile_grid';
  readonly request: SourceRequest;
  readonly ascending: boolean;
  readonly missingBucket: boolean;
  /** Whether a missing value comes before all values in the answer. */
  readonly missingFirst: boolean;
  readonly interval: number;
  readonly rounding: IntervalRounding | null;
  readonly precision: number;
}

/** Code of a missing value: first or last in the order of the answer. */
export function missingCode(source: CompositeSource): number {
  return source.missingFirst === source.ascending ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

function termReader(build: BuildSite, source: CompositeSource, isIp: boolean): SourceReader {
  const field = build.context.searcher.mapping.field(source.request.field)!;
  const { name } = field;
  const ordinals = globalOrdinals(build.context.searcher, name);
  const codes = termCodes(build.context.searcher, name, ordinals);
  const reader = countingOrdinalSource(build.context.searcher, name, build.context.scratch);
  const out: MultiNumbers = { starts: new Int32Array(1), values: new Float64Array(0) };
  const hasExtra = ordinals.count > ordinals.sortedCount;
  let map: Int32Array | null = null;
  return {
    format: formatOf(field, null, null),
    segment(view) {
      reader.segment(view);
      map = ordinals.map(view);
    },
    codes(docs, count) {
      const { starts, values } = reader.readAll(docs, count);
      const total = starts[count]!;
      if (out.values.length < total) out.values = new Float64Array(total * 2);
      for (let i = 0; i < total; i++) out.values[i] = codes.code(map ? map[values[i]!]! : values[i]!);
      out.starts = starts;
      return out;
    },
    isSingle: () => reader.isSingle,
    singles(docs, count) {
      if (out.values.length < count) out.values = new Float64Array(Math.max(4096, count));
      ordinalCodes(reader.read(docs, count), count, map, out.values);
      if (hasExtra) for (let i = 0; i < count; i++) if (out.values[i]! >= 0) out.values[i] = codes.code(out.values[i]!);
      return out.values;
    },
    select(docs, count, range, rows, kept) {
      const { low, high, missing } = range;
      const unpacked = hasExtra ? null : reader.unpacked(count);
      if (unpacked) return keepOrdinalsBetween(unpacked, docs, count, map, low, high, missing, rows, kept);
      return keepCodesBetween(this.singles(docs, count), count, low, high, missing, rows, kept);
    },
    key: (code) => codes.term(code),
    codeOf(value) {
      if (field.typeName === '_tsid') return codes.codeOf(String(field.format(null, null).parse(value)));
      const text = String(value);
      return codes.codeOf(isIp ? (parseIp(text) ?? text) : text);
    },
  };
}

function numberReader(
  build: BuildSite,
  source: CompositeSource,
  round: (values: Float64Array, count: number) => void,
): SourceReader {
  const field = resolveField(build.context, source.request.field, 'numbers', source.type)?.type ?? null;
  const numbers = numberSource(field, Number.NaN, build.context.scratch);
  if (source.type !== 'terms' && field?.valueKind === 'boolean') throw notSupported(field, source.type, build.context);
  const format = keyFormat(field, formatOf(field, source.request.format, source.request.timeZone));
  const isDate = field?.valueKind === 'date';
  return {
    format,
    segment: (view) => numbers.segment(view),
    codes(docs, count) {
      const multi = numbers.readAll(docs, count);
      round(multi.values, multi.starts[count]!);
      return multi;
    },
    isSingle: () => numbers.isSingle,
    singles(docs, count) {
      const values = numbers.read(docs, count);
      round(values, count);
      return values;
    },
    select(docs, count, { low, high, missing }, rows, kept) {
      return keepCodesBetween(this.singles(docs, count), count, low, high, missing, rows, kept);
    },
    key: (code) => code,
    codeOf(value) {
      if (typeof value === 'boolean') return value ? 1 : 0;
      if (typeof value !== 'string') return Number(value);
      if (isDate && format.k === 'date') return dateFormat(format.p).parse(value, timeZone(format.z));
      if (field?.valueKind === 'boolean') return value === 'true' ? 1 : 0;
      const number = Number(value);
      if (Number.isNaN(number)) throw errors.numberFormat(`For input string: "${value}"`);
      return number;
    },
  };
}

/** A map tile as one number: the row follows the column. */
const tileCode = (x: number, y: number, precision: number): number => x * 2 ** precision + y;

function tileReader(build: BuildSite, source: CompositeSource): SourceReader {
  const points = pointSource(build, source.request, source.type);
  const { precision } = source;
  const out: MultiNumbers = { starts: new Int32Array(1), values: new Float64Array(0) };
  return {
    format: RAW_FORMAT,
    segment: (view) => points.segment(view),
    codes(docs, count) {
      points.readAll(docs, count);
      const { starts, values } = points.lats;
      const total = starts[count]!;
      if (out.values.length < total) out.values = new Float64Array(total * 2);
      for (let i = 0; i < total; i++)
        out.values[i] = tileCode(
          geotileX(points.lons.values[i]!, precision),
          geotileY(values[i]!, precision),
          precision,
        );
      for (let i = 0; i < count; i++) out.values.subarray(starts[i], starts[i + 1]).sort();
      out.starts = starts;
      return out;
    },
    isSingle: () => false,
    singles: () => out.values,
    select: () => 0,
    key: (code) => code,
    codeOf(value) {
      const { x, y } = parseGeotile(String(value));
      return tileCode(x, y, precision);
    },
  };
}

function unmappedReader(): SourceReader {
  return {
    format: RAW_FORMAT,
    segment() {},
    codes: (_docs, count) => ({ starts: new Int32Array(count + 1), values: new Float64Array(0) }),
    isSingle: () => false,
    singles: () => new Float64Array(0),
    select: () => 0,
    key: () => null,
    codeOf: () => 0,
  };
}

/** Opens a source on one shard. */
export function openSource(build: BuildSite, source: CompositeSource): SourceReader {
  const { interval, rounding } = source;
  if (source.type === 'geotile_grid') return tileReader(build, source);
  if (source.type === 'histogram')
    return numberReader(build, source, (values, count) => {
      for (let i = 0; i < count; i++) values[i] = Math.floor(values[i]! / interval) * interval;
    });
  if (source.type === 'date_histogram' && !rounding)
    throw errors.illegalArgument('Invalid interval specified, must be non-null and non-empty');
  if (rounding) return numberReader(build, source, (values, count) => rounding.floorMany(values, count));
  const field = resolveField(build.context, source.request.field, 'terms', source.type);
  if (!field) return unmappedReader();
  if (field.column === 'ordinals') return termReader(build, source, field.type.valueKind === 'ip');
  if (!isWide(build.context.searcher, field.type.name)) return numberReader(build, source, () => {});
  return wideReader(build, field.type.name, formatOf(field.type, source.request.format, null), source.request.missing);
}

/** A key as the answer shows it. */
export function keyJson(key: SourceKey, spec: FormatSpec, source: CompositeSource): unknown {
  if (key === null) return null;
  if (typeof key === 'string') return termJson(spec, key);
  if (spec.k === 'unsigned' && source.type === 'terms') return key;
  if (typeof key === 'bigint')
    return source.request.format === null ? key : (formatter(spec).shown(Number(key)) ?? String(key));
  if (source.type === 'geotile_grid')
    return `${source.precision}/${Math.floor(key / 2 ** source.precision)}/${key % 2 ** source.precision}`;
  if (spec.k === 'boolean') return key !== 0;
  if (source.request.format !== null || (spec.k === 'date' && source.type === 'histogram'))
    return formatter(spec).shown(key) ?? formatDouble(key);
  return spec.k === 'double' || source.type === 'histogram' ? doubleNumber(key) : key;
}
