import { BUILD, LUCENE_VERSION, VERSION } from '@shoal/values';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

/** Version shown to clients: the API version, because clients choose their behaviour by it. */
export const API_VERSION = {
  number: VERSION,
  build_flavor: BUILD.flavor,
  build_type: BUILD.type,
  build_hash: BUILD.hash,
  build_date: BUILD.date,
  build_snapshot: false,
  lucene_version: LUCENE_VERSION,
  minimum_wire_compatibility_version: '7.17.0',
  minimum_index_compatibility_version: '7.0.0',
} as const;

function info(_: RestRequest, services: Services): RestResponse {
  const state = services.cluster.state();
  const json = {
    name: services.node.name,
    cluster_name: state.clusterName,
    cluster_uuid: state.clusterUuid,
    version: API_VERSION,
    tagline: 'You Know, for Search',
  };
  return { status: 200, json };
}

/** Refuses paths with a type, which older clients send, like paths that do not exist. */
function typedPath(request: RestRequest): RestResponse {
  return { status: 400, json: { error: `no handler found for uri [${request.path}] and method [${request.method}]` } };
}

export const routes: readonly Route<Services>[] = [
  {
    methods: ['GET', 'HEAD'],
    path: '/',
    name: 'info',
    body: 'optional',
    privilege: 'cluster:monitor/main',
    parameters: [],
    handle: info,
  },
  {
    methods: ['POST'],
    path: '/{index}/{type}',
    name: 'index',
    body: 'optional',
    privilege: 'indices:data/write/index',
    handle: typedPath,
  },
];
