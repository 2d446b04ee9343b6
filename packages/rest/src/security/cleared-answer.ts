import type { RestResponse } from '../routing/route.js';
import type { Services } from '../services.js';
import { securityOf } from './security-of.js';

/** Clears credentials with these tags (null: all) from the caches of all nodes; answers with the nodes. */
export async function clearedAnswer(services: Services, tags: readonly string[] | null): Promise<RestResponse> {
  await securityOf(services).forgetEverywhere(tags);
  const { clusterName, nodes } = services.cluster.state();
  const all = [...nodes.values()];
  const json = {
    _nodes: { total: all.length, successful: all.length, failed: 0 },
    cluster_name: clusterName,
    nodes: Object.fromEntries(all.map(({ id, name }) => [id, { name }])),
  };
  return { status: 200, json };
}
