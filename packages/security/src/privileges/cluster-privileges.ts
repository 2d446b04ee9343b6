import { errors } from '@shoal/errors';
import { type ActionPatterns, actions, byAccessLevel, grantsAction } from './action-patterns.js';

const SECURITY = 'cluster:admin/xpack/security';
const TOKENS = `${SECURITY}/token`;
const EVERYTHING = ['cluster:*', 'indices:admin/template/*', 'indices:admin/index_template/*'] as const;
const SNAPSHOTS_SEEN = [
  'cluster:admin/snapshot/status*',
  'cluster:admin/snapshot/get',
  'cluster:admin/repository/get',
] as const;
const LIFECYCLE_MODE = 'cluster:admin/ilm/operation_mode/get';
const CROSS_CLUSTER = 'cluster:internal/remote_cluster';

/** Actions that each cluster privilege of 8.12 grants. */
const TABLE: readonly (readonly [string, ActionPatterns])[] = [
  ['none', actions()],
  ['all', actions(...EVERYTHING)],
  ['manage', { grants: EVERYTHING, except: [`${SECURITY}/*`] }],
  [
    'monitor',
    actions(
      'cluster:monitor/*',
      'indices:admin/template/get',
      'indices:admin/index_template/get',
      'cluster:admin/component_template/get',
    ),
  ],
  ['cancel_task', actions('cluster:admin/tasks/cancel*')],
  ['create_snapshot', actions('cluster:admin/snapshot/create', ...SNAPSHOTS_SEEN)],
  ['monitor_snapshot', actions(...SNAPSHOTS_SEEN)],
  [
    'cross_cluster_replication',
    actions(
      `${CROSS_CLUSTER}/handshake`,
      `${CROSS_CLUSTER}/nodes`,
      'cluster:monitor/state',
      `${SECURITY}/user/has_privileges`,
    ),
  ],
  [
    'cross_cluster_search',
    actions(`${CROSS_CLUSTER}/handshake`, `${CROSS_CLUSTER}/nodes`, 'cluster:monitor/xpack/enrich/esql/resolve_policy'),
  ],
  ['delegate_pki', actions(`${SECURITY}/delegate_pki`, `${TOKENS}/invalidate`)],
  ['grant_api_key', actions(`${SECURITY}/api_key/grant*`)],
  ['manage_api_key', actions(`${SECURITY}/api_key/*`)],
  ['manage_autoscaling', actions('cluster:admin/autoscaling/*')],
  ['manage_behavioral_analytics', actions('cluster:admin/xpack/application/analytics/*')],
  ['manage_ccr', actions('cluster:admin/xpack/ccr/*', 'cluster:monitor/state', `${SECURITY}/user/has_privileges`)],
  [
    'manage_data_frame_transforms',
    actions(
      'cluster:admin/data_frame/*',
      'cluster:monitor/data_frame/*',
      'cluster:monitor/transform/*',
      'cluster:admin/transform/*',
    ),
  ],
  ['manage_enrich', actions('cluster:admin/xpack/enrich/*')],
  ['manage_ilm', actions('cluster:admin/ilm/*')],
  [
    'manage_index_templates',
    actions('indices:admin/template/*', 'indices:admin/index_template/*', 'cluster:admin/component_template/*'),
  ],
  ['manage_ingest_pipelines', actions('cluster:admin/ingest/pipeline/*')],
  ['manage_logstash_pipelines', actions('cluster:admin/logstash/pipeline/*')],
  ['manage_ml', actions('cluster:admin/xpack/ml/*', 'cluster:monitor/xpack/ml/*')],
  ['manage_oidc', actions(`${SECURITY}/oidc/*`, `${TOKENS}/invalidate`, `${TOKENS}/refresh`)],
  ['manage_own_api_key', actions()],
  ['manage_pipeline', actions('cluster:admin/ingest/pipeline/*', 'cluster:admin/logstash/pipeline/*')],
  ['manage_rollup', actions('cluster:admin/xpack/rollup/*', 'cluster:monitor/xpack/rollup/*')],
  ['manage_saml', actions(`${SECURITY}/saml/*`, `${TOKENS}/invalidate`, `${TOKENS}/refresh`)],
  ['manage_search_application', actions('cluster:admin/xpack/application/search_application/*')],
  ['manage_search_query_rules', actions('cluster:admin/xpack/query_rules/*')],
  ['manage_search_synonyms', actions('cluster:admin/synonyms/*', 'cluster:admin/synonym_rules/*')],
  ['manage_security', actions(`${SECURITY}/*`)],
  ['manage_service_account', actions(`${SECURITY}/service_account/*`)],
  ['manage_slm', actions('cluster:admin/slm/*', 'cluster:admin/ilm/start', 'cluster:admin/ilm/stop', LIFECYCLE_MODE)],
  ['manage_token', actions(`${TOKENS}/*`)],
  [
    'manage_transform',
    actions(
      'cluster:admin/data_frame/*',
      'cluster:monitor/data_frame/*',
      'cluster:monitor/transform/*',
      'cluster:admin/transform/*',
    ),
  ],
  ['manage_user_profile', actions(`${SECURITY}/profile/*`)],
  ['manage_watcher', actions('cluster:admin/xpack/watcher/*', 'cluster:monitor/xpack/watcher/*')],
  ['monitor_data_frame_transforms', actions('cluster:monitor/data_frame/*', 'cluster:monitor/transform/*')],
  ['monitor_enrich', actions('cluster:monitor/xpack/enrich/*', 'cluster:admin/xpack/enrich/get')],
  ['monitor_ml', actions('cluster:monitor/xpack/ml/*')],
  ['monitor_rollup', actions('cluster:monitor/xpack/rollup/*')],
  ['monitor_text_structure', actions('cluster:monitor/text_structure/*')],
  ['monitor_transform', actions('cluster:monitor/data_frame/*', 'cluster:monitor/transform/*')],
  ['monitor_watcher', actions('cluster:monitor/xpack/watcher/*')],
  ['post_behavioral_analytics_event', actions('cluster:admin/xpack/application/analytics/post_event')],
  ['read_ccr', actions('cluster:monitor/state', `${SECURITY}/user/has_privileges`)],
  ['read_fleet_secrets', actions('cluster:admin/fleet/secrets/get')],
  ['write_fleet_secrets', actions('cluster:admin/fleet/secrets/post', 'cluster:admin/fleet/secrets/delete')],
  ['read_ilm', actions('cluster:admin/ilm/get', LIFECYCLE_MODE)],
  ['read_pipeline', actions('cluster:admin/ingest/pipeline/get', 'cluster:admin/ingest/pipeline/simulate')],
  [
    'read_security',
    actions(
      ...[
        'api_key/get',
        'api_key/query',
        'privilege/builtin/get',
        'privilege/get',
        'profile/get',
        'profile/has_privileges',
        'profile/suggest',
        'role/get',
        'role_mapping/get',
      ].map((name) => `${SECURITY}/${name}`),
      ...[
        'service_account/get',
        'service_account/credential/get*',
        'user/get',
        'user/has_privileges',
        'user/list_privileges',
        'settings/get',
      ].map((name) => `${SECURITY}/${name}`),
    ),
  ],
  ['read_slm', actions('cluster:admin/slm/get', LIFECYCLE_MODE)],
  ['transport_client', actions('cluster:monitor/nodes/liveness', 'cluster:monitor/state')],
];

