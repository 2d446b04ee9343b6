import { FEATURES } from '@shoal/coordinator';
import type { Route } from '../routing/route.js';
import type { Services } from '../services.js';

const SHOWN = FEATURES.map(({ name, description }) => ({ name, description }));

const MIGRATION = { features: [], migration_status: 'NO_MIGRATION_NEEDED' };

export const routes: readonly Route<Services>[] = [
  {
    methods: ['GET'],
    path: '/_features',
    name: 'features.get_features',
    body: 'none',
    privilege: 'cluster:admin/features/get',
    parameters: ['master_timeout'],
    handle: () => ({ status: 200, json: { features: SHOWN } }),
  },
  {
    methods: ['POST'],
    path: '/_features/_reset',
    name: 'features.reset_features',
    body: 'none',
    privilege: 'cluster:admin/features/reset',
    parameters: ['fail_on_error', 'master_timeout'],
    handle: () => ({
      status: 200,
      json: {
        features: SHOWN.map(({ name }) => ({ feature_name: name, status: 'SUCCESS' })),
      },
    }),
  },
  {
    methods: ['GET', 'POST'],
    path: '/_migration/system_features',
    name: 'migration.get_feature_upgrade_status',
    body: 'none',
    privilege: 'cluster:admin/migration/get_system_feature',
    parameters: [],
    handle: (request) => ({
      status: 200,
      json: request.method === 'GET' ? MIGRATION : { accepted: false, reason: 'No system indices require migration' },
    }),
  },
  {
    methods: ['GET'],
    path: '/_migration/deprecations',
    name: 'migration.deprecations',
    body: 'none',
    privilege: 'cluster:admin/xpack/deprecation/info',
    parameters: [],
    handle: () => ({
      status: 200,
      json: { cluster_settings: [], node_settings: [], index_settings: {}, data_streams: {}, ml_settings: [] },
    }),
  },
];
