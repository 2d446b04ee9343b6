import { errors } from '@shoal/errors';
import type { Route } from '../routing/route.js';
import type { Services } from '../services.js';

function refuse(): never {
  throw errors.illegalArgument('desired nodes are not supported: nothing here changes the number of nodes by itself');
}

/** Desired nodes, which orchestrators announce; this product has none. */
export const routes: readonly Route<Services>[] = [
  {
    methods: ['GET'],
    path: '/_internal/desired_nodes/_latest',
    name: 'desired_nodes.get',
    body: 'none',
    privilege: 'cluster:admin/desired_nodes/get',
    parameters: ['master_timeout'],
    handle() {
      throw errors.resourceNotFound('Desired nodes not found');
    },
  },
  {
    methods: ['PUT'],
    path: '/_internal/desired_nodes/{history_id}/{version}',
    name: 'desired_nodes.update',
    body: 'optional',
    privilege: 'cluster:admin/desired_nodes/update',
    parameters: ['master_timeout', 'timeout', 'dry_run'],
    handle: refuse,
  },
  {
    methods: ['DELETE'],
    path: '/_internal/desired_nodes',
    name: 'desired_nodes.delete',
    body: 'none',
    privilege: 'cluster:admin/desired_nodes/delete',
    parameters: ['master_timeout', 'timeout'],
    handle: () => ({ status: 200, json: {} }),
  },
];
