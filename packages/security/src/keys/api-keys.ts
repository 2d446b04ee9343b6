import type { ClusterState } from '@shoal/state';
import type { Clock, Random } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { deepEqual, type Json } from '@shoal/json';
import type { Authentication } from '../authentication.js';
import type { SecurityDocument, SecurityDocuments, WhenVisible } from '../documents.js';
import { secretHash } from '../passwords/secret-hash.js';
import type { RoleDescriptor } from '../role-descriptor.js';
import { apiKeyToJson, type ApiKeyRecord, recordOf } from './api-key-record.js';
import { checkDerivedKey, ownRoles, renderRoleDescriptors } from './key-roles.js';
import { type ApiKeyFilter, findKeys, queryOf } from './find-keys.js';
import { keysQuery } from './query-keys.js';
import { createSweep } from '../sweep.js';
import { apiKeyTag } from './verify-api-key.js';

/** Request for a new API key. */
export interface NewApiKey {
  readonly name: string;
  /** Null: the key does not expire. */
  readonly lifetimeMs: number | null;
  readonly roles: readonly RoleDescriptor[];
  readonly metadata: Readonly<Json>;
  readonly visible: WhenVisible;
}

/** Changes to an API key; null keeps a value. Each update also sets the limits to the owner's present roles. */
export interface ApiKeyChange {
  readonly roles: readonly RoleDescriptor[] | null;
  readonly metadata: Readonly<Json> | null;
}

/** API keys, stored as documents of `.security-7`. */
export interface ApiKeys {
  /**
   * Returns `{id, name, expiration?, api_key, encoded}`. The secret is only in this answer; the document holds its
   * hash.
   */
  create(request: NewApiKey, owner: Authentication): Promise<Json>;
  find(filter: ApiKeyFilter, withLimitedBy: boolean): Promise<Json[]>;
  /** Runs the body of `_query/api_key`; an `owner` that is not null limits the hits to its keys. */
  query(body: Readonly<Json>, owner: Authentication | null, withLimitedBy: boolean): Promise<Json>;
  invalidate(filter: ApiKeyFilter): Promise<Json>;
  /** Updates keys of the owner; returns the ids that were changed, those that needed no change, and errors by id. */
  update(ids: readonly string[], change: ApiKeyChange, owner: Authentication): Promise<KeyUpdates>;
}

/** Result of an update: ids changed, ids that needed no change, and errors by id. */
export interface KeyUpdates {
  readonly updated: readonly string[];
  readonly noops: readonly string[];
  readonly problems: ReadonlyMap<string, Error>;
}

/** Dependencies of `createApiKeys`. */
export interface ApiKeysOptions {
  readonly state: () => ClusterState;
  readonly documents: SecurityDocuments;
  readonly clock: Clock;
  readonly random: Random;
  /** How long an expired or invalidated key is kept before it is deleted. */
  readonly retentionMs: number;
  /** Removes keys from the caches of all nodes. */
  readonly forget: (tags: readonly string[]) => Promise<void>;
}

const SWEEP_MS = 3_600_000;

/** `version` of the stored documents: the Elasticsearch release whose form they have. */
const RECORD_VERSION = 8_120_099;

/** Document ids have 20 characters (120 random bits), secrets 22 (128 random bits). */
function newKey(random: Random): { id: string; secret: string } {
  const text = (bytes: number): string => Buffer.from(random.bytes(bytes)).toString('base64url');
  return { id: text(15), secret: text(16) };
}

function recordFor(request: NewApiKey, owner: Authentication, options: ApiKeysOptions, secret: string): ApiKeyRecord {
  const { user, lookupRealm } = owner;
  const nowMs = options.clock.now();
  return {
    doc_type: 'api_key',
    name: request.name,
    version: RECORD_VERSION,
    creation_time: nowMs,
    expiration_time: request.lifetimeMs === null ? null : nowMs + request.lifetimeMs,
    api_key_invalidated: false,
    api_key_hash: secretHash(secret),
    role_descriptors: renderRoleDescriptors(request.roles),
    limited_by_role_descriptors: renderRoleDescriptors(ownRoles(options.state(), owner)),
    metadata_flattened: request.metadata,
    creator: {
      principal: user.username,
      full_name: user.fullName,
      email: user.email,
      metadata: user.metadata,
      realm: lookupRealm.name,
      realm_type: lookupRealm.type,
    },
  };
}

async function create(options: ApiKeysOptions, request: NewApiKey, owner: Authentication): Promise<Json> {
  checkDerivedKey(owner, request.roles);
  const { id, secret } = newKey(options.random);
  const record = recordFor(request, owner, options, secret);
  await options.documents.create('.security-7', id, { ...record }, request.visible);
  return {
    id,
    name: record.name,
    ...(record.expiration_time === null ? {} : { expiration: record.expiration_time }),
    api_key: secret,
    encoded: Buffer.from(`${id}:${secret}`).toString('base64'),
  };
}

/** Invalidates one key; false if it was invalidated before. Retries if the document is changed at the same time. */
async function invalidateOne({ documents, clock }: ApiKeysOptions, found: SecurityDocument): Promise<boolean> {
  for (
    let read: SecurityDocument | null = found;
    read !== null && !recordOf(read).api_key_invalidated;
    read = await documents.get('.security-7', found.id)
  ) {
    const marked = { ...recordOf(read), api_key_invalidated: true, invalidation_time: clock.now() };
    if (await documents.replace('.security-7', read, marked, 'now')) return true;
  }
  return false;
}

