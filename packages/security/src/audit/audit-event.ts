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
  /** Client address and port, `1.2.3.4:5`. */
  readonly address: string;
  readonly method: string;
  /** As sent, including the query string. */
  readonly uri: string;
  /** The same in all events of one request. */
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

/** A connection and the IP filter rule that allowed or refused it. */
export interface FilteredConnection {
  readonly address: string;
  /** `.http`; `default` for connections of other nodes. */
  readonly profile: '.http' | 'default';
  readonly isAllowed: boolean;
  /** `deny 10.0.0.0/8`; `allow default:accept_all` if no rule matches the address. */
  readonly rule: string;
}

/** An event of the audit trail. */
export interface AuditEvent {
  readonly layer: 'rest' | 'transport' | 'ip_filter' | 'security_config_change';
  readonly action: AuditAction | 'security_config_change';
  /** Null: the request was not authenticated. */
  readonly authentication: Authentication | null;
  /** Null for what this node does by itself, without a request. */
  readonly origin: AuditOrigin | null;
  /** The user that `authentication` wants to act as. */
  readonly runAs?: { readonly username: string; readonly realm: string | null };
  /** Username in credentials that were refused. */
  readonly claimedUser?: string;
  /** The realm that refused the credentials. */
  readonly realm?: string;
  /** Action, `indices:data/read/search`. */
  readonly privilege?: string;
  /** `SearchRequest`, or the name of the API call. */
  readonly requestName?: string;
  readonly indices?: readonly string[];
  readonly change?: AuditChange;
  /** The connection of an event of the layer `ip_filter`. */
  readonly connection?: FilteredConnection;
}

/** Receives events; never throws, never blocks. */
export interface AuditRecorder {
  record(event: AuditEvent): void;
}

/** Receives events, and records them by the settings of their time. */
export interface AuditTrail extends AuditRecorder {
  /**
   * Returns a recorder that keeps to the settings of now. A request that switches auditing off, or excludes its own
   * user, is recorded by the settings that it found.
   */
  byPresentSettings(): AuditRecorder;
}
