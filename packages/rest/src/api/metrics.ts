import type { Route } from '../routing/route.js';
import type { Services } from '../services.js';

/** Route of the metrics of this node for Prometheus. */
export const routes: readonly Route<Services>[] = [
  {
    methods: ['GET'],
    path: '/_prometheus/metrics',
    name: 'prometheus.metrics',
    body: 'none',
    privilege: 'cluster:monitor/nodes/stats',
    parameters: [],
    handle: async (_request, { node }) => ({ status: 200, text: await node.metrics() }),
  },
];
