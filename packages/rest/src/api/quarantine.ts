import { type QuarantineSize, READ_QUARANTINE } from '@shoal/coordinator';
import { quarantineStats } from '../admin/quarantine-stats.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { requestsPerSecond, runAsTask } from './by-query.js';
import { callContext, jsonResponse } from './call-context.js';
import { QUERY_PARAMETERS } from './query-parameters.js';
import { searchRequest } from './search-parameters.js';
import { SOURCE_PARAMETERS } from './source-parameters.js';
import { parseActiveShardCount } from './write-parameters.js';

function sizeJson({ name, documents, bytes, oldestMs, indices, isWhole }: QuarantineSize): Record<string, unknown> {
  return {
    index: name,
    documents,
    bytes,
    oldest: oldestMs === null ? null : new Date(oldestMs).toISOString(),
    indices,
    ...(isWhole ? {} : { incomplete: true }),
  };
}

async function list(request: RestRequest, services: Services): Promise<RestResponse> {
  const [sizes, since] = await Promise.all([
    services.coordinator.quarantine.sizes([], callContext(request)),
    quarantineStats(services, request.signal),
  ]);
  const sum = (key: 'documents' | 'bytes'): number => sizes.reduce((total, size) => total + size[key], 0);
  return {
    status: 200,
    json: {
      documents: sum('documents'),
      bytes: sum('bytes'),
      since_start: since,
      quarantines: sizes.map(sizeJson),
    },
  };
}

async function search(request: RestRequest, services: Services): Promise<RestResponse> {
  return jsonResponse(await services.coordinator.quarantine.search(searchRequest(request), callContext(request)));
}

const TIMEOUT_MS = 60_000;

async function replay(request: RestRequest, services: Services): Promise<RestResponse> {
  const { params } = request;
  const { quarantine } = services.coordinator;
  const names = params.list('index') ?? [];
  const given = {
    names,
    ...quarantine.parseReplay(request.json()),
    refresh: params.boolean('refresh', false),
    timeoutMs: params.time('timeout', TIMEOUT_MS),
    waitForActiveShards: parseActiveShardCount(params.text('wait_for_active_shards')),
    requestsPerSecond: requestsPerSecond(request) ?? Infinity,
  };
  return runAsTask(request, services, {
    action: REPLAY,
    description: `replay of the quarantine of [${names.join(', ')}]`,
    start: (call) => quarantine.replay(given, call),
  });
}

/** Replays write as their caller, so that this is a privilege of its own only in name: `write` has it. */
const REPLAY = 'indices:data/write/quarantine/replay';
const REPLAY_PARAMETERS = [
  'wait_for_completion',
  'requests_per_second',
  'refresh',
  'timeout',
  'wait_for_active_shards',
];

const SEARCH_PARAMETERS = [
  ...QUERY_PARAMETERS,
  ...SOURCE_PARAMETERS,
  ...['from', 'size', 'sort', 'track_total_hits', 'version', 'seq_no_primary_term', 'timeout', 'typed_keys'],
  ...['rest_total_hits_as_int', 'allow_partial_search_results'],
];

export const routes: readonly Route<Services>[] = [
  {
    methods: ['GET'],
    path: '/_quarantine',
    name: 'quarantine.list',
    body: 'none',
    privilege: READ_QUARANTINE,
    parameters: [],
    handle: list,
  },
  {
    methods: ['GET', 'POST'],
    path: '/{index}/_quarantine',
    name: 'quarantine.search',
    body: 'optional',
    privilege: READ_QUARANTINE,
    parameters: SEARCH_PARAMETERS,
    handle: search,
  },
  {
    methods: ['POST'],
    path: '/{index}/_quarantine/_replay',
    name: 'quarantine.replay',
    body: 'optional',
    privilege: REPLAY,
    parameters: REPLAY_PARAMETERS,
    handle: replay,
  },
];
