import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import { selectNodes } from '../admin/nodes.js';
import type { Services } from '../services.js';

/** Shoal downloads nothing: databases are files of the nodes' configurations. */
const DOWNLOADS = {
  successful_downloads: 0,
  failed_downloads: 0,
  total_download_time: 0,
  databases_count: 0,
  skipped_updates: 0,
  expired_databases: 0,
};

async function geoipStats(request: RestRequest, services: Services): Promise<RestResponse> {
  const nodeIds = selectNodes(services, []).map(({ id }) => id);
  const answers = await services.coordinator.callNodes(nodeIds, 'geoip_databases', null, { signal: request.signal });
  const nodes = answers.flatMap(({ nodeId, body }) => {
    const { databases } = (body ?? { databases: [] }) as { readonly databases: readonly string[] };
    return databases.length === 0 ? [] : [[nodeId, { config_databases: databases }] as const];
  });
  return { status: 200, json: { stats: DOWNLOADS, nodes: Object.fromEntries(nodes) } };
}

export const routes: readonly Route<Services>[] = [
  {
    methods: ['GET'],
    path: '/_ingest/geoip/stats',
    name: 'ingest.geo_ip_stats',
    body: 'none',
    privilege: 'cluster:monitor/ingest/geoip/stats',
    parameters: [],
    handle: geoipStats,
  },
];
