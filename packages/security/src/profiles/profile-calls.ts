import type { Clock } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { Json, JsonObject } from '@shoal/json';
import { type CredentialChecks, grantedUser } from '../admission/granted-user.js';
import type { Authentication } from '../authentication.js';
import { checkKeys, failValidation } from '../body-checks.js';
import type { SecurityDocument, WhenVisible } from '../documents.js';
import { createSubject } from '../permissions/create-subject.js';
import { hasPrivileges, parsePrivilegeQuestions } from '../permissions/has-privileges.js';
import type { Subject } from '../subject.js';
import { parseProfileData, parseSuggestion, textsAt } from './profile-body.js';
import { profileOf, profileToJson } from './profile-record.js';
import type { ProfileChange, Profiles } from './profiles.js';

/**
 * The calls of `/_security/profile`: each parses its body, checks what the caller may do, and returns the answer's
 * JSON. Throws what 8.12 answers.
 */
export interface ProfileCalls {
  /** Creates or updates the profile of the user whose credentials the body has; `path` is that of the request. */
  activate(by: Subject, path: string, body: JsonObject): Promise<Json>;
  /** Profiles by uid, with the parts of their data that are `wanted`. */
  get(uids: readonly string[], wanted: readonly string[]): Promise<Json>;
  /** `wanted` is the parameter `data`, which excludes `data` of the body; null if it is absent. */
  suggest(body: JsonObject, wanted: readonly string[] | null): Promise<Json>;
  /** Adds labels and data; the condition is read once the caller may change these applications. */
  change(
    by: Subject,
    uid: string,
    body: JsonObject,
    condition: () => Pick<ProfileChange, 'ifSeqNo' | 'ifPrimaryTerm' | 'visible'>,
  ): Promise<void>;
  setEnabled(uid: string, enabled: boolean, visible: WhenVisible): Promise<void>;
  /** Uids of the profiles whose users have all privileges of the body. */
  has(body: JsonObject): Promise<Json>;
}

/** Dependencies of `createProfileCalls`. */
export interface ProfileCallsOptions {
  readonly profiles: Profiles;
  readonly checks: CredentialChecks;
  readonly clock: Clock;
}

const CHANGE = 'cluster:admin/xpack/security/profile/put/data';

/** Most profiles in one request. */
const UIDS_MAX = 10_000;

async function activate(
  { profiles, checks }: ProfileCallsOptions,
  by: Subject,
  path: string,
  body: JsonObject,
): Promise<Json> {
  checkKeys(body, ['grant_type', 'username', 'password', 'access_token'], (key) =>
    errors.xContentParse(`[activate_profile_request] unknown field [${key}]`),
  );
  return profiles.activate(await grantedUser(checks, by, path, body, null));
}

function checkCount(uids: readonly string[]): void {
  if (uids.length > UIDS_MAX) throw errors.illegalArgument(`more than [${UIDS_MAX}] profiles were asked for at once`);
}

/** The section `errors` for profiles that do not exist; empty if all exist. */
function problems(found: ReadonlyMap<string, SecurityDocument | null>): JsonObject {
  const missing = [...found].filter(([, document]) => document === null).map(([uid]) => uid);
  if (missing.length === 0) return {};
  const problem = { type: 'resource_not_found_exception', reason: 'profile document not found' };
  return { errors: { count: missing.length, details: Object.fromEntries(missing.map((uid) => [uid, problem])) } };
}

async function get(
  { profiles }: ProfileCallsOptions,
  uids: readonly string[],
  wanted: readonly string[],
): Promise<Json> {
  checkCount(uids);
  const found = await profiles.find(uids);
  const shown = [...found.values()]
    .filter((document) => document !== null)
    .map((document) => profileToJson(document, wanted));
  return { profiles: shown, ...problems(found) };
}

async function suggest(
  { profiles, clock }: ProfileCallsOptions,
  body: JsonObject,
  inUri: readonly string[] | null,
): Promise<Json> {
  const inBody = textsAt(body, 'data', 'suggest_profile');
  if (inUri !== null && inBody !== null)
    failValidation(['[data] cannot be specified both as query string parameter and in the request body']);
  const startedMs = clock.monotonic();
  const { total, profiles: found } = await profiles.suggest(parseSuggestion(body), inUri ?? inBody ?? []);
  return {
    took: Math.round(clock.monotonic() - startedMs),
    total: { value: total, relation: 'eq' },
    profiles: found,
  };
}

/** Changes a profile. A role may grant this for the data of some applications only. */
async function change(
  { profiles }: ProfileCallsOptions,
  by: Subject,
  uid: string,
  body: JsonObject,
  condition: () => Pick<ProfileChange, 'ifSeqNo' | 'ifPrimaryTerm' | 'visible'>,
): Promise<void> {
  const { labels, data, applications } = parseProfileData(body);
  if (!by.permissions.allowsForApplications(CHANGE, applications)) throw by.denied(CHANGE);
  await profiles.change(uid, { labels, data, ...condition() });
}

/** The user of a profile, with its roles at the last login. */
function userOf(document: SecurityDocument): Authentication {
  const { username, roles, realm, email, full_name: fullName } = profileOf(document).user;
  return {
    user: { username, roles, fullName, email, metadata: {}, enabled: true },
    realm,
    lookupRealm: realm,
    type: 'realm',
    apiKey: null,
    runAsBy: null,
    serviceAccount: null,
  };
}

async function has({ profiles, checks }: ProfileCallsOptions, body: JsonObject): Promise<Json> {
  checkKeys(body, ['uids', 'privileges'], (key) =>
    errors.xContentParse(`[profile_has_privileges_request] unknown field [${key}]`),
  );
  const uids = textsAt(body, 'uids', 'profile_has_privileges_request') ?? [];
  if (uids.length === 0) failValidation(['profile uids list must not be empty']);
  checkCount(uids);
  const questions = parsePrivilegeQuestions(body['privileges']);
  const found = await profiles.find(uids);
  const state = checks.state();
  const may = (document: SecurityDocument): boolean =>
    profileOf(document).enabled &&
    hasPrivileges(createSubject(userOf(document), state), questions, state)['has_all_requested'] === true;
  return {
    has_privilege_uids: [...found].filter(([, document]) => document !== null && may(document)).map(([uid]) => uid),
    ...problems(found),
  };
}

/** Creates the calls on the profiles of a cluster. */
export function createProfileCalls(options: ProfileCallsOptions): ProfileCalls {
  return {
    activate: (by, path, body) => activate(options, by, path, body),
    get: (uids, wanted) => get(options, uids, wanted),
    suggest: (body, wanted) => suggest(options, body, wanted),
    change: (by, uid, body, condition) => change(options, by, uid, body, condition),
    setEnabled: (uid, enabled, visible) => options.profiles.setEnabled(uid, enabled, visible),
    has: (body) => has(options, body),
  };
}
