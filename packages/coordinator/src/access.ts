import type { IndexAccess } from '@shoal/state';
import type { AccessLimits } from '@shoal/mapping';
import { decodeLimits, encodeLimits } from '@shoal/protocol';
import type { Subject } from '@shoal/security';
import type { CallContext } from './call.js';

const READ = 'indices:data/read';

/** Names of the actions that parts of calls are authorised as. */
export const ACTIONS = {
  search: `${READ}/search`,
  deleteByQuery: 'indices:data/write/delete/byquery',
  updateByQuery: 'indices:data/write/update/byquery',
  get: `${READ}/get`,
  multiGet: `${READ}/mget[shard]`,
  explain: `${READ}/explain`,
  termVectors: `${READ}/tv`,
  multiTermVectors: `${READ}/mtv[shard]`,
  openPointInTime: `${READ}/open_point_in_time`,
  searchShards: 'indices:admin/shards/search_shards',
  validate: 'indices:admin/validate/query',
  analyze: 'indices:admin/analyze',
  autoCreate: 'indices:admin/auto_create',
  bulkShard: 'indices:data/write/bulk[s]',
} as const;

/** Returns the indices that the caller may use for an action. */
export function accessOf(call: CallContext, action: string): IndexAccess {
  return call.subject.permissions.indexAccess(action);
}

/** Matches `now` of date math, alone or within a query string, with no letter next to it. */
const NOW = /(?<![a-z])now(?![a-z])/i;

/**
 * Whether a value within a query contains `now`. Backslashes are removed first, as a query string may write `n\ow`.
 * Only shards know whether the field is a date, so that some queries count as time-dependent that are not.
 */
function saysNow(json: unknown): boolean {
  if (typeof json === 'string') return NOW.test(json.replaceAll('\\', ''));
  if (typeof json !== 'object' || json === null) return false;
  return Object.values(json).some((value) => saysNow(value));
}

/**
 * Whether the query of a role may depend on the time. A search for `now` in its text rules out most queries without
 * parsing.
 */
function mayDependOnTime(query: string): boolean {
  return (query.includes('now') || query.includes('\\')) && saysNow(JSON.parse(query));
}

/**
 * Encodes limits for messages, with the time if a query may depend on it. Undefined if the caller may see everything.
 */
export function limitsBytes(limits: AccessLimits | null, nowMs: number): Uint8Array | undefined {
  if (limits === null) return undefined;
  const isVolatile = limits.queries.some((queries) => queries.some((query) => mayDependOnTime(query)));
  return encodeLimits(isVolatile ? { ...limits, nowMs } : limits);
}

/** Whether encoded limits hide documents. */
export function hidesDocuments(access: Uint8Array | undefined): boolean {
  return access !== undefined && decodeLimits(access).queries.length > 0;
}

/** Whether a role's query may depend on the time, so that limits made later differ. */
export function dependsOnTime(access: Uint8Array | undefined): boolean {
  return access !== undefined && decodeLimits(access).nowMs !== undefined;
}

/** Returns the owner of a scroll or a point in time; undefined if security is off. */
export function ownerOf({ authentication }: Subject): string | undefined {
  if (authentication === null) return undefined;
  const { apiKey, lookupRealm, user } = authentication;
  return apiKey ? `key/${apiKey.id}` : `${lookupRealm.type}/${lookupRealm.name}/${user.username}`;
}