const PRIVILEGES: ReadonlyMap<string, ActionPatterns> = new Map(TABLE);
const BY_ACCESS_LEVEL = byAccessLevel(PRIVILEGES);

/** Names of the cluster privileges, sorted. */
export const CLUSTER_PRIVILEGES: readonly string[] = [...PRIVILEGES.keys()].sort();

/** Actions that `manage_own_api_key` grants to the owner of a key. */
const ON_OWN_KEYS = ['create', 'get', 'invalidate', 'query', 'update', 'bulk_update'].map(
  (name) => `${SECURITY}/api_key/${name}`,
);

/** Whether `manage_own_api_key` grants an action on the caller's own keys. */
export function isOwnKeyAction(action: string): boolean {
  return ON_OWN_KEYS.includes(action);
}

/**
 * Whether an action is granted by cluster privileges. Template actions are, although their names begin with `indices:`.
 */
export function isClusterAction(action: string): boolean {
  return (
    action.startsWith('cluster:') ||
    action.startsWith('indices:admin/template/') ||
    action.startsWith('indices:admin/index_template/')
  );
}

/** Actions of a cluster privilege, or of a pattern of action names. Throws for a text that is neither. */
export function clusterPrivilege(name: string): ActionPatterns {
  const known = PRIVILEGES.get(name.toLowerCase());
  if (known) return known;
  if (isClusterAction(name)) return actions(name);
  throw errors.illegalArgument(
    `unknown cluster privilege [${name}]. a privilege must be either one of the predefined cluster privilege names ` +
      `[${BY_ACCESS_LEVEL.join(',')}] or a pattern over one of the available cluster actions`,
  );
}

/** Names of the privileges that grant an action, least powerful first. */
export function clusterPrivilegesFor(action: string): readonly string[] {
  return BY_ACCESS_LEVEL.filter(
    (name) => grantsAction(PRIVILEGES.get(name)!, action) || (name === 'manage_own_api_key' && isOwnKeyAction(action)),
  );
}
