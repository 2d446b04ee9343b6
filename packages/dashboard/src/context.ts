import type { IncomingMessage } from 'node:http';
import type { Clock, Log, Random } from '@shoal/doors';
import type { ClusterClient } from './cluster/cluster-client.js';
import type { UserPrivileges } from './cluster/user-privileges.js';
import type { ClusterWatch } from './cluster/watch-cluster.js';
import type { Readings } from './home/readings.js';
import type { Assets } from './pages/assets.js';
import type { SavedObjectStore } from './saved-objects/object-store.js';
import type { LoginLimits } from './sessions/login-limits.js';
import type { Session, SessionStore } from './sessions/session-store.js';
import type { DashboardSettings } from './settings/load-settings.js';

/** Everything that calls and pages work with. */
export interface DashboardContext {
  readonly settings: DashboardSettings;
  readonly client: ClusterClient;
  readonly watch: ClusterWatch;
  readonly sessions: SessionStore;
  readonly limits: LoginLimits;
  readonly readings: Readings;
  readonly privileges: UserPrivileges;
  readonly savedObjects: SavedObjectStore;
  readonly assets: Assets;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Requests since the start, by status class, and those that are under way. */
  readonly counts: {
    total: number;
    disconnects: number;
    running: number;
    byStatus: Map<number, number>;
    millis: number;
    millisMax: number;
  };
  readonly startedAtMs: number;
}

/** Who makes a request: a user with credentials for the cluster, everybody (no security), or nobody. */
export type Caller =
  | { readonly kind: 'user'; readonly session: Session | null; readonly authorization: string }
  | { readonly kind: 'everybody' }
  | { readonly kind: 'nobody' };

/** Value of a cookie of a request. */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

/**
 * The caller of a request: by session, or for API calls by `Authorization: ApiKey` or `Bearer`. `isUse` prolongs the
 * session.
 */
export function callerOf(
  { settings, sessions, watch }: DashboardContext,
  { headers }: IncomingMessage,
  { isUse, isApi }: { readonly isUse: boolean; readonly isApi: boolean },
): Caller {
  // Kibana's header for what a page asks by itself: an open page does not keep its session alive for ever.
  const isOfUser = isUse && headers['kbn-system-request'] !== 'true';
  const session = sessions.find(cookieOf(headers.cookie, settings.sessions.cookieName), isOfUser);
  if (session !== null) return { kind: 'user', session, authorization: session.authorization };
  if (isApi && headers.authorization !== undefined && /^(?:ApiKey|Bearer) \S+$/i.test(headers.authorization))
    return { kind: 'user', session: null, authorization: headers.authorization };
  return hasSecurity(watch) ? { kind: 'nobody' } : { kind: 'everybody' };
}

/** Whether the cluster asks for credentials; while it does not answer, what was last known. */
export const hasSecurity = (watch: ClusterWatch): boolean => watch.current().hasSecurity;

/** The user of a caller as `UserPrivileges` knows one; null in a cluster without security. */
export const privilegeUserOf = (
  caller: Exclude<Caller, { readonly kind: 'nobody' }>,
): { readonly id: string; readonly authorization: string } | null =>
  caller.kind === 'everybody'
    ? null
    : { id: caller.session?.id ?? caller.authorization, authorization: caller.authorization };
