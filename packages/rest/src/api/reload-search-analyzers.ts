import { type IndexMetadata, isActive, OPEN_ONLY } from '@shoal/state';
import { INDICES_PARAMETERS, selectIndices } from '../admin/index-options.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

/**
 * Tells which search analyzers were read again: none, since rules of analyzers are in the settings of their index, and
 * neither files (`synonyms_path`) nor sets (`synonyms_set`) can be named there. Each node with a copy counts once, as
 * in 8.12.
 */
function reload(request: RestRequest, services: Services): RestResponse {
  const { routing } = services.cluster.state();
  const nodesOf = ({ uuid }: IndexMetadata): string[] => {
    const copies = (routing.get(uuid) ?? []).flat().filter(isActive);
    return [...new Set(copies.flatMap(({ nodeId }) => nodeId ?? []))];
  };
  const details = selectIndices(request, services, OPEN_ONLY)
    .filter(({ state }) => state === 'open')
    .map((meta) => ({ index: meta.name, reloaded_analyzers: [], reloaded_node_ids: nodesOf(meta) }));
  const count = details.reduce((sum, { reloaded_node_ids: nodes }) => sum + nodes.length, 0);
  return {
    status: 200,
    json: { _shards: { total: count, successful: count, failed: 0 }, reload_details: details },
  };
}

export const routes: readonly Route<Services>[] = [
  {
    methods: ['GET', 'POST'],
    path: '/{index}/_reload_search_analyzers',
    name: 'indices.reload_search_analyzers',
    body: 'none',
    privilege: 'indices:admin/reload_analyzers',
    parameters: [...INDICES_PARAMETERS, 'resource'],
    handle: reload,
  },
];
