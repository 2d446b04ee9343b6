import type { QuarantineSize } from '@shoal/coordinator';
import { clusterHealth, dataStreamOf, indexHealth, type IndexMetadata, OPEN_AND_CLOSED } from '@shoal/state';
import { selectIndices } from '../admin/index-options.js';
import { askNodes } from '../admin/nodes.js';
import { worstFirst } from '../admin/why/cause.js';
import { certificateCauses } from '../admin/why/certificate-causes.js';
import { clusterCauses } from '../admin/why/cluster-causes.js';
import { danglingIndices } from '../admin/dangling.js';
import { danglingCauses } from '../admin/why/dangling-causes.js';
import { indexCauses } from '../admin/why/index-causes.js';
import { quarantineStats } from '../admin/quarantine-stats.js';
import { quarantineCauses } from '../admin/why/quarantine-causes.js';
import { callContext } from './call-context.js';
import { shardCauses } from '../admin/why/shard-causes.js';
import { type WhyFindings, whyText } from '../admin/why/why-text.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

/** Nodes that do not answer within this time are left out. */
const ASK_MS = 5_000;
const WORST = ['red', 'yellow'] as const;

function statusOf(services: Services, metas: readonly IndexMetadata[], isWhole: boolean): string {
  const state = services.cluster.state();
  if (isWhole) return state.masterNodeId === null ? 'red' : clusterHealth(state).status;
  const statuses = metas.map((meta) => indexHealth(state, meta).status);
  return WORST.find((status) => statuses.includes(status)) ?? 'green';
}

/** How much the quarantines of indices hold, of all if there are none; what the caller may not read is left out. */
function quarantinesOf(
  request: RestRequest,
  { coordinator, cluster }: Services,
  metas: readonly IndexMetadata[],
): Promise<readonly QuarantineSize[]> {
  const state = cluster.state();
  // Without a master its indices may not answer.
  if (state.masterNodeId === null) return Promise.resolve([]);
  const names = metas.map((meta) => dataStreamOf(state, meta.uuid)?.name ?? meta.name);
  return coordinator.quarantine.sizes([...new Set(names)], callContext(request)).catch(() => []);
}

async function why(request: RestRequest, services: Services): Promise<RestResponse> {
  const isWhole = request.pathParams['index'] === undefined;
  const state = services.cluster.state();
  const metas = isWhole ? [...state.indices.values()] : selectIndices(request, services, OPEN_AND_CLOSED);
  const { reports } = isWhole ? await askNodes(services, [...state.nodes.values()], 'stats', ASK_MS) : { reports: [] };
  const dangling = isWhole && state.masterNodeId !== null ? (await danglingIndices(services, ASK_MS)).found : [];
  const certificates = isWhole ? await services.certificates() : [];
  const isAsked = isWhole || metas.length > 0;
  const quarantine = isAsked ? await quarantinesOf(request, services, isWhole ? [] : metas) : [];
  const since = isWhole ? await quarantineStats(services, request.signal) : null;
  const causes = [
    ...clusterCauses(services, reports),
    ...certificateCauses(services.node.name, certificates, services.clock.now()),
    ...danglingCauses(dangling),
    ...indexCauses(metas),
    ...quarantineCauses(quarantine, since),
    ...(await shardCauses(services, metas)),
  ];
  const about = isWhole ? `cluster ${state.clusterName}` : metas.map(({ name }) => name).join(', ') || 'no index';
  const findings: WhyFindings = { about, status: statusOf(services, metas, isWhole), causes: worstFirst(causes) };
  if (request.params.text('format') === 'text') return { status: 200, text: whyText(findings) };
  return {
    status: 200,
    json: { cluster_name: state.clusterName, about, status: findings.status, causes: findings.causes },
  };
}

export const routes: readonly Route<Services>[] = ['/_why', '/_why/{index}'].map((path) => ({
  methods: ['GET'],
  path,
  name: 'why',
  body: 'none',
  privilege: 'cluster:monitor/allocation/explain',
  parameters: [],
  handle: why,
}));
