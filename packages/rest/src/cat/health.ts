import { type ClusterHealth, clusterHealth } from '@shoal/state';
import { millis } from './cell.js';
import type { Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { catRoutes, type Column, column, renderTable } from './table.js';
import { epochSeconds, timeOfDay } from './timestamps.js';

interface Row {
  readonly nowMs: number;
  readonly cluster: string;
  readonly health: ClusterHealth;
  readonly pendingTasks: number;
  readonly longestWaitMs: number;
}

const columns: readonly Column<Row>[] = [
  column('epoch', 't,time', 'seconds since 1970-01-01 00:00:00', 'default', (row) => epochSeconds(row.nowMs)),
  column('timestamp', 'ts,hms,hhmmss', 'time in HH:MM:SS', 'default', (row) => timeOfDay(row.nowMs)),
  column('cluster', 'cl', 'cluster name', 'default', (row) => row.cluster),
  column('status', 'st', 'health status', 'default', (row) => row.health.status),
  column('node.total', 'nt,nodeTotal', 'total number of nodes', 'default right', (row) => row.health.numberOfNodes),
  column(
    'node.data',
    'nd,nodeData',
    'number of nodes that can store data',
    'default right',
    (row) => row.health.numberOfDataNodes,
  ),
  column(
    'shards',
    't,sh,shards.total,shardsTotal',
    'total number of shards',
    'default right',
    (row) => row.health.active,
  ),
  column(
    'pri',
    'p,shards.primary,shardsPrimary',
    'number of primary shards',
    'default right',
    (row) => row.health.activePrimaries,
  ),
  column(
    'relo',
    'r,shards.relocating,shardsRelocating',
    'number of relocating nodes',
    'default right',
    (row) => row.health.relocating,
  ),
  column(
    'init',
    'i,shards.initializing,shardsInitializing',
    'number of initializing nodes',
    'default right',
    (row) => row.health.initializing,
  ),
  column(
    'unassign',
    'u,shards.unassigned,shardsUnassigned',
    'number of unassigned shards',
    'default right',
    (row) => row.health.unassigned,
  ),
  column('pending_tasks', 'pt,pendingTasks', 'number of pending tasks', 'default right', (row) => row.pendingTasks),
  column('max_task_wait_time', 'mtwt,maxTaskWaitTime', 'wait time of longest task pending', 'default right', (row) =>
    row.longestWaitMs === 0 ? '-' : millis(row.longestWaitMs),
  ),
  column(
    'active_shards_percent',
    'asp,activeShardsPercent',
    'active number of shards in percent',
    'default right',
    (row) => ({ percent: row.health.activePercent }),
  ),
];

async function rows({ cluster, clock }: Services): Promise<Row[]> {
  const state = cluster.state();
  const pending = await cluster.pendingTasks();
  const longestWaitMs = Math.max(0, ...pending.map((task) => task.queuedMs));
  return [
    {
      nowMs: clock.now(),
      cluster: state.clusterName,
      health: clusterHealth(state),
      pendingTasks: pending.length,
      longestWaitMs,
    },
  ];
}

const [route] = catRoutes<Row>({
  name: 'health',
  paths: ['/_cat/health'],
  refuses: ['local', 'master_timeout'],
  privilege: 'cluster:monitor/health',
  columns,
  rows: (_request, services) => rows(services),
});

/** Routes of `_cat/health`; `ts=false` removes the two time columns. */
export const routes: readonly Route<Services>[] = [
  {
    ...route!,
    handle: async (request, services) => {
      if (request.params.boolean('ts', true)) return route!.handle(request, services);
      return renderTable(request, columns.slice(2), await rows(services));
    },
  },
];
