import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { FieldLayout } from '@shoal/segments';
import { NO_CAPABILITIES } from '../field-capabilities.js';
import type { FieldType, ValueFormat } from '../field-type.js';
import { type DimensionValue, encodeSeries, seriesJson, seriesText } from './series-id.js';

/** `_tsid`: the time series of a document. */
export const SERIES_LAYOUT: FieldLayout = {
  name: '_tsid',
  terms: { freqs: false, positions: false, norms: false },
  column: 'ordinals',
  points: false,
};

function readDimension(value: unknown): DimensionValue {
  if (typeof value === 'string' || typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  throw errors.illegalArgument(`Cannot parse tsid object, found [${String(value)}]`);
}

const FORMAT: ValueFormat = {
  toJson: (value) => seriesJson(String(value)),
  toText: (value) => seriesText(String(value)),
  parse(value) {
    if (!isPlainObject(value)) throw errors.illegalArgument(`Cannot parse tsid object [${String(value)}]`);
    return encodeSeries(new Map(Object.entries(value).map(([name, each]) => [name, readDimension(each)])));
  },
};

function refuseSearch(): never {
  throw errors.illegalArgument('[_tsid] is not searchable');
}

/** The field `_tsid` of an index of time series: an object of dimensions in answers, never in a query. */
export const SERIES_FIELD: FieldType = {
  name: '_tsid',
  typeName: '_tsid',
  layout: SERIES_LAYOUT,
  valueKind: 'keyword',
  capabilities: NO_CAPABILITIES,
  isSearchable: false,
  requireSearchable: refuseSearch,
  isAggregatable: true,
  indexAnalyzer: null,
  searchAnalyzer: null,
  searchQuoteAnalyzer: null,
  normalize: (value) => value,
  parse: refuseSearch,
  termQuery: refuseSearch,
  rangeQuery: refuseSearch,
  format(format, timeZone) {
    if (format !== null) throw errors.illegalArgument("Field [_tsid] of type [_tsid] doesn't support formats.");
    if (timeZone !== null)
      throw errors.illegalArgument('Field [_tsid] of type [_tsid] does not support custom time zones');
    return FORMAT;
  },
  fetchValue: (value) => value,
  storedValue: (value) => value,
  toJson: () => ({ type: '_tsid' }),
};
