import { errors } from '@shoal/errors';
import type { DatafeedConfig } from './datafeed-config.js';

/** A mapping as this check needs it. */
interface FieldsOfIndex {
  /** Runtime fields by path: they hide others. */
  readonly runtime: ReadonlyMap<string, FieldOfIndex>;
  field(path: string): FieldOfIndex | null;
}

interface FieldOfIndex {
  readonly typeName: string;
  readonly isAggregatable: boolean;
}

/**
 * Throws illegal_argument_exception if a datafeed cannot read the times of documents: none of its indices, if it has
 * any now, maps the time field, or one maps it as something without a column.
 */
export function checkTimeField(feed: DatafeedConfig, timeField: string, mappings: readonly FieldsOfIndex[]): void {
  if (mappings.length === 0 || (feed.runtime !== null && Object.hasOwn(feed.runtime, timeField))) return;
  const types = mappings.flatMap((mapping) => mapping.runtime.get(timeField) ?? mapping.field(timeField) ?? []);
  const refuse = (why: string): Error =>
    errors.illegalArgument(`datafeed [${feed.id}] cannot retrieve time field [${timeField}] because it ${why}`);
  if (types.length === 0) throw refuse('has no mappings');
  const other = types.find(({ isAggregatable }) => !isAggregatable);
  if (other !== undefined) throw refuse('is not aggregatable');
  const untimely = types.find(({ typeName }) => !TIME_TYPES.has(typeName));
  if (untimely !== undefined) throw refuse(`is of type [${untimely.typeName}], not [date]`);
}

const TIME_TYPES: ReadonlySet<string> = new Set(['date', 'date_nanos', 'long']);
