import { type ApiError, errors } from '@shoal/errors';

const NAME_BYTES_MAX = 255;
const FORBIDDEN = /[ "<*?>|,/\\]/;

type Refuse = (name: string, reason: string) => ApiError;

const refuseIndex: Refuse = (name, reason) =>
  errors.invalidIndexName(`Invalid index name [${name}], ${reason}`, { meta: { index_uuid: '_na_', index: name } });
const refuseAlias: Refuse = (name, reason) => errors.invalidAliasName(`Invalid alias name [${name}]: ${reason}`);

/** Returns what is wrong with a name by the rules that indices and aliases share; null if it is valid. */
function problemOf(name: string): string | null {
  if (name === '') return 'must not be empty';
  if (FORBIDDEN.test(name))
    return `must not contain the following characters [' ','"','<','*','?','>','|',',','/','\\']`;
  if (name.includes('#')) return "must not contain '#'";
  if (name.includes(':')) return "must not contain ':'";
  if (/^[_+-]/.test(name)) return "must not start with '_', '-', or '+'";
  const bytes = Buffer.byteLength(name);
  if (bytes > NAME_BYTES_MAX) return `index name is too long, (${bytes} > ${NAME_BYTES_MAX})`;
  if (name === '.' || name === '..') return "must not be '.' or '..'";
  return null;
}

/** Throws invalid_index_name_exception if a new index cannot have the name. */
export function validateIndexName(name: string): void {
  const problem = problemOf(name);
  if (problem) throw refuseIndex(name, problem);
  if (name !== name.toLowerCase()) throw refuseIndex(name, 'must be lowercase');
}

/** Throws invalid_alias_name_exception if an alias cannot have the name. */
export function validateAliasName(name: string): void {
  const problem = problemOf(name);
  if (problem) throw refuseAlias(name, problem);
}

/** Makes the error of an invalid index name. */
export function invalidIndexName(name: string, reason: string): ApiError {
  return refuseIndex(name, reason);
}

/** Makes the error of an invalid alias name. */
export function invalidAliasName(name: string, reason: string): ApiError {
  return refuseAlias(name, reason);
}
