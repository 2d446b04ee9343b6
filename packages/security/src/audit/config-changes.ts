import type { AuditChange } from './audit-event.js';

/** An answered request, with what is needed to see whether it changed the security configuration. */
export interface ConfigChange {
  /** Name of the API call, `security.put_user`. */
  readonly call: string;
  readonly status: number;
  /** Path parameters, `{ username: 'a' }`. */
  readonly path: Readonly<Record<string, string>>;
  /** Returns the parsed body; undefined if there is none. */
  readonly body: () => unknown;
}

type Verb = AuditChange['verb'];

/** API calls that change the configuration: name of the event, verb, and the kind of object changed. */
const CHANGES: Readonly<Record<string, readonly [name: string, verb: Verb, what: string]>> = {
  'security.put_user': ['put_user', 'put', 'user'],
  'security.delete_user': ['delete_user', 'delete', 'user'],
  'security.enable_user': ['change_enable_user', 'change', 'enable'],
  'security.disable_user': ['change_disable_user', 'change', 'disable'],
  'security.change_password': ['change_password', 'change', 'password'],
  'security.put_role': ['put_role', 'put', 'role'],
  'security.delete_role': ['delete_role', 'delete', 'role'],
  'security.put_role_mapping': ['put_role_mapping', 'put', 'role_mapping'],
  'security.delete_role_mapping': ['delete_role_mapping', 'delete', 'role_mapping'],
  'security.put_privileges': ['put_privileges', 'put', 'privileges'],
  'security.delete_privileges': ['delete_privileges', 'delete', 'privileges'],
  'security.create_api_key': ['create_apikey', 'create', 'apikey'],
  'security.grant_api_key': ['create_apikey', 'create', 'apikey'],
  'security.update_api_key': ['change_apikey', 'change', 'apikey'],
  'security.bulk_update_api_keys': ['change_apikeys', 'change', 'apikeys'],
  'security.invalidate_api_key': ['invalidate_apikeys', 'invalidate', 'apikeys'],
  'security.create_service_token': ['create_service_token', 'create', 'service_token'],
  'security.delete_service_token': ['delete_service_token', 'delete', 'service_token'],
};

const SECRET = new Set([
  'password',
  'password_hash',
  'access_token',
  'refresh_token',
  'token',
  'api_key',
  'client_authentication',
]);

/** Copies a body with each secret value replaced by a mark that it was present. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value === null || typeof value !== 'object') return typeof value === 'bigint' ? String(value) : value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      SECRET.has(key) ? [`has_${key}`, true] : [key, withoutSecrets(inner)],
    ),
  );
}

/** The change that an API call made; null for calls that change nothing. */
export function configChange({ call, path, body }: ConfigChange): AuditChange | null {
  if (!Object.hasOwn(CHANGES, call)) return null;
  const [name, verb, what] = CHANGES[call]!;
  const json = withoutSecrets(body());
  const named = path['username'] ?? path['name'] ?? path['id'];
  const about = Array.isArray(json) ? { items: json } : ((json ?? {}) as Record<string, unknown>);
  return { name, verb, body: { [what]: { ...(named === undefined ? {} : { name: named }), ...path, ...about } } };
}
