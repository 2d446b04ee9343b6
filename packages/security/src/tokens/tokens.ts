import type { ClusterState } from '@shoal/state';
import type { Clock, Random } from '@shoal/doors';
import type { Authentication, RealmRef, User } from '../authentication.js';
import type { SecurityDocument, SecurityDocuments } from '../documents.js';
import { matchesSecret, secretHash } from '../passwords/secret-hash.js';
import { realmAuthentication, type Verified } from '../realms/realm.js';
import { createSweep } from '../sweep.js';
import { type TokenRecord, tokenRecord } from './token-record.js';
import { newTokenParts, tokenId, tokenText } from './token-text.js';

/** The tokens of a grant, or the error in the words of RFC 6749. */
export type TokenAnswer =
  | {
      readonly granted: {
        readonly accessToken: string;
        readonly refreshToken: string | null;
        readonly expiresInSeconds: number;
        readonly authentication: Authentication;
      };
    }
  | {
      readonly refused: {
        readonly error: 'invalid_grant' | 'invalid_request' | 'unsupported_grant_type';
        readonly description: string;
      };
    };

/** Which tokens to invalidate. */
export type TokenFilter =
  | { readonly accessToken: string }
  | { readonly refreshToken: string }
  | { readonly realmName: string | null; readonly username: string | null };

/** Result of invalidating tokens: how many were invalidated now, and how many before. */
export interface TokenInvalidation {
  readonly invalidated: number;
  readonly before: number;
  /** Whether the named token does not exist. */
  readonly isUnknown: boolean;
}

/** OAuth 2 tokens, documents of `.security-tokens-7`. */
export interface Tokens {
  /** Creates tokens for an authenticated user; `client` requested them. */
  grant(authentication: Authentication, client: Authentication, isRefreshable: boolean): Promise<TokenAnswer>;
  /** Exchanges a refresh token for new tokens. It works once and within 24 hours. */
  refresh(refreshToken: string, client: Authentication): Promise<TokenAnswer>;
  invalidate(filter: TokenFilter): Promise<TokenInvalidation>;
  /** Null: not a token of this kind, or not a valid one. */
  verify(accessToken: string): Promise<Verified | 'expired' | null>;
}

/** Dependencies of `createTokens`. */
export interface TokensOptions {
  readonly documents: SecurityDocuments;
  readonly clock: Clock;
  readonly random: Random;
  readonly lifetimeMs: number;
  /** How long a token that was read stays cached. */
  readonly cacheTtlMs: number;
  /** The user as its realm has it now; null if it is gone or disabled. If the realm keeps no users, the given user. */
  readonly userNow: (state: ClusterState, realm: RealmRef, user: User) => User | null;
  /** The authentication of `by` acting as another user; throws the 403 if it may not. */
  readonly acting: (
    state: ClusterState,
    by: Authentication,
    as: { readonly user: User; readonly realm: RealmRef },
  ) => Authentication;
  /** Removes tokens from the caches of all nodes. */
  readonly forget: (tags: readonly string[]) => Promise<void>;
}

const REFRESHABLE_MS = 24 * 3_600_000;
const SWEEP_MS = 30 * 60_000;
const FOUND_MAX = 10_000;
const INDEX = '.security-tokens-7';

/** Cache tag of a token, see `Verified.tags`. */
const tokenTag = (id: string): string => `token:${id}`;

function refusal(error: 'invalid_grant' | 'invalid_request', description: string): TokenAnswer {
  return { refused: { error, description } };
}

async function grant(
  options: TokensOptions,
  authentication: Authentication,
  client: Authentication,
  isRefreshable: boolean,
): Promise<TokenAnswer> {
  const { clock, random, lifetimeMs, documents } = options;
  const parts = newTokenParts(random);
  const accessToken = tokenText('access', parts.id, parts.access);
  const refreshToken = isRefreshable ? tokenText('refresh', parts.id, parts.refresh) : null;
  const nowMs = clock.now();
  const { user, realm, lookupRealm, runAsBy } = authentication;
  const record: TokenRecord = {
    doc_type: 'token',
    creation_time: nowMs,
    access_expires: nowMs + lifetimeMs,
    refresh_expires: isRefreshable ? nowMs + REFRESHABLE_MS : null,
    access_hash: secretHash(accessToken),
    refresh_hash: refreshToken === null ? null : secretHash(refreshToken),
    invalidated: false,
    refreshed: false,
    principal: user.username,
    realm: lookupRealm.name,
    realm_type: lookupRealm.type,
    user: runAsBy === null ? user : { ...user, run_by: { user: runAsBy, realm } },
    client: { username: client.user.username, realm: client.lookupRealm },
    useless_from: nowMs + Math.max(lifetimeMs, isRefreshable ? REFRESHABLE_MS : 0),
  };
  await documents.create(INDEX, parts.id, { ...record }, 'later');
  return {
    granted: {
      accessToken,
      refreshToken,
      expiresInSeconds: Math.floor(lifetimeMs / 1000),
      authentication: { ...authentication, type: 'token' },
    },
  };
}

function refreshProblem(
  record: TokenRecord | null,
  refreshToken: string,
  client: Authentication,
  nowMs: number,
): string | null {
  if (record === null || record.refresh_hash === null || !matchesSecret(refreshToken, record.refresh_hash))
    return 'could not refresh the requested token';
  if (record.invalidated) return 'token has been invalidated';
  if (record.refreshed) return 'token has already been refreshed';
  if (record.refresh_expires! <= nowMs) return 'refresh token is expired';
  const { username, realm } = record.client;
  return username === client.user.username && realm.name === client.lookupRealm.name
    ? null
    : 'tokens must be refreshed by the creating client';
}

