import { errors } from '@shoal/errors';
import type { RestRequest, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { masterTimeout } from './index-options.js';

/** Calls that take `master_timeout` but that any node can answer without a master. */
const ANSWERED_BY_ANY = new Set([
  'cat.count',
  'cat.fielddata',
  'cat.recovery',
  'cat.tasks',
  'features.get_features',
  'xpack.usage',
]);

/**
 * Waits until the node follows a master. Throws master_not_discovered_exception after `master_timeout`. With
 * `local=true` it does not wait.
 */
export async function reachMaster(request: RestRequest, { cluster }: Services): Promise<void> {
  if (cluster.state().masterNodeId !== null || request.params.boolean('local', false)) return;
  if (!(await cluster.waitFor((state) => state.masterNodeId !== null, masterTimeout(request))))
    throw errors.masterNotDiscovered(null);
}

/**
 * Makes a route that reads the cluster state wait for a master: without one, the state of this node may be outdated.
 */
export function readsMaster(route: Route<Services>): Route<Services> {
  const { methods, parameters = [], name, handle } = route;
  const reads =
    methods.every((method) => method === 'GET' || method === 'HEAD') &&
    parameters.includes('master_timeout') &&
    !ANSWERED_BY_ANY.has(name);
  if (!reads) return route;
  return {
    ...route,
    async handle(request, services) {
      if (!request.params.boolean('help', false)) await reachMaster(request, services);
      return handle(request, services);
    },
  };
}
