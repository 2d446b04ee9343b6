import type { Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { routes as aliases } from './aliases.js';
import { routes as allocation } from './allocation.js';
import { routes as count } from './count.js';
import { routes as fielddata } from './fielddata.js';
import { routes as health } from './health.js';
import { routes as indices } from './indices.js';
import { routes as ml } from './ml.js';
import { routes as nodes } from './nodes.js';
import { routes as recovery } from './recovery.js';
import { routes as segments } from './segments.js';
import { routes as shards } from './shards.js';
import {
  masterRoutes,
  nodeAttributeRoutes,
  pendingTaskRoutes,
  pluginRoutes,
  repositoryRoutes,
} from './small-tables.js';
import { routes as snapshots } from './snapshots.js';
import { routes as tasks } from './tasks.js';
import { componentTemplateRoutes, templateRoutes } from './templates.js';
import { routes as threadPool } from './thread-pool.js';
import { routes as transforms } from './transforms.js';

const TABLES: readonly Route<Services>[] = [
  allocation,
  shards,
  masterRoutes,
  nodes,
  tasks,
  indices,
  segments,
  count,
  recovery,
  health,
  pendingTaskRoutes,
  aliases,
  threadPool,
  pluginRoutes,
  fielddata,
  nodeAttributeRoutes,
  repositoryRoutes,
  snapshots,
  templateRoutes,
  componentTemplateRoutes,
  transforms,
  ml,
].flat();

const listing = `=^.^=\n${TABLES.map((route) => `${route.path}\n`).join('')}`;

/** Routes of all `_cat` tables, and of their list. */
export const routes: readonly Route<Services>[] = [
  {
    methods: ['GET'],
    path: '/_cat',
    name: 'cat.help',
    body: 'none',
    privilege: 'cluster:monitor/state',
    parameters: ['help', 's'],
    handle: () => ({ status: 200, text: listing }),
  },
  ...TABLES,
];
