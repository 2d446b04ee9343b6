import type { ClusterState } from '@shoal/state';
import type { Authentication, RealmRef, User } from '../authentication.js';
import type { Arrival } from '../subject.js';

/** A user with the hash that its password is checked against. */
export interface StoredLogin {
  readonly user: User;
  /** Null: the user has no password, and no password is accepted. */
  readonly hash: string | null;
}

/** A realm whose users log in with username and password. */
export interface PasswordRealm {
  readonly ref: RealmRef;
  /** Whether realms after this one are not asked if this one has the user. */
  readonly endsChain: boolean;
  /** Finds a user by name, or null. Reads only `state` or memory, never a shard. */
  find(state: ClusterState, username: string): StoredLogin | null;
}

/** Credentials that were accepted. */
export interface Verified {
  /**
   * The caller in this state; null if the credentials are not right any more. Called again when users or roles of the
   * state have changed.
   */
  current(state: ClusterState): Authentication | null;
  /** Milliseconds since 1970 after which the credentials are checked again; null: as long as the cache keeps them. */
  readonly expiresAtMs: number | null;
  /** Names (realm, user, key, token) by which a cache removes the credentials. */
  readonly tags: readonly string[];
}

/** A realm that authenticates by a signed token. */
export interface TokenRealm {
  readonly ref: RealmRef;
  /** Null: the token is not of this realm, or is not valid. */
  verify(token: string, arrival: Arrival): Promise<Verified | null>;
}

/** A realm that authenticates by the client certificate of a TLS connection. */
export interface CertificateRealm {
  readonly ref: RealmRef;
  verify(subject: string): Verified | null;
}

/** All realms of a node, by what they authenticate with. */
export interface Realms {
  readonly byPassword: readonly PasswordRealm[];
  readonly byToken: readonly TokenRealm[];
  readonly byCertificate: readonly CertificateRealm[];
}

/** The authentication of a user by a realm. */
export function realmAuthentication(user: User, realm: RealmRef): Authentication {
  return { user, realm, lookupRealm: realm, type: 'realm', apiKey: null, runAsBy: null, serviceAccount: null };
}
