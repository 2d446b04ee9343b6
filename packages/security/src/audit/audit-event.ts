import type { Authentication } from '../authentication.js';

/** What `event.action` may be, except for changes of the security configuration, which name the change (`put_user`). */
export type AuditAction =
  | 'access_denied'
  | 'access_granted'
  | 'anonymous_access_denied'
  | 'authentication_failed'
  | 'authentication_success'
  | 'connection_denied'
  | 'connection_granted'
  | 'realm_authentication_failed'
  | 'run_as_denied'
  | 'run_as_granted'
  | 'system_access_granted'
  | 'tampered_request';

/** The HTTP request that an event is about. */
export interface AuditOrigin {
  /** `1.2.3.4:5`. */
  readonly address: string;
  readonly method: string;
  /** As sent, with the query string. */
  readonly uri: string;
  /** The same for all events of one request. */
  readonly requestId: string;
  readonly opaqueId: string | null;
  readonly traceId: string | null;
  /** The body as text; shown only if `emit_request_body` is on. */
  readonly body: string | null;
}

/** A change of the security configuration: `{ verb: 'put', body: { user: { name: 'a' } } }` of `put_user`. */
export interface AuditChange {
  /** `put_user`. */
  readonly name: string;
  readonly verb: 'put' | 'delete' | 'create' | 'change' | 'invalidate';
  /** Without passwords, keys and tokens. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A connection and the rule that let it in, or did not. */
export interface FilteredConnection {
  readonly address: string;
  /** `.http`, or `default` for those of other nodes. */
  readonly profile: '.http' | 'default';
  readonly isAllowed: boolean;
  /** `deny 10.0.0.0/8`; `allow default:accept_all` where none is about the address. */
  readonly rule: string;
}

/** Something that the audit trail tells. */
export interface AuditEvent {
  readonly layer: 'rest' | 'transport' | 'ip_filter' | 'security_config_change';
  readonly action: AuditAction | 'security_config_change';
  /** Null: nobody was recognised. */
  readonly authentication: Authentication | null;
  /** Null for what this node does by itself. */
  readonly origin: AuditOrigin | null;
  /** The user that somebody wants to act as; `authentication` is the one who wants it. */
  readonly runAs?: { readonly username: string; readonly realm: string | null };
  /** The user that refused credentials claim. */
  readonly claimedUser?: string;
  /** The realm that refused them. */
  readonly realm?: string;
  /** `indices:data/read/search`. */
  readonly privilege?: string;
  /** `SearchRequest`, or the name of the call. */
  readonly requestName?: string;
  readonly indices?: readonly string[];
  readonly change?: AuditChange;
  /** A connection that the IP filter looked at. */
  readonly connection?: FilteredConnection;
}

/** Takes events; never throws, never waits. */
export interface AuditTrail {
  record(event: AuditEvent): void;
}
