import { parseSnapshotPolicy, snapshotLifecycleStats, snapshotPolicies, snapshotPoliciesJson } from '@shoal/automation';
import { repositories } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { clusterSetting, operationMode } from '@shoal/state';
import { MASTER_PARAMETERS, pathList, runTask } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

const ok = (json: unknown): RestResponse => ({ status: 200, json });
const idOf = (request: RestRequest): string => request.pathParams['policy']!;

async function put(request: RestRequest, services: Services): Promise<RestResponse> {
  const state = services.cluster.state();
  const minimumInterval = String(clusterSetting(state, 'slm.minimum_interval'));
  const limits = { nowMs: services.clock.now(), minimumInterval };
  const policy = parseSnapshotPolicy(idOf(request), request.json(), limits);
  if (!Object.hasOwn(repositories(state), policy.repository))
    throw errors.illegalArgument(`no such repository [${policy.repository}]`);
  const { authentication } = request.subject;
  return ok(await runTask(request, services, 'put-snapshot-policy', { id: idOf(request), policy, authentication }));
}

function get(request: RestRequest, services: Services): RestResponse {
  const isHuman = request.params.boolean('human', false);
  return ok(snapshotPoliciesJson(services.cluster.state(), pathList(request, 'policy'), isHuman));
}

async function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  const id = idOf(request);
  if (!Object.hasOwn(snapshotPolicies(services.cluster.state()), id))
    throw errors.resourceNotFound(`snapshot lifecycle policy not found: ${id}`);
  return ok(await runTask(request, services, 'delete-entries', { section: 'snapshotPolicies', names: [id] }));
}

/** Calls the elected master, which takes and deletes the snapshots. */
async function atMaster({ cluster, coordinator }: Services, action: string, body: unknown): Promise<unknown> {
  const { masterNodeId } = cluster.state();
  if (masterNodeId === null) throw errors.masterNotDiscovered(null);
  const [answer] = await coordinator.callNodes([masterNodeId], action, body);
  if (answer!.error) throw answer!.error;
  return answer!.body;
}

async function execute(request: RestRequest, services: Services): Promise<RestResponse> {
  return ok(await atMaster(services, 'slm-execute', { id: idOf(request) }));
}

async function executeRetention(_request: RestRequest, services: Services): Promise<RestResponse> {
  await atMaster(services, 'slm-execute-retention', null);
  return ok({ acknowledged: true });
}

const stats = (_request: RestRequest, { cluster }: Services): RestResponse =>
  ok(snapshotLifecycleStats(cluster.state()));

const status = (_request: RestRequest, { cluster }: Services): RestResponse =>
  ok({ operation_mode: operationMode(cluster.state(), 'slm') });

const modeTo =
  (mode: 'RUNNING' | 'STOPPING') =>
  async (request: RestRequest, services: Services): Promise<RestResponse> =>
    ok(await runTask(request, services, 'set-operation-mode', { service: 'slm', mode }));

const ADMIN = 'cluster:admin/slm/';
const POLICY = '/_slm/policy/{policy}';

function route(
  methods: Route<Services>['methods'],
  path: string,
  name: string,
  privilege: string,
  handle: Route<Services>['handle'],
  body: Route<Services>['body'] = 'none',
): Route<Services> {
  return { methods, path, name: `slm.${name}`, body, privilege, parameters: MASTER_PARAMETERS, handle };
}

export const routes: readonly Route<Services>[] = [
  route(['PUT'], POLICY, 'put_lifecycle', `${ADMIN}put`, put, 'required'),
  ...['/_slm/policy', POLICY].map((path) => route(['GET'], path, 'get_lifecycle', `${ADMIN}get`, get)),
  route(['DELETE'], POLICY, 'delete_lifecycle', `${ADMIN}delete`, remove),
  route(['PUT', 'POST'], `${POLICY}/_execute`, 'execute_lifecycle', `${ADMIN}execute`, execute),
  route(['POST'], '/_slm/_execute_retention', 'execute_retention', `${ADMIN}execute-retention`, executeRetention),
  route(['GET'], '/_slm/stats', 'get_stats', `${ADMIN}stats`, stats),
  route(['GET'], '/_slm/status', 'get_status', 'cluster:admin/ilm/operation_mode/get', status),
  route(['POST'], '/_slm/start', 'start', 'cluster:admin/slm/start', modeTo('RUNNING')),
  route(['POST'], '/_slm/stop', 'stop', 'cluster:admin/slm/stop', modeTo('STOPPING')),
];
