import { errors } from '@shoal/errors';
import { objectBody, pathList } from '../admin/index-options.js';
import { reportsOf, selectNodes } from '../admin/nodes.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

function passwordOf(request: RestRequest): string {
  const { secure_settings_password: password = '', ...rest } = objectBody(request);
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw errors.xContentParse(`[reload_secure_settings] unknown field [${unknown}]`);
  if (typeof password !== 'string')
    throw errors.xContentParse("[reload_secure_settings] secure_settings_password doesn't support values of this type");
  return password;
}

/** Makes nodes read their keystores again. A password of the keystores is sent over encrypted links only. */
async function reload(request: RestRequest, services: Services): Promise<RestResponse> {
  const password = passwordOf(request);
  const nodes = selectNodes(services, pathList(request, 'node_id'));
  const goesOverLinks = nodes.some(({ id }) => id !== services.node.id);
  if (password !== '' && goesOverLinks && services.node.settings['xpack.security.transport.ssl.enabled'] !== 'true') {
    throw errors.illegalArgument(
      'Secure settings cannot be updated cluster wide when TLS for the transport layer is not enabled. Enable TLS ' +
        'or use the API with a `_local` filter on each node.',
    );
  }
  const timeoutMs = request.params.time('timeout', 30_000);
  const answers = await services.coordinator.callNodes(
    nodes.map(({ id }) => id),
    'reload_secure_settings',
    { password },
    { timeoutMs, signal: request.signal },
  );
  const { header, reports } = reportsOf(nodes, answers);
  const json = {
    _nodes: header,
    cluster_name: services.cluster.state().clusterName,
    nodes: Object.fromEntries(reports.map(({ node, json: report }) => [node.id, { name: node.name, ...report }])),
  };
  return { status: 200, json };
}

export const routes: readonly Route<Services>[] = [
  '/_nodes/reload_secure_settings',
  '/_nodes/{node_id}/reload_secure_settings',
].map(
  (path): Route<Services> => ({
    methods: ['POST'],
    path,
    name: 'nodes.reload_secure_settings',
    body: 'optional',
    privilege: 'cluster:admin/nodes/reload_secure_settings',
    parameters: ['timeout'],
    handle: reload,
  }),
);
