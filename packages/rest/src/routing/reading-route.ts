import type { Route } from './route.js';

/** Actions that change nothing, besides those whose names show it. */
const READING: ReadonlySet<string> = new Set([
  'cluster:admin/snapshot/status',
  'cluster:admin/ingest/pipeline/simulate',
  'cluster:admin/xpack/deprecation/info',
  'cluster:admin/xpack/security/user/authenticate',
  'cluster:admin/xpack/security/user/has_privileges',
  'indices:admin/analyze',
  'indices:admin/index_template/simulate',
  'indices:admin/index_template/simulate_index',
  'indices:admin/resolve/index',
  'indices:admin/shards/search_shards',
  'indices:admin/validate/query',
]);

/**
 * Whether a call changes nothing that is kept. Decided by its action, not by its method: `POST /_search` reads. Unknown
 * actions count as changes.
 */
export function isReading({ privilege }: Pick<Route<unknown>, 'privilege'>): boolean {
  return (
    privilege.startsWith('indices:data/read/') ||
    privilege.includes(':monitor/') ||
    privilege.endsWith('/get') ||
    READING.has(privilege)
  );
}
