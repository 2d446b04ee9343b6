import type { RoleDescriptor } from './role-descriptor.js';

/** Where a user was found: `{ name: 'reserved', type: 'reserved' }`. */
export interface RealmRef {
  readonly name: string;
  readonly type: string;
}

/** A user as realms describe it; without its credentials. */
export interface User {
  readonly username: string;
  readonly roles: readonly string[];
  readonly fullName: string | null;
  readonly email: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly enabled: boolean;
}

/**
 * The API key that a request came with; what it may do is the overlap of its own roles and those that its owner had.
 */
export interface ApiKeyRef {
  readonly id: string;
  readonly name: string;
  readonly roleDescriptors: readonly RoleDescriptor[];
  readonly limitedBy: readonly RoleDescriptor[];
}

/** Who makes a request, and how that was shown. */
export interface Authentication {
  readonly user: User;
  readonly realm: RealmRef;
  readonly lookupRealm: RealmRef;
  readonly type: 'realm' | 'api_key' | 'token' | 'anonymous' | 'internal';
  readonly apiKey: ApiKeyRef | null;
  /** The user that authenticated when it acts as another one (`es-security-runas-user`); `user` is the one acted as. */
  readonly runAsBy: User | null;
  /** `elastic/kibana` for a service account's token. */
  readonly serviceAccount: string | null;
}
