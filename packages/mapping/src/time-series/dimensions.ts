import { errors } from '@shoal/errors';
import { formatIp, matchesWildcard } from '@shoal/values';
import type { FieldType } from '../field-type.js';
import type { TimeSeriesOptions } from '../mapping-api.js';
import type { FieldConfig } from '../types/definition.js';
import { type DimensionValue, encodeSeries } from './series-id.js';

/** What a field is in a time series, from its parameters. Throws illegal_argument_exception if they contradict. */
export function seriesRole(config: FieldConfig): Pick<FieldType, 'isDimension' | 'metric'> {
  const metric = config.maybeText('time_series_metric');
  const isDimension = config.isSet('time_series_dimension') && config.boolean('time_series_dimension');
  const refuse = (reason: string): never => {
    throw errors.illegalArgument(reason);
  };
  if (isDimension) {
    if (!config.boolean('index') || !config.boolean('doc_values'))
      refuse('Field [time_series_dimension] requires that [index] and [doc_values] are true');
    if (metric !== null)
      refuse('Field [time_series_dimension] cannot be set in conjunction with field [time_series_metric]');
    for (const other of ['ignore_above', 'normalizer'])
      if (config.isSet(other))
        refuse(`Field [${other}] cannot be set in conjunction with field [time_series_dimension]`);
    return { isDimension: true };
  }
  if (metric === null) return {};
  if (config.isSet('doc_values') && !config.boolean('doc_values'))
    refuse('Field [time_series_metric] requires that [doc_values] is true');
  return { metric: metric as 'gauge' | 'counter' };
}

/** Throws if a field that the routing path names is no dimension, or not a keyword. */
function checkRouted(field: FieldType, patterns: readonly string[]): void {
  if (!patterns.some((pattern) => matchesWildcard(pattern, field.name))) return;
  if (field.typeName === 'flattened' && (field.dimensionKeys ?? []).length > 0) return;
  if (field.typeName === 'keyword' && field.isDimension) return;
  const what = field.typeName === 'keyword' ? 'not a dimension' : `[${field.typeName}]`;
  throw errors.illegalArgument(
    'All fields that match routing_path must be keywords with [time_series_dimension: true] or flattened fields with ' +
      'a list of dimensions in [time_series_dimensions] and without the [script] parameter. ' +
      `[${field.name}] was ${what}.`,
  );
}

/** Throws if the mapping of an index of time series has what such an index cannot have. */
export function checkTimeSeries(
  { routingPath }: TimeSeriesOptions,
  fields: readonly FieldType[],
  hasNested: boolean,
): void {
  if (hasNested) throw errors.illegalArgument('cannot have nested fields when index is in [index.mode=time_series]');
  const timestamp = fields.find(({ name }) => name === '@timestamp');
  if (timestamp && timestamp.typeName !== 'date' && timestamp.typeName !== 'date_nanos')
    throw errors.illegalArgument(
      `data stream timestamp field [@timestamp] is of type [${timestamp.typeName}], but [date,date_nanos] is expected`,
    );
  for (const field of fields) checkRouted(field, routingPath);
}

/** Returns the fields whose values tell time series apart: dimensions, and keys of flattened fields. */
export function dimensionsOf(fields: readonly FieldType[]): readonly FieldType[] {
  return fields.flatMap((field) => {
    if (field.isDimension) return [field];
    return (field.dimensionKeys ?? []).flatMap((key) => field.keyed?.(key) ?? []);
  });
}

function dimensionValue({ valueKind }: FieldType, value: unknown): DimensionValue {
  if (typeof value === 'string') return valueKind === 'ip' ? formatIp(value) : value;
  return typeof value === 'bigint' ? value : BigInt(Number(value));
}

/**
 * Returns the id of the time series of a document. `valuesOf` returns the values that the document has for a field.
 * Throws illegal_argument_exception if a dimension has several values or if there is none.
 */
export function seriesOf(dimensions: readonly FieldType[], valuesOf: (field: string) => readonly unknown[]): string {
  const found = new Map<string, DimensionValue>();
  for (const field of dimensions) {
    const values = valuesOf(field.name);
    if (values.length > 1)
      throw errors.illegalArgument(`Dimension field [${field.name}] cannot be a multi-valued field.`);
    if (values.length === 1) found.set(field.name, dimensionValue(field, values[0]));
  }
  return encodeSeries(found);
}
