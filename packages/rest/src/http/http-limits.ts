import type { Route } from '../routing/route.js';

/** What kind of work a call is. */
export type WorkKind = 'search' | 'get' | 'write' | 'management';

/** Refuses requests before their bodies are read. */
export interface HttpLimits {
  /**
   * Throws a 429, or returns the one that thousands of requests a second get under overload: throwing it would cost
   * more than all else that is done for them. `caller` names the user, or the address when there is none; `bodyBytes`
   * as announced, 0 when it is not known.
   */
  admit(kind: WorkKind, caller: () => string, bodyBytes: number): Error | null;
  /** The same for one whose body is arriving: others may have taken the room that there was. */
  recheck(kind: WorkKind, bodyBytes: number): void;
  /**
   * Whether a request that is here as a whole may be worked on: null at once, else when it is its turn; it costs none
   * if it is not `isWanted` any more. Throws a 429.
   */
  begin(kind: WorkKind, isWanted: () => boolean): Promise<void> | null;
}

const GETS = new Set(['indices:data/read/get', 'indices:data/read/mget']);
/** What gives something back must not wait for others, nor be refused for load. */
const RELEASES = new Set(['indices:data/read/scroll/clear', 'indices:data/read/close_point_in_time']);

/** By the action that the caller needs the privilege for. */
export function workKind({ privilege }: Pick<Route<unknown>, 'privilege'>): WorkKind {
  if (GETS.has(privilege)) return 'get';
  if (RELEASES.has(privilege)) return 'management';
  if (privilege.startsWith('indices:data/read/')) return 'search';
  return privilege.startsWith('indices:data/write/') ? 'write' : 'management';
}
