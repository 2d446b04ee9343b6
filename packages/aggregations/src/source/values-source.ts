import { type ApiError, errors } from '@shoal/errors';
import type { FieldType } from '@shoal/mapping';
import type { ColumnKind } from '@shoal/segments';
import { anyField, type FieldReaders, type ReadFields, stringField } from '../parse/body-fields.js';
import type { CollectContext } from '../collector.js';

/** The field that an aggregation reads, with `missing`, format and time zone, as the request gives them. */
export interface SourceRequest {
  readonly field: string;
  readonly missing: unknown;
  readonly format: string | null;
  readonly timeZone: string | null;
  /** `value_type`: the type of an unmapped field; null for none. */
  readonly valueType: string | null;
}

/** Readers of the fields that every aggregation on values has. */
export const sourceFields = {
  field: stringField,
  missing: anyField,
  format: stringField,
  script: anyField,
  value_type: stringField,
  valueType: stringField,
} satisfies FieldReaders;

/** Refuses a script with the error of an Elasticsearch without the script language. */
export function refuseScript(script: unknown): void {
  if (script === undefined) return;
  const lang = (script as { lang?: unknown } | null)?.lang;
  throw errors.illegalArgument(`script_lang not supported [${typeof lang === 'string' ? lang : 'painless'}]`);
}

/** Makes the source from the fields of a body. Throws illegal_argument_exception if there is no field. */
export function sourceOf(fields: ReadFields<typeof sourceFields>, timeZone: string | null = null): SourceRequest {
  refuseScript(fields.script);
  if (fields.field === undefined)
    throw errors.illegalArgument('Required one of fields [field, script], but none were specified. ');
  return {
    field: fields.field,
    missing: fields.missing ?? null,
    format: fields.format ?? null,
    timeZone,
    valueType: fields.value_type ?? fields.valueType ?? null,
  };
}

/** A field of the mapping of one shard, with its column. */
export interface ResolvedField {
  readonly type: FieldType;
  readonly column: ColumnKind;
}

const fielddataUnsupported = (field: FieldType): ApiError =>
  errors.illegalArgument(
    `Can't load fielddata on [${field.name}] because fielddata is unsupported on fields of type ` +
      `[${field.typeName}]. Use doc values instead.`,
  );

function textError(field: FieldType, index: string): ApiError {
  return errors.illegalArgument(
    `Fielddata is disabled on [${field.name}] in [${index}]. Text fields are not optimised for operations that ` +
      'require per-document field data like aggregations and sorting, so these operations are disabled by default. ' +
      `Please use a keyword field instead. Alternatively, set fielddata=true on [${field.name}] in order to load ` +
      'field data by uninverting the inverted index. Note that this can use significant memory.',
  );
}

/** What an aggregation reads: `numbers`, `terms` (any column whose values can be counted), `points`, or `any`. */
export type SourceKind = 'numbers' | 'terms' | 'points' | 'any';

const KINDS: Readonly<Record<SourceKind, readonly ColumnKind[]>> = {
  numbers: ['long', 'double'],
  terms: ['long', 'double', 'ordinals'],
  points: ['geo'],
  any: ['long', 'double', 'ordinals', 'geo', 'binary'],
};

/** Makes the error of an aggregation on a field of the wrong type. */
export function notSupported(field: FieldType, aggregation: string): ApiError {
  return errors.illegalArgument(
    `Field [${field.name}] of type [${field.typeName}] is not supported for aggregation [${aggregation}]`,
  );
}

/**
 * Returns the field that an aggregation reads; null if the mapping of the shard lacks it. Throws
 * illegal_argument_exception for text, for fields without a column, and for types that the aggregation does not
 * support.
 */
export function resolveField(
  context: CollectContext,
  name: string,
  kind: SourceKind,
  aggregation: string,
): ResolvedField | null {
  const { mapping, index } = context.searcher;
  if (name === '_id')
    throw errors.illegalArgument(
      'Fielddata access on the _id field is disallowed, you can re-enable it by updating the dynamic cluster ' +
        'setting: indices.id_field_data.enabled',
    );
  const type = mapping.field(name);
  if (!type) return null;
  const column = type.layout?.column ?? null;
  if (column === null || !type.isAggregatable)
    throw type.capabilities.couldUninvert ? textError(type, index) : fielddataUnsupported(type);
  if (!KINDS[kind].includes(column)) throw notSupported(type, aggregation);
  return { type, column };
}
