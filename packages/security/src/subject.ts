import type { IndexAccess } from '@shoal/cluster';
import type { ApiError } from '@shoal/errors';
import type { Authentication } from './authentication.js';

/** What a caller may do; made once from its roles and kept as long as they stay the same. */
export interface Permissions {
  /** Whether a cluster action (`cluster:monitor/health`) is granted. */
  allowsCluster(action: string): boolean;
  /** What the caller may name for an index action (`indices:data/read/search`); wildcards see only that. */
  indexAccess(action: string): IndexAccess;
}

/** The one that makes a request, with what it may do. Every request has one; without security it is `EVERYBODY`. */
export interface Subject {
  /** Null when security is off. */
  readonly authentication: Authentication | null;
  readonly permissions: Permissions;
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

/** Finds out who makes a request, before its body is read. Throws the 401; answers at once when the credentials are known. */
export type Admit = (arrival: Arrival) => Subject | Promise<Subject>;
