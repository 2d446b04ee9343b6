import { type EnrichPolicy, type NodeEnrichStats, policyJson } from '@shoal/coordinator';
import type { Json } from '@shoal/json';
import { section } from '@shoal/state';
import { MASTER_PARAMETERS, objectBody, pathList, runTask } from '../admin/index-options.js';
import { selectNodes } from '../admin/nodes.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { callContext } from './call-context.js';
import { taskJson } from './tasks.js';

async function put(request: RestRequest, services: Services): Promise<RestResponse> {
  const name = request.pathParams['name']!;
  const policy = services.coordinator.enrich.parse(name, objectBody(request), callContext(request));
  return { status: 200, json: await runTask(request, services, 'put-enrich-policy', { name, policy: { ...policy } }) };
}

function get(request: RestRequest, services: Services): RestResponse {
  const names = pathList(request, 'name');
  const all = Object.entries(section(services.cluster.state(), 'enrichPolicies')) as [string, EnrichPolicy][];
  const found = all.filter(([name]) => names.length === 0 || names.includes(name));
  found.sort(([a], [b]) => (a < b ? -1 : 1));
  return { status: 200, json: { policies: found.map(([name, policy]) => policyJson(name, policy)) } };
}

async function remove(request: RestRequest, services: Services): Promise<RestResponse> {
  const json = await services.coordinator.enrich.remove(request.pathParams['name']!, (name) =>
    runTask(request, services, 'delete-enrich-policy', { name }),
  );
  return { status: 200, json: json as Json };
}

async function execute(request: RestRequest, services: Services): Promise<RestResponse> {
  const { enrich } = services.coordinator;
  const headers = request.opaqueId === null ? {} : { 'X-Opaque-Id': request.opaqueId };
  const id = enrich.execute(request.pathParams['name']!, headers);
  if (!request.params.boolean('wait_for_completion', true))
    return { status: 200, json: { task: `${services.node.id}:${id}` } };
  await enrich.executed(id);
  return { status: 200, json: { status: { phase: 'COMPLETE' } } };
}

async function stats(request: RestRequest, services: Services): Promise<RestResponse> {
  const nodes = selectNodes(services, []);
  const nodeIds = nodes.map(({ id }) => id);
  const answers = await services.coordinator.callNodes(nodeIds, 'enrich_stats', null, { signal: request.signal });
  const known = answers.flatMap(({ body, error }, i) =>
    error ? [] : [{ node: nodes[i]!, stats: body as NodeEnrichStats }],
  );
  const executing = known.flatMap(({ node, stats: { executing: tasks } }) =>
    tasks.map((task) => ({ name: task.description, task: taskJson({ node, task }, true) })),
  );
  return {
    status: 200,
    json: {
      executing_policies: executing,
      coordinator_stats: known.map(({ node, stats: { cache } }) => ({
        node_id: node.id,
        queue_size: 0,
        remote_requests_current: 0,
        remote_requests_total: cache.misses,
        executed_searches_total: cache.misses,
      })),
      cache_stats: known.map(({ node, stats: { cache } }) => ({
        node_id: node.id,
        count: cache.count,
        hits: cache.hits,
        misses: cache.misses,
        evictions: cache.evictions,
      })),
    },
  };
}

const PREFIX = 'cluster:admin/xpack/enrich';
const POLICY = '/_enrich/policy/{name}';

export const routes: readonly Route<Services>[] = [
  {
    methods: ['PUT'],
    path: POLICY,
    name: 'enrich.put_policy',
    body: 'required',
    privilege: `${PREFIX}/put`,
    parameters: MASTER_PARAMETERS,
    handle: put,
  },
  ...['/_enrich/policy', POLICY].map(
    (path): Route<Services> => ({
      methods: ['GET'],
      path,
      name: 'enrich.get_policy',
      body: 'none',
      privilege: `${PREFIX}/get`,
      parameters: ['master_timeout'],
      handle: get,
    }),
  ),
  {
    methods: ['DELETE'],
    path: POLICY,
    name: 'enrich.delete_policy',
    body: 'none',
    privilege: `${PREFIX}/delete`,
    parameters: MASTER_PARAMETERS,
    handle: remove,
  },
  {
    methods: ['PUT', 'POST'],
    path: `${POLICY}/_execute`,
    name: 'enrich.execute_policy',
    body: 'none',
    privilege: `${PREFIX}/execute`,
    parameters: ['wait_for_completion', 'master_timeout'],
    handle: execute,
  },
  {
    methods: ['GET'],
    path: '/_enrich/_stats',
    name: 'enrich.stats',
    body: 'none',
    privilege: 'cluster:monitor/xpack/enrich/stats',
    parameters: ['master_timeout'],
    handle: stats,
  },
];
