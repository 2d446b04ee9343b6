import { errors, renderCause } from '@shoal/errors';
import type { Json } from '@shoal/json';
import { type CredentialChecks, grantedUser } from '../admission/granted-user.js';
import type { Authentication } from '../authentication.js';
import { checkKeys, failValidation } from '../body-checks.js';
import type { Subject } from '../subject.js';
import type { ApiKeys, KeyUpdates } from './api-keys.js';
import { idsOf, ownerOf, parseKeyChange, parseNewKey, visibleOf } from './key-body.js';
import { callerOf, type NamedKeys, permittedKeys } from './permitted-keys.js';

const ACTION = 'cluster:admin/xpack/security/api_key';

/**
 * The calls of `/_security/api_key`: each parses its body, checks what the caller may do, and returns the answer's
 * JSON. Throws what 8.12 answers. `refresh` is the parameter of this name; null if it is absent.
 */
export interface ApiKeyCalls {
  create(owner: Authentication, body: Json, refresh: string | null): Promise<Json>;
  /** Creates a key for the user whose credentials the body has; `path` of the request and `runAs` as `grantedUser`. */
  grant(
    by: Subject,
    path: string,
    body: Json,
    options: { readonly refresh: () => string | null; readonly runAs: () => string | null },
  ): Promise<Json>;
  /** The keys that are named, as the API shows them. */
  get(
    by: Subject,
    named: NamedKeys,
    options: { readonly activeOnly: boolean; readonly withLimitedBy: () => boolean },
  ): Promise<readonly Json[]>;
  query(by: Subject, body: Json, withLimitedBy: boolean): Promise<Json>;
  invalidate(by: Subject, body: Json): Promise<Json>;
  update(by: Authentication, id: string, body: Json): Promise<Json>;
  bulkUpdate(by: Authentication, body: Json): Promise<Json>;
}

const GRANT_KEYS = ['grant_type', 'username', 'password', 'access_token', 'run_as', 'api_key', 'client_authentication'];

/** The `api_key` of a grant. */
function grantedKeyOf(body: Json): Json {
  checkKeys(body, GRANT_KEYS, (key) => errors.xContentParse(`[grant_api_key_request] unknown field [${key}]`));
  const key = body['api_key'];
  if (typeof key !== 'object' || key === null || Array.isArray(key)) throw errors.xContentParse('Required [api_key]');
  return key as Json;
}

function textOf(body: Json, key: string): string | null {
  const value = body[key];
  return value === undefined || value === null ? null : String(value);
}

function invalidatedOf(body: Json): NamedKeys {
  checkKeys(body, ['ids', 'id', 'name', 'owner', 'username', 'realm_name'], (key) =>
    errors.xContentParse(`[invalidate_api_key] unknown field [${key}]`),
  );
  const named = {
    ids: idsOf(body),
    name: textOf(body, 'name'),
    username: textOf(body, 'username'),
    realmName: textOf(body, 'realm_name'),
    owner: ownerOf(body),
  };
  if (
    !named.owner &&
    named.ids === null &&
    named.name === null &&
    named.username === null &&
    named.realmName === null
  ) {
    failValidation([
      'One of [api key id(s), api key name, username, realm name] must be specified if [owner] flag is false',
    ]);
  }
  return named;
}

function bulkAnswer({ updated, noops, problems }: KeyUpdates): Json {
  const details = Object.fromEntries([...problems].map(([id, problem]) => [id, renderCause(problem)]));
  return { updated, noops, ...(problems.size === 0 ? {} : { errors: { count: problems.size, details } }) };
}

async function update(apiKeys: ApiKeys, by: Authentication, id: string, body: Json): Promise<Json> {
  checkKeys(body, ['role_descriptors', 'metadata'], (key) =>
    errors.xContentParse(`[update_api_key_request] unknown field [${key}]`),
  );
  const { updated, problems } = await apiKeys.update([id], parseKeyChange(body), by);
  for (const problem of problems.values()) throw problem;
  return { updated: updated.length > 0 };
}

async function bulkUpdate(apiKeys: ApiKeys, by: Authentication, body: Json): Promise<Json> {
  checkKeys(body, ['ids', 'role_descriptors', 'metadata'], (key) =>
    errors.xContentParse(`[bulk_update_api_key_request] unknown field [${key}]`),
  );
  const ids = idsOf(body);
  if (ids === null) failValidation(['Field [ids] cannot be empty']);
  return bulkAnswer(await apiKeys.update(ids!, parseKeyChange(body), by));
}

/** Creates the calls on the keys of a cluster; `checks` verify the credentials in grants. */
export function createApiKeyCalls(apiKeys: ApiKeys, checks: CredentialChecks): ApiKeyCalls {
  return {
    create: async (owner, body, refresh) => apiKeys.create(parseNewKey(body, visibleOf(refresh)), owner),
    async grant(by, path, body, { refresh, runAs }) {
      const wanted = parseNewKey(grantedKeyOf(body), visibleOf(refresh()));
      return apiKeys.create(wanted, await grantedUser(checks, by, path, body, runAs()));
    },
    async get(by, named, { activeOnly, withLimitedBy }) {
      const filter = permittedKeys(by, `${ACTION}/get`, named, activeOnly);
      return apiKeys.find(filter, withLimitedBy());
    },
    query(by, body, withLimitedBy) {
      const isManager = by.permissions.allowsCluster(`${ACTION}/query`);
      return apiKeys.query(body, isManager ? null : callerOf(by), withLimitedBy);
    },
    invalidate: async (by, body) =>
      apiKeys.invalidate(permittedKeys(by, `${ACTION}/invalidate`, invalidatedOf(body), false)),
    update: (by, id, body) => update(apiKeys, by, id, body),
    bulkUpdate: (by, body) => bulkUpdate(apiKeys, by, body),
  };
}
