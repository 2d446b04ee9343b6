import { errors } from '@shoal/errors';
import { dataStreamLifecycle } from '../admin/health/data-stream-lifecycle.js';
import { disk } from '../admin/health/disk.js';
import { ilm } from '../admin/health/ilm.js';
import { type Indicator, indicationJson } from '../admin/health/indicator.js';
import { masterIsStable } from '../admin/health/master-is-stable.js';
import { repositoryIntegrity } from '../admin/health/repository-integrity.js';
import { shardsAvailability } from '../admin/health/shards-availability.js';
import { shardsCapacity } from '../admin/health/shards-capacity.js';
import { slm } from '../admin/health/slm.js';
import { askNodes } from '../admin/nodes.js';
import { streamFailures } from '../admin/stream-failures.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

const INDICATORS: Readonly<Record<string, Indicator>> = {
  master_is_stable: masterIsStable,
  repository_integrity: repositoryIntegrity,
  disk,
  shards_capacity: shardsCapacity,
  shards_availability: shardsAvailability,
  data_stream_lifecycle: dataStreamLifecycle,
  ilm,
  slm,
};

const RANK = ['green', 'unknown', 'yellow', 'red'] as const;

/** Default number of resources in a diagnosis. */
const SIZE = 1000;
/** If a node does not report its disk usage within this time, the usage is unknown. */
const ASK_MS = 5_000;

async function report(request: RestRequest, services: Services): Promise<RestResponse> {
  const wanted = request.pathParams['indicator'];
  if (wanted !== undefined && !Object.hasOwn(INDICATORS, wanted))
    throw errors.resourceNotFound(`Did not find indicator ${wanted}`);
  const names = wanted === undefined ? Object.keys(INDICATORS) : [wanted];
  const verbose = request.params.boolean('verbose', true);
  const size = request.params.integer('size', SIZE);
  if (size < 0)
    throw errors.actionRequestValidation('Validation Failed: 1: The size parameter must be a positive integer;');
  const state = services.cluster.state();
  const reports = names.includes('disk')
    ? (await askNodes(services, [...state.nodes.values()], 'stats', ASK_MS)).reports
    : [];
  const failures = names.includes('data_stream_lifecycle') ? await streamFailures(services) : null;
  const facts = { services, reports, streamFailures: failures };
  const found = names.map((name) => [name, INDICATORS[name]!(facts)] as const);
  const worst = Math.max(...found.map(([, { status }]) => RANK.indexOf(status)));
  const indicators = Object.fromEntries(
    found.map(([name, indication]) => [name, indicationJson(name, indication, verbose, size)]),
  );
  return {
    status: 200,
    json: { ...(wanted === undefined ? { status: RANK[worst] } : {}), cluster_name: state.clusterName, indicators },
  };
}

export const routes: readonly Route<Services>[] = ['/_health_report', '/_health_report/{indicator}'].map((path) => ({
  methods: ['GET'],
  path,
  name: 'health_report',
  body: 'none',
  privilege: 'cluster:monitor/health_api',
  parameters: ['timeout', 'verbose', 'size'],
  handle: report,
}));
