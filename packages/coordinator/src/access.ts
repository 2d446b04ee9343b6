import type { IndexAccess } from '@shoal/state';
import type { AccessLimits } from '@shoal/mapping';
import type { Subject } from '@shoal/security';
import type { CallContext } from './call.js';
import { decodeJson, encodeJson } from './json-bytes.js';

const READ = 'indices:data/read';

/** Actions that parts of calls are checked as. */
export const ACTIONS = {
  search: `${READ}/search`,
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

/** What the one that makes a call may name for an action. */
export function accessOf(call: CallContext, action: string): IndexAccess {
  return call.subject.permissions.indexAccess(action);
}

/** `now` as date math says it, in a value of its own or within a query string: no letter beside it. */
const NOW = /(?<![a-z])now(?![a-z])/i;

/**
 * Whether a value within a query says `now`. Escapes of a query string are left out: `n\ow` is `now` there. Whether
 * the field is a date is only known to shards, so that more is taken for the time than is.
 */
function saysNow(json: unknown): boolean {
  if (typeof json === 'string') return NOW.test(json.replaceAll('\\', ''));
  if (typeof json !== 'object' || json === null) return false;
  return Object.values(json).some((value) => saysNow(value));
}

/** Whether the query of a role may depend on the time. Most are known not to by a look at their text. */
function mayDependOnTime(query: string): boolean {
  return (query.includes('now') || query.includes('\\')) && saysNow(JSON.parse(query));
}

/** Limits as messages carry them, with the time where a query may depend on it; left out where all may be seen. */
export function limitsBytes(limits: AccessLimits | null, nowMs: number): Uint8Array | undefined {
  if (limits === null) return undefined;
  const isVolatile = limits.queries.some((queries) => queries.some((query) => mayDependOnTime(query)));
  return encodeJson(isVolatile ? { ...limits, nowMs } : limits);
}

/** Whether limits leave documents out. */
export function hidesDocuments(access: Uint8Array | undefined): boolean {
  return access !== undefined && (decodeJson(access) as AccessLimits).queries.length > 0;
}

/** Who a scroll or a point in time belongs to; undefined while everybody may do everything. */
export function ownerOf({ authentication }: Subject): string | undefined {
  if (authentication === null) return undefined;
  const { apiKey, lookupRealm, user } = authentication;
  return apiKey ? `key/${apiKey.id}` : `${lookupRealm.type}/${lookupRealm.name}/${user.username}`;
}
