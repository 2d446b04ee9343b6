import type { ClusterState } from '@shoal/state';
import type { Authentication, RealmRef, User } from '../authentication.js';
import type { Arrival } from '../subject.js';

/** A user with what its password is checked against. */
export interface KnownUser {
  readonly user: User;
  /** Null: it has no password, and none is right. */
  readonly hash: string | null;
}

/** A realm whose users log in with a name and a password. */
export interface PasswordRealm {
  readonly ref: RealmRef;
  /** Whether no other realm is asked about a user of this one. */
  readonly endsChain: boolean;
  /** The user of that name, or null. Reads the state only. */
  find(state: ClusterState, username: string): KnownUser | null;
}

/** Credentials that were right. */
export interface Verified {
  /**
   * Who they stand for in this state; null when they are not right any more. Called again when the state's users or
   * roles have changed.
   */
  current(state: ClusterState): Authentication | null;
  /** Milliseconds since 1970 after which they are checked again; null: as long as the cache keeps them. */
  readonly expiresAtMs: number | null;
  /** What they are forgotten by when caches are cleared. */
  readonly tags: readonly string[];
}

/** A realm that knows users by a signed token. */
export interface TokenRealm {
  readonly ref: RealmRef;
  /** Null: not a token of this realm, or not a right one. */
  verify(token: string, arrival: Arrival): Promise<Verified | null>;
}

/** A realm that knows users by the certificate of their TLS connection. */
export interface CertificateRealm {
  readonly ref: RealmRef;
  verify(subject: string): Verified | null;
}

/** Everything that a user's name is looked up in, and checked with. */
export interface Realms {
  readonly byPassword: readonly PasswordRealm[];
  readonly byToken: readonly TokenRealm[];
  readonly byCertificate: readonly CertificateRealm[];
}

/** An authentication by a realm. */
export function realmAuthentication(user: User, realm: RealmRef): Authentication {
  return { user, realm, lookupRealm: realm, type: 'realm', apiKey: null, runAsBy: null, serviceAccount: null };
}
