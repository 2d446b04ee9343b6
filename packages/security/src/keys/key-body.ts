import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import { parseTimeValue } from '@shoal/values';
import { checkKeys, failValidation } from '../body-checks.js';
import type { ApiKeyChange, NewApiKey } from './api-keys.js';
import { parseRequestedRoles } from './key-roles.js';

const NAME_LENGTH_MAX = 256;

function nameProblems(name: unknown): string[] {
  if (typeof name !== 'string' || name.trim() === '') return ['api key name is required'];
  return [
    ...(name.length > NAME_LENGTH_MAX ? ['api key name may not be more than 256 characters long'] : []),
    ...(name !== name.trim() ? ['api key name may not begin or end with whitespace'] : []),
    ...(name.startsWith('_') ? ['api key name may not begin with an underscore'] : []),
  ];
}

function metadataOf(value: unknown): JsonObject {
  if (value === undefined || value === null) return {};
  if (!isPlainObject(value)) throw errors.parse('[metadata] must be an object');
  if (Object.keys(value).some((key) => key.startsWith('_')))
    failValidation(['API key metadata keys may not start with [_]']);
  return value;
}

function lifetimeOf(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  const ms = parseTimeValue(String(value), 'expiration');
  if (ms <= 0) failValidation(['API key expiration must be in the future']);
  return ms;
}

/** When searches see a new key. `refresh=wait_for`, the default, refreshes at once. */
export function visibleOf(refresh: string | null): NewApiKey['visible'] {
  return refresh === 'false' ? 'later' : 'now';
}

/** Parses `{name, expiration, role_descriptors, metadata}`. */
export function parseNewKey(body: JsonObject, visible: NewApiKey['visible']): NewApiKey {
  checkKeys(body, ['name', 'expiration', 'role_descriptors', 'metadata'], (key) =>
    errors.xContentParse(`[api_key_request] unknown field [${key}]`),
  );
  failValidation(nameProblems(body['name']));
  return {
    name: String(body['name']),
    lifetimeMs: lifetimeOf(body['expiration']),
    roles: parseRequestedRoles(body['role_descriptors']),
    metadata: metadataOf(body['metadata']),
    visible,
  };
}

/** Parses `{role_descriptors, metadata}`; absent members stay unchanged. */
export function parseKeyChange(body: JsonObject): ApiKeyChange {
  const { role_descriptors: roles, metadata } = body;
  return {
    roles: roles === undefined ? null : parseRequestedRoles(roles),
    metadata: metadata === undefined ? null : metadataOf(metadata),
  };
}

/** `ids` of a body, or its single `id`; null if absent. */
export function idsOf(body: JsonObject): readonly string[] | null {
  const value = body['ids'] ?? (body['id'] === undefined ? undefined : [body['id']]);
  if (value === undefined) return null;
  if (Array.isArray(value) && value.length > 0 && value.every((id) => typeof id === 'string' && id !== ''))
    return value as readonly string[];
  throw errors.actionRequestValidation('Validation Failed: 1: Field [ids] cannot be an empty array;');
}

/**
 * Parses `owner` of an invalidation, a boolean or its text. Throws for other values: a caller who means only its own
 * keys must not invalidate keys of others.
 */
export function ownerOf(body: Readonly<Record<string, unknown>>): boolean {
  const { owner = false } = body;
  if (owner === true || owner === 'true') return true;
  if (owner === false || owner === 'false') return false;
  throw errors.xContentParse('[invalidate_api_key] failed to parse field [owner]');
}
