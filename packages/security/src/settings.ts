import type { ConfiguredRealm } from './realms/realm-settings.js';

/** Authentication settings of the node. */
export interface SecuritySettings {
  /** Null: no anonymous requests. */
  readonly anonymous: {
    readonly username: string;
    readonly roles: readonly string[];
    /** Whether actions that it may not do are refused with 403; false: with 401. */
    readonly authzException: boolean;
  } | null;
  readonly reservedRealmEnabled: boolean;
  readonly runAsEnabled: boolean;
  readonly apiKeys: {
    readonly enabled: boolean;
    /** How long a key that was read stays cached. */
    readonly cacheTtlMs: number;
    /** How long an expired or invalidated key is kept before it is deleted. */
    readonly retentionMs: number;
  };
  readonly tokens: { readonly enabled: boolean; readonly lifetimeMs: number };
  /** How long accepted passwords stay cached, in milliseconds. */
  readonly credentialTtlMs: number;
  /** Milliseconds between two looks at the files of the file realms; null: they are read once. */
  readonly filesReloadMs: number | null;
  /** In the order in which realms are asked. */
  readonly realms: readonly ConfiguredRealm[];
  /** Password of `elastic` until one is set; null if there is none. */
  readonly bootstrapPassword: string | null;
}