async function refresh(options: TokensOptions, refreshToken: string, client: Authentication): Promise<TokenAnswer> {
  const id = tokenId('refresh', refreshToken);
  const document = id === null ? null : await options.documents.get(INDEX, id);
  const record = document === null ? null : tokenRecord(document);
  const problem = refreshProblem(record, refreshToken, client, options.clock.now());
  if (problem !== null) return refusal('invalid_grant', problem);
  if (!(await options.documents.replace(INDEX, document!, { ...record!, refreshed: true }, 'later')))
    return refusal('invalid_grant', 'token has already been refreshed');
  return grant(options, authenticationAtGrant(record!), client, true);
}

/** The authentication for which a token was granted, with its users as of then. */
function authenticationAtGrant({ user: stored, realm: name, realm_type: type }: TokenRecord): Authentication {
  const { run_by: by, ...user } = stored;
  const own: Authentication = { ...realmAuthentication(user, { name, type }), type: 'token' };
  return by === undefined ? own : { ...own, realm: by.realm, runAsBy: by.user };
}

/**
 * A granted authentication with its users as they are now; null if one of them is gone. Throws the 403 if run-as is not
 * granted any more.
 */
function currentAuthentication(
  { userNow, acting }: TokensOptions,
  { user: granted, realm, lookupRealm, runAsBy }: Authentication,
  state: ClusterState,
): Authentication | null {
  const user = userNow(state, lookupRealm, granted);
  if (user === null) return null;
  const token = (owner: User, of: RealmRef): Authentication => ({ ...realmAuthentication(owner, of), type: 'token' });
  if (runAsBy === null) return token(user, lookupRealm);
  const by = userNow(state, realm, runAsBy);
  return by && acting(state, token(by, realm), { user, realm: lookupRealm });
}

async function invalidateOne({ documents }: TokensOptions, found: SecurityDocument): Promise<boolean> {
  for (
    let read: SecurityDocument | null = found;
    read !== null && !tokenRecord(read).invalidated;
    read = await documents.get(INDEX, found.id)
  ) {
    if (await documents.replace(INDEX, read, { ...tokenRecord(read), invalidated: true }, 'now')) return true;
  }
  return false;
}

async function findByText(
  documents: SecurityDocuments,
  use: 'access' | 'refresh',
  text: string,
): Promise<SecurityDocument[]> {
  const id = tokenId(use, text);
  const document = id === null ? null : await documents.get(INDEX, id);
  const hash = document === null ? null : tokenRecord(document)[`${use}_hash`];
  return document !== null && hash !== null && matchesSecret(text, hash) ? [document] : [];
}

async function findTokens({ documents }: TokensOptions, filter: TokenFilter): Promise<readonly SecurityDocument[]> {
  if ('accessToken' in filter) return findByText(documents, 'access', filter.accessToken);
  if ('refreshToken' in filter) return findByText(documents, 'refresh', filter.refreshToken);
  const { realmName, username } = filter;
  const clauses = [
    ...(realmName === null ? [] : [{ term: { realm: { value: realmName } } }]),
    ...(username === null ? [] : [{ term: { principal: { value: username } } }]),
  ];
  const found = await documents.search(INDEX, { size: FOUND_MAX, query: { bool: { filter: clauses } } });
  return found.documents.filter(
    (document) =>
      (realmName === null || tokenRecord(document).realm === realmName) &&
      (username === null || tokenRecord(document).principal === username),
  );
}

async function invalidate(options: TokensOptions, filter: TokenFilter): Promise<TokenInvalidation> {
  const found = await findTokens(options, filter);
  const done: string[] = [];
  for (const document of found) if (await invalidateOne(options, document)) done.push(document.id);
  if (done.length > 0) await options.forget(done.map(tokenTag));
  return {
    invalidated: done.length,
    before: found.length - done.length,
    isUnknown: found.length === 0 && !('username' in filter),
  };
}

async function verify(options: TokensOptions, accessToken: string): Promise<Verified | 'expired' | null> {
  const id = tokenId('access', accessToken);
  const document = id === null ? null : await options.documents.get(INDEX, id);
  const record = document === null ? null : tokenRecord(document);
  const nowMs = options.clock.now();
  if (record === null || !matchesSecret(accessToken, record.access_hash)) return null;
  if (record.invalidated || record.access_expires <= nowMs) return 'expired';
  const granted = authenticationAtGrant(record);
  const { user, runAsBy, realm, lookupRealm } = granted;
  return {
    current: (state) => currentAuthentication(options, granted, state),
    expiresAtMs: Math.min(record.access_expires, nowMs + options.cacheTtlMs),
    tags: [tokenTag(id!), lookupRealm.name, user.username, ...(runAsBy === null ? [] : [realm.name, runAsBy.username])],
  };
}

/** Creates the tokens of a cluster. */
export function createTokens(options: TokensOptions): Tokens {
  const sweep = createSweep({
    documents: options.documents,
    clock: options.clock,
    index: INDEX,
    intervalMs: SWEEP_MS,
    query: (nowMs) => ({ range: { useless_from: { lt: nowMs } } }),
    isUseless: (document, nowMs) => tokenRecord(document).useless_from < nowMs,
  });
  return {
    async grant(authentication, client, isRefreshable) {
      const answer = await grant(options, authentication, client, isRefreshable);
      await sweep();
      return answer;
    },
    refresh: (refreshToken, client) => refresh(options, refreshToken, client),
    invalidate: (filter) => invalidate(options, filter),
    verify: (accessToken) => verify(options, accessToken),
  };
}
