import { errors } from '@shoal/errors';
import type { WhenVisible } from '@shoal/security';
import { objectBody, pathList } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import { securityOf } from '../security/security-of.js';
import type { Services } from '../services.js';

const ACTION = 'cluster:admin/xpack/security/profile';

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
  const { profileCalls } = securityOf(services);
  return ok(await profileCalls.activate(request.subject, request.path, objectBody(request)));
}

async function get(request: RestRequest, services: Services): Promise<RestResponse> {
  const uids = pathList(request, 'uid');
  return ok(await securityOf(services).profileCalls.get(uids, request.params.list('data') ?? []));
}

async function suggest(request: RestRequest, services: Services): Promise<RestResponse> {
  const body = request.hasBody ? objectBody(request) : {};
  return ok(await securityOf(services).profileCalls.suggest(body, request.params.list('data')));
}

async function change(request: RestRequest, services: Services): Promise<RestResponse> {
  const { params, pathParams, subject } = request;
  await securityOf(services).profileCalls.change(subject, pathParams['uid']!, objectBody(request), () => {
    const [ifSeqNo, ifPrimaryTerm] = [params.long('if_seq_no'), params.long('if_primary_term')];
    if ((ifSeqNo === null) !== (ifPrimaryTerm === null))
      throw errors.actionRequestValidation(
        'Validation Failed: 1: if_seq_no and if_primary_term must be given together;',
      );
    return { ifSeqNo, ifPrimaryTerm, visible: visibleOf(request) };
  });
  return ok({ acknowledged: true });
}

async function setEnabled(request: RestRequest, services: Services, enabled: boolean): Promise<RestResponse> {
  await securityOf(services).profileCalls.setEnabled(request.pathParams['uid']!, enabled, visibleOf(request));
  return ok({ acknowledged: true });
}

async function has(request: RestRequest, services: Services): Promise<RestResponse> {
  return ok(await securityOf(services).profileCalls.has(objectBody(request)));
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
