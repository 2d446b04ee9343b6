import { hasTopLevelKey } from '@shoal/json';
import type { Route } from '../routing/route.js';

/** Kind of work of a call. */
export type WorkKind = 'search' | 'aggregation' | 'get' | 'write' | 'management';

/** Refuses requests under overload. */
export interface HttpLimits {
  /**
   * Called before the body is read. Throws a 429, or returns one that is shared: under overload thousands of requests a
   * second get it, and throwing would cost more than all other work for them. `caller` returns the user, or the address
   * if there is none. `bodyBytes` is the announced length, 0 if unknown.
   */
  admit(kind: WorkKind, caller: () => string, bodyBytes: number): Error | null;
  /** Called while the body arrives. Throws a 429 if other requests have used up the memory meanwhile. */
  recheck(kind: WorkKind, bodyBytes: number): void;
  /**
   * Called when the request has arrived. Null: it may run at once; otherwise resolves when it is its turn. A request
   * whose `isWanted` returns false then does not use up a turn. Throws a 429.
   */
  begin(kind: WorkKind, isWanted: () => boolean): Promise<void> | null;
}

const AGGREGATIONS = ['aggs', 'aggregations'];
const GETS = new Set(['indices:data/read/get', 'indices:data/read/mget']);
/**
 * Calls that release resources, and must not wait, nor be refused under overload; and one that waits for a search which
 * runs already.
 */
const RELEASES = new Set([
  'indices:data/read/scroll/clear',
  'indices:data/read/close_point_in_time',
  'indices:data/read/async_search/get',
  'indices:data/read/async_search/delete',
]);

/** Kind of work of a route, by its privilege. */
export function workKind({ privilege }: Pick<Route<unknown>, 'privilege'>): WorkKind {
  if (GETS.has(privilege)) return 'get';
  if (RELEASES.has(privilege)) return 'management';
  if (privilege.startsWith('indices:data/read/')) return 'search';
  return privilege.startsWith('indices:data/write/') ? 'write' : 'management';
}

/** Kind of a request whose body has arrived: searches that aggregate are a kind of their own. */
export const kindOfRequest = (
  kind: WorkKind,
  body: { readonly bytes: Uint8Array; readonly format: string },
): WorkKind =>
  kind === 'search' && body.format === 'json' && hasTopLevelKey(body.bytes, AGGREGATIONS) ? 'aggregation' : kind;
