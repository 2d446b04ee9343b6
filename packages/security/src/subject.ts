import type { IndexAccess } from '@shoal/state';
import type { ApiError } from '@shoal/errors';
import type { Authentication } from './authentication.js';
import type { Grants } from './permissions/grants.js';
import type { RoleDescriptor } from './role-descriptor.js';

/** What a caller may do; created once from its roles and cached while they do not change. */
export interface Permissions {
  /** Whether a cluster action (`cluster:monitor/health`) is granted. */
  allowsCluster(action: string): boolean;
  /**
   * Whether an action on API keys (`cluster:admin/xpack/security/api_key/get`) is granted for the caller's own keys.
   */
  allowsOwnKeys(action: string): boolean;
  /** Whether an index action is granted on at least one name. */
  allowsSomeIndex(action: string): boolean;
  /** Whether the caller may act as the user `username`. */
  allowsRunAs(username: string): boolean;
  /**
   * Whether an action on application privileges (`cluster:admin/xpack/security/privilege/put`) is granted for all of
   * these applications.
   */
  allowsForApplications(action: string, names: readonly string[]): boolean;
  allowsForSomeApplication(action: string): boolean;
  /** Names that the caller may use in an index action (`indices:data/read/search`); wildcards expand to these only. */
  indexAccess(action: string): IndexAccess;
  /** Compiled privileges; each element must grant an action. An empty list grants everything. */
  readonly grants: readonly Grants[];
}

/** The caller of a request and what it may do. Without security it is `EVERYBODY`. */
export interface Subject {
  /** Null when security is off. */
  readonly authentication: Authentication | null;
  readonly permissions: Permissions;
  /** Roles that the permissions come from, without the roles that limit an API key. */
  readonly roles: readonly RoleDescriptor[];
  /** The 403 of an action that is not granted; `indices` for index actions. */
  denied(action: string, indices?: readonly string[]): ApiError;
}

/** What identifies the caller of a request: headers, address and certificate. */
export interface Arrival {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly method: string;
  /** As sent, including the query string. */
  readonly uri: string;
  readonly remoteAddress: string;
  /** Subject of the client's TLS certificate, or null. */
  readonly certificateSubject: string | null;
}

/**
 * Authenticates a request before its body is read. Throws or rejects with the 401; returns without a promise if the
 * credentials are cached.
 */
export type Admit = (arrival: Arrival) => Subject | Promise<Subject>;
