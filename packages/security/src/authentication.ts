import type { RoleDescriptor } from './role-descriptor.js';

/** Name and type of the realm of a user: `{ name: 'reserved', type: 'reserved' }`. */
export interface RealmRef {
  readonly name: string;
  readonly type: string;
}

/** A user as a realm describes it, without credentials. */
export interface User {
  readonly username: string;
  readonly roles: readonly string[];
  readonly fullName: string | null;
  readonly email: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly enabled: boolean;
}

/** The API key of a request. Its privileges are those that both its own roles and the roles of its owner grant. */
export interface ApiKeyRef {
  readonly id: string;
  readonly name: string;
  readonly roleDescriptors: readonly RoleDescriptor[];
  readonly limitedBy: readonly RoleDescriptor[];
  /** What its owner wrote about it. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The realm of its owner. */
  readonly creatorRealm: RealmRef;
}

/** An authenticated caller and how it was authenticated. */
export interface Authentication {
  readonly user: User;
  readonly realm: RealmRef;
  readonly lookupRealm: RealmRef;
  readonly type: 'realm' | 'api_key' | 'token' | 'anonymous' | 'internal';
  readonly apiKey: ApiKeyRef | null;
  /**
   * If the caller acts as another user (`es-security-runas-user`): the user that authenticated; `user` is the one it
   * acts as.
   */
  readonly runAsBy: User | null;
  /** `elastic/kibana` for a service account's token. */
  readonly serviceAccount: string | null;
}