async function invalidate(options: ApiKeysOptions, filter: ApiKeyFilter): Promise<Json> {
  const found = await findKeys(options.documents, filter);
  const done: string[] = [];
  const before: string[] = [];
  for (const document of found) ((await invalidateOne(options, document)) ? done : before).push(document.id);
  if (done.length > 0) await options.forget(done.map(apiKeyTag));
  return { invalidated_api_keys: done, previously_invalidated_api_keys: before, error_count: 0 };
}

function isOwner(record: ApiKeyRecord, owner: Authentication): boolean {
  return record.creator.principal === owner.user.username && record.creator.realm === owner.lookupRealm.name;
}

function checkUpdatable(
  document: SecurityDocument | null,
  id: string,
  owner: Authentication,
  nowMs: number,
): ApiKeyRecord {
  const record = document === null ? null : recordOf(document);
  if (record === null || record.doc_type !== 'api_key' || !isOwner(record, owner))
    throw errors.resourceNotFound(`no API key owned by requesting user found for ID [${id}]`);
  if (record.api_key_invalidated) throw errors.illegalArgument(`cannot update invalidated API key [${id}]`);
  if (record.expiration_time !== null && record.expiration_time <= nowMs)
    throw errors.illegalArgument(`cannot update expired API key [${id}]`);
  return record;
}

async function updateOne(
  options: ApiKeysOptions,
  id: string,
  change: ApiKeyChange,
  owner: Authentication,
): Promise<boolean> {
  const document = await options.documents.get('.security-7', id);
  const record = checkUpdatable(document, id, owner, options.clock.now());
  const next: ApiKeyRecord = {
    ...record,
    limited_by_role_descriptors: renderRoleDescriptors(ownRoles(options.state(), owner)),
    ...(change.roles === null ? {} : { role_descriptors: renderRoleDescriptors(change.roles) }),
    ...(change.metadata === null ? {} : { metadata_flattened: change.metadata }),
  };
  if (deepEqual(record, next)) return false;
  if (!(await options.documents.replace('.security-7', document!, { ...next }, 'now')))
    throw errors.versionConflict(`[${id}]: version conflict, the API key was changed by another request`);
  return true;
}

async function update(
  options: ApiKeysOptions,
  ids: readonly string[],
  change: ApiKeyChange,
  owner: Authentication,
): Promise<KeyUpdates> {
  if (owner.apiKey !== null)
    throw errors.illegalArgument('authentication via API key not supported: only the owner user can update an API key');
  const updated: string[] = [];
  const noops: string[] = [];
  const problems = new Map<string, Error>();
  for (const id of new Set(ids)) {
    try {
      ((await updateOne(options, id, change, owner)) ? updated : noops).push(id);
    } catch (error) {
      problems.set(id, error as Error);
    }
  }
  if (updated.length > 0) await options.forget(updated.map(apiKeyTag));
  return { updated, noops, problems };
}

async function query(
  { documents }: ApiKeysOptions,
  body: Readonly<Json>,
  owner: Authentication | null,
  withLimitedBy: boolean,
): Promise<Json> {
  const found = await documents.search('.security-7', keysQuery(body, owner === null ? [] : queryOf(ownedBy(owner))));
  return {
    total: found.total,
    count: found.documents.length,
    api_keys: found.documents.map((document) => apiKeyToJson(document, withLimitedBy)),
  };
}

/** Filter for the keys of one owner; an API key as owner sees itself only. */
export function ownedBy({ user, lookupRealm, apiKey }: Authentication): ApiKeyFilter {
  const anything: ApiKeyFilter = { ids: null, name: null, username: null, realmName: null, activeOnly: false };
  return apiKey
    ? { ...anything, ids: [apiKey.id] }
    : { ...anything, username: user.username, realmName: lookupRealm.name };
}

/**
 * Returns a function that deletes keys whose end is longer ago than `retentionMs`; it runs once an hour at most, when
 * keys are created.
 */
function createKeySweep({ documents, clock, retentionMs }: ApiKeysOptions): () => Promise<void> {
  const before = (field: string, nowMs: number): Json => ({ range: { [field]: { lt: nowMs - retentionMs } } });
  return createSweep({
    documents,
    clock,
    index: '.security-7',
    intervalMs: SWEEP_MS,
    query: (nowMs) => ({
      bool: { should: [before('expiration_time', nowMs), before('invalidation_time', nowMs)], minimum_should_match: 1 },
    }),
    isUseless(document, nowMs) {
      const { expiration_time: expired, invalidation_time: ended } = recordOf(document);
      return Math.min(expired ?? Number.POSITIVE_INFINITY, ended ?? Number.POSITIVE_INFINITY) < nowMs - retentionMs;
    },
  });
}

/** Creates the API keys of a cluster. */
export function createApiKeys(options: ApiKeysOptions): ApiKeys {
  const sweep = createKeySweep(options);
  return {
    async create(request, owner) {
      const answer = await create(options, request, owner);
      await sweep();
      return answer;
    },
    async find(filter, withLimitedBy) {
      const found = await findKeys(options.documents, filter);
      const nowMs = options.clock.now();
      const isActive = ({ api_key_invalidated: gone, expiration_time: end }: ApiKeyRecord): boolean =>
        !gone && (end === null || end > nowMs);
      return found
        .filter((document) => !filter.activeOnly || isActive(recordOf(document)))
        .map((document) => apiKeyToJson(document, withLimitedBy));
    },
    query: (body, owner, withLimitedBy) => query(options, body, owner, withLimitedBy),
    invalidate: (filter) => invalidate(options, filter),
    update: (ids, change, owner) => update(options, ids, change, owner),
  };
}
