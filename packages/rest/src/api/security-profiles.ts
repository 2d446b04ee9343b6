import type { JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import {
  type Authentication,
  checkKeys,
  createSubject,
  failValidation,
  hasPrivileges,
  parsePrivilegeQuestions,
  type PrivilegeQuestions,
  profileOf,
  profileToJson,
  type SecurityDocument,
  type WhenVisible,
} from '@shoal/security';
import { objectBody, pathList } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import { grantedUser } from '../security/granted-user.js';
import { parseProfileData, parseSuggestion, textsAt } from '../security/profile-body.js';
import { securityOf } from '../security/security-of.js';
import type { Services } from '../services.js';

const ACTION = 'cluster:admin/xpack/security/profile';

/** Most profiles in one request. */
const UIDS_MAX = 10_000;

const ok = (json: unknown): RestResponse => ({ status: 200, json });

/** When suggestions see a change; unlike other calls, the default is `wait_for`. */
function visibleOf({ params }: RestRequest): WhenVisible {
  const refresh = params.text('refresh', 'wait_for');
  if (refresh === 'wait_for') return 'wait';
  if (refresh === '' || refresh === 'true') return 'now';
  if (refresh === 'false') return 'later';
  throw errors.illegalArgument(`Unknown value for refresh: [${refresh}].`);
}

async function activate(request: RestRequest, services: Services): Promise<RestResponse> {
  const body = objectBody(request);
  checkKeys(body, ['grant_type', 'username', 'password', 'access_token'], (key) =>
    errors.xContentParse(`[activate_profile_request] unknown field [${key}]`),
  );
  return ok(await securityOf(services).profiles.activate(await grantedUser(request, services, body)));
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

async function get(request: RestRequest, services: Services): Promise<RestResponse> {
  const uids = pathList(request, 'uid');
  const wanted = request.params.list('data') ?? [];
  checkCount(uids);
  const found = await securityOf(services).profiles.find(uids);
  const profiles = [...found.values()]
    .filter((document) => document !== null)
    .map((document) => profileToJson(document, wanted));
  return ok({ profiles, ...problems(found) });
}

async function suggest(request: RestRequest, services: Services): Promise<RestResponse> {
  const body = request.hasBody ? objectBody(request) : {};
  const inUri = request.params.list('data');
  const inBody = textsAt(body, 'data', 'suggest_profile');
  if (inUri !== null && inBody !== null)
    failValidation(['[data] cannot be specified both as query string parameter and in the request body']);
  const startedMs = services.clock.monotonic();
  const { total, profiles } = await securityOf(services).profiles.suggest(parseSuggestion(body), inUri ?? inBody ?? []);
  return ok({
    took: Math.round(services.clock.monotonic() - startedMs),
    total: { value: total, relation: 'eq' },
    profiles,
  });
}

/** Changes a profile. A role may grant this for the data of some applications only. */
async function change(request: RestRequest, services: Services): Promise<RestResponse> {
  const { labels, data, applications } = parseProfileData(objectBody(request));
  const action = `${ACTION}/put/data`;
  if (!request.subject.permissions.allowsForApplications(action, applications)) throw request.subject.denied(action);
  const [ifSeqNo, ifPrimaryTerm] = [request.params.long('if_seq_no'), request.params.long('if_primary_term')];
  if ((ifSeqNo === null) !== (ifPrimaryTerm === null))
    failValidation(['if_seq_no and if_primary_term must be given together']);
  await securityOf(services).profiles.change(request.pathParams['uid']!, {
    labels,
    data,
    ifSeqNo,
    ifPrimaryTerm,
    visible: visibleOf(request),
  });
  return ok({ acknowledged: true });
}

async function setEnabled(request: RestRequest, services: Services, enabled: boolean): Promise<RestResponse> {
  await securityOf(services).profiles.setEnabled(request.pathParams['uid']!, enabled, visibleOf(request));
  return ok({ acknowledged: true });
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

async function has(request: RestRequest, services: Services): Promise<RestResponse> {
  const body = objectBody(request);
  checkKeys(body, ['uids', 'privileges'], (key) =>
    errors.xContentParse(`[profile_has_privileges_request] unknown field [${key}]`),
  );
  const uids = textsAt(body, 'uids', 'profile_has_privileges_request') ?? [];
  if (uids.length === 0) failValidation(['profile uids list must not be empty']);
  checkCount(uids);
  const questions: PrivilegeQuestions = parsePrivilegeQuestions(body['privileges']);
  const found = await securityOf(services).profiles.find(uids);
  const state = services.cluster.state();
  const may = (document: SecurityDocument): boolean =>
    profileOf(document).enabled &&
    hasPrivileges(createSubject(userOf(document), state), questions, state)['has_all_requested'] === true;
  return ok({
    has_privilege_uids: [...found].filter(([, document]) => document !== null && may(document)).map(([uid]) => uid),
    ...problems(found),
  });
}

const changes = (
  path: string,
  name: string,
  action: string,
  body: Route<Services>['body'],
  parameters: readonly string[],
  handle: Route<Services>['handle'],
): Route<Services> => ({
  methods: ['PUT', 'POST'],
  path,
  name,
  body,
  privilege: `${ACTION}/${action}`,
  parameters,
  handle,
});

export const routes: readonly Route<Services>[] = [
  {
    methods: ['POST'],
    path: '/_security/profile/_activate',
    name: 'security.activate_user_profile',
    body: 'required',
    privilege: `${ACTION}/activate`,
    parameters: [],
    handle: activate,
  },
  {
    methods: ['GET', 'POST'],
    path: '/_security/profile/_suggest',
    name: 'security.suggest_user_profiles',
    body: 'optional',
    privilege: `${ACTION}/suggest`,
    parameters: ['data'],
    handle: suggest,
  },
  {
    methods: ['GET', 'POST'],
    path: '/_security/profile/_has_privileges',
    name: 'security.has_privileges_user_profile',
    body: 'required',
    privilege: `${ACTION}/has_privileges`,
    parameters: [],
    handle: has,
  },
  {
    methods: ['GET'],
    path: '/_security/profile/{uid}',
    name: 'security.get_user_profile',
    body: 'none',
    privilege: `${ACTION}/get`,
    parameters: ['data'],
    handle: get,
  },
  changes(
    '/_security/profile/{uid}/_data',
    'security.update_user_profile_data',
    'put/data',
    'required',
    ['refresh', 'if_seq_no', 'if_primary_term'],
    change,
  ),
  changes(
    '/_security/profile/{uid}/_enable',
    'security.enable_user_profile',
    'set_enabled',
    'none',
    ['refresh'],
    (request, services) => setEnabled(request, services, true),
  ),
  changes(
    '/_security/profile/{uid}/_disable',
    'security.disable_user_profile',
    'set_enabled',
    'none',
    ['refresh'],
    (request, services) => setEnabled(request, services, false),
  ),
];
