import type { IndexAccess } from '@shoal/state';
import type { ApiError } from '@shoal/errors';
import type { Authentication } from './authentication.js';
import type { Grants } from './permissions/grants.js';
import type { RoleDescriptor } from './role-descriptor.js';

/** What a caller may do; made once from its roles and kept as long as they stay the same. */
export interface Permissions {
  /** Whether a cluster action (`cluster:monitor/health`) is granted. */
  allowsCluster(action: string): boolean;
  /**
   * Whether an action on API keys (`cluster:admin/xpack/security/api_key/get`) is granted for the caller's own ones.
   */
  allowsOwnKeys(action: string): boolean;
  /** Whether an index action is granted on any name at all. */
  allowsSomeIndex(action: string): boolean;
  /** Whether the caller may act as the user of a name. */
  allowsRunAs(username: string): boolean;
  /**
   * Whether an action on applications (`cluster:admin/xpack/security/privilege/put`) is granted for all of these names.
   */
  allowsForApplications(action: string, names: readonly string[]): boolean;
  allowsForSomeApplication(action: string): boolean;
  /** What the caller may name for an index action (`indices:data/read/search`); wildcards see only that. */
  indexAccess(action: string): IndexAccess;
  /** What roles grant, compiled: all of them must grant what is asked for. Empty: everything is granted. */
  readonly grants: readonly Grants[];
}

/** The one that makes a request, with what it may do. Every request has one; without security it is `EVERYBODY`. */
export interface Subject {
  /** Null when security is off. */
  readonly authentication: Authentication | null;
  readonly permissions: Permissions;
  /** The roles that permissions come from; those of an API key without the ones that limit it. */
  readonly roles: readonly RoleDescriptor[];
  /** The 403 of an action that is not granted; `indices` for index actions. */
  denied(action: string, indices?: readonly string[]): ApiError;
}

/** What of a request says who makes it. */
export interface Arrival {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly method: string;
  /** As sent, with the query string. */
  readonly uri: string;
  readonly remoteAddress: string;
  /** Subject of the TLS certificate that the client showed, or null. */
  readonly certificateSubject: string | null;
}

/**
 * Finds out who makes a request, before its body is read. Throws the 401; answers at once when the credentials are
 * known.
 */
export type Admit = (arrival: Arrival) => Subject | Promise<Subject>;
