import { errors } from '@shoal/errors';
import { isPlainObject, type Json } from '@shoal/json';
import { askNodes, selectNodes } from '../admin/nodes.js';
import { pathList } from '../admin/index-options.js';
import { unrecognizedError } from '../routing/params.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

/** Sections of the statistics of nodes that `_info` adds up, in the order of the answer. */
const TARGETS = ['thread_pool', 'http', 'script', 'ingest'];

function targetsOf(request: RestRequest): readonly string[] {
  const targets = pathList(request, 'target');
  if (targets.includes('_all')) {
    if (targets.length > 1)
      throw errors.illegalArgument(
        `request [${request.path}] contains _all and individual target [${targets.join(',')}]`,
      );
    return TARGETS;
  }
  const unknown = targets.filter((target) => !TARGETS.includes(target));
  if (unknown.length > 0) throw unrecognizedError(request.path, unknown, TARGETS, 'target');
  return TARGETS.filter((target) => targets.includes(target));
}

/** Bounds of a bucket of a histogram of sizes or times: `ge_bytes`, `lt_millis` …; null for another object. */
function boundsOf(value: unknown): string | null {
  if (!isPlainObject(value)) return null;
  const bounds = Object.entries(value).filter(([key]) => /^(?:ge|lt)_/.test(key));
  return bounds.length === 0 ? null : bounds.map(([key, bound]) => `${key} ${String(bound)}`).join();
}

const lowerBound = (bucket: Json): number =>
  Number(Object.entries(bucket).find(([key]) => key.startsWith('ge_'))?.[1] ?? -1);

/** Adds histograms bucket by bucket; lists of other things are joined. */
function addLists(a: readonly unknown[], b: readonly unknown[]): unknown[] {
  const buckets = new Map<string, Json>();
  for (const item of [...a, ...b]) {
    const bounds = boundsOf(item);
    if (bounds === null) return [...a, ...b];
    const bucket = item as Json;
    buckets.set(bounds, { ...bucket, count: Number(buckets.get(bounds)?.['count'] ?? 0) + Number(bucket['count']) });
  }
  return [...buckets.values()].sort((x, y) => lowerBound(x) - lowerBound(y));
}

/** Adds the statistics of nodes: numbers are added, objects key by key. */
export function addNodeStats(a: unknown, b: unknown): unknown {
  if (a === undefined || b === undefined) return a ?? b;
  if (Array.isArray(a) && Array.isArray(b)) return addLists(a, b);
  if (!isPlainObject(a) || !isPlainObject(b)) return typeof a === 'number' && typeof b === 'number' ? a + b : a;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...keys].map((key) => [key, addNodeStats(a[key], b[key])]));
}

async function info(request: RestRequest, services: Services): Promise<RestResponse> {
  const targets = targetsOf(request);
  const { reports } = await askNodes(services, selectNodes(services, []), 'stats', null);
  const sum = (target: string): unknown =>
    reports.map(({ json }) => json[target]).reduce(addNodeStats, undefined) ?? {};
  const json = {
    cluster_name: services.cluster.state().clusterName,
    ...Object.fromEntries(targets.map((target) => [target, sum(target)])),
  };
  return { status: 200, json };
}

export const routes: readonly Route<Services>[] = [
  {
    methods: ['GET'],
    path: '/_info/{target}',
    name: 'cluster.info',
    body: 'none',
    privilege: 'cluster:monitor/nodes/stats',
    parameters: ['human'],
    handle: info,
  },
];
