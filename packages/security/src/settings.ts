import type { ConfiguredRealm } from './realms/realm-settings.js';

/** What the node's configuration says about authentication. */
export interface SecuritySettings {
  /** Null: no anonymous requests. */
  readonly anonymous: {
    readonly username: string;
    readonly roles: readonly string[] /** Whether what it may not do is answered with 403 rather than 401. */;
    readonly authzException: boolean;
  } | null;
  readonly reservedRealmEnabled: boolean;
  readonly runAsEnabled: boolean;
  readonly apiKeys: {
    readonly enabled: boolean /** How long a key that was read stays known. */;
    readonly cacheTtlMs: number /** How long keys that ended are kept. */;
    readonly retentionMs: number;
  };
  readonly tokens: { readonly enabled: boolean; readonly lifetimeMs: number };
  /** How long right passwords stay known. */
  readonly credentialTtlMs: number;
  /** In the order in which they are asked. */
  readonly realms: readonly ConfiguredRealm[];
  /** Password of `elastic` until one is set; null: none. */
  readonly bootstrapPassword: string | null;
}
