import { errors } from '@shoal/errors';
import { JsonText } from '@shoal/json';
import { isObject, javaClass, javaText, toNumber, isNumeric } from './java-values.js';

const VERSION_TYPES = ['internal', 'external', 'external_gte'];

type Check = (key: string, value: unknown) => void;

function wrongType(key: string, value: unknown, wanted: string): Error {
  return errors.illegalArgument(
    `${key} [${javaText(value)}] is wrong type, expected assignable to [${wanted}], not [${javaClass(value)}]`,
  );
}

const text: Check = (key, value) => {
  if (typeof value !== 'string') throw wrongType(key, value, 'java.lang.String');
};

const long: Check = (key, value) => {
  if (!isNumeric(value)) throw wrongType(key, value, 'java.lang.Number');
  if (value instanceof JsonText || typeof value === 'bigint' || Number.isInteger(toNumber(value))) return;
  throw errors.illegalArgument(
    `${key} may only be set to an int or a long but was [${javaText(value)}] with type [${javaClass(value)}]`,
  );
};

const versionType: Check = (key, value) => {
  text(key, value);
  if (VERSION_TYPES.includes(String(value))) return;
  const was = `but was [${String(value)}] with type [${javaClass(value)}]`;
  throw errors.illegalArgument(`${key} must be a null or one of [${VERSION_TYPES.join(', ')}] ${was}`);
};

const map: Check = (key, value) => {
  if (!isObject(value)) throw wrongType(key, value, 'java.util.Map');
};

/** What a metadata field accepts. Source: Elasticsearch's `IngestDocMetadata.PROPERTIES`. */
const fields: ReadonlyMap<string, { readonly check: Check; readonly isNullable: boolean }> = new Map([
  ['_index', { check: text, isNullable: true }],
  ['_id', { check: text, isNullable: true }],
  ['_routing', { check: text, isNullable: true }],
  ['_version', { check: long, isNullable: false }],
  ['_version_type', { check: versionType, isNullable: true }],
  ['_if_seq_no', { check: long, isNullable: true }],
  ['_if_primary_term', { check: long, isNullable: true }],
  ['_dynamic_templates', { check: map, isNullable: true }],
]);

/** All metadata fields. */
export const METADATA_NAMES: readonly string[] = [...fields.keys()];

/** Whether a top-level key of a document is metadata instead of a field. */
export function isMetadata(key: string): boolean {
  return key.charCodeAt(0) === 0x5f && fields.has(key);
}

/** Throws illegal_argument_exception if a metadata field does not accept a value. `nullWord`: what null does to it. */
export function checkMetadata(key: string, value: unknown, nullWord: 'null' | 'removed'): void {
  const field = fields.get(key);
  if (field === undefined) return;
  if (value !== null) field.check(key, value);
  else if (!field.isNullable) throw errors.illegalArgument(`${key} cannot be ${nullWord}`);
}
