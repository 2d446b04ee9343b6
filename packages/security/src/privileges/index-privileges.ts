import { errors } from '@shoal/errors';
import { type ActionPatterns, actions, byAccessLevel, grantsAction } from './action-patterns.js';

const WRITE = 'indices:data/write';
const AUTO_MAPPING = 'indices:admin/mapping/auto_put';
const RESOLVE = 'indices:admin/resolve/index';
const CREATE_DOC = [`${WRITE}/index`, `${WRITE}/index[*`, `${WRITE}/index:op_type/create`, `${WRITE}/bulk*`] as const;
const STREAM_LIFECYCLE = 'indices:admin/data_stream/lifecycle';

/** Actions that each index privilege of 8.12 grants. */
const TABLE: readonly (readonly [string, ActionPatterns])[] = [
  ['none', actions()],
  ['all', actions('indices:*', 'internal:*')],
  ['read', actions('indices:data/read/*', RESOLVE)],
  ['write', actions(`${WRITE}/*`, AUTO_MAPPING)],
  ['index', actions(`${WRITE}/index*`, `${WRITE}/bulk*`, `${WRITE}/update*`)],
  ['create', actions(`${WRITE}/index*`, `${WRITE}/bulk*`)],
  ['create_doc', actions(...CREATE_DOC)],
  ['delete', actions(`${WRITE}/delete*`, `${WRITE}/bulk*`)],
  ['monitor', actions('indices:monitor/*')],
  [
    'manage',
    actions(
      'indices:monitor/*',
      'indices:admin/*',
      'indices:data/read/field_caps*',
      'indices:data/read/xpack/rollup/get/index/caps*',
    ),
  ],
  [
    'maintenance',
    actions(
      'indices:admin/refresh*',
      'indices:admin/flush*',
      'indices:admin/synced_flush',
      'indices:admin/forcemerge*',
    ),
  ],
  ['create_index', actions('indices:admin/create', 'indices:admin/auto_create', 'indices:admin/data_stream/create')],
  ['auto_configure', actions(AUTO_MAPPING, 'indices:admin/auto_create')],
  ['delete_index', actions('indices:admin/delete', 'indices:admin/data_stream/delete')],
  [
    'view_index_metadata',
    actions(
      ...[
        'aliases/get',
        'get',
        'mappings/fields/get*',
        'mappings/get',
        'shards/search_shards',
        'search/search_shards',
        'validate/query*',
        'data_stream/get',
        'ilm/explain',
      ].map((name) => `indices:admin/${name}`),
      ...[
        `${STREAM_LIFECYCLE}/get`,
        `${STREAM_LIFECYCLE}/explain`,
        'indices:monitor/settings/get',
        RESOLVE,
        'indices:data/read/field_caps*',
        'indices:data/read/xpack/rollup/get/index/caps*',
      ],
      'internal:transform/checkpoint*',
    ),
  ],
  [
    'read_cross_cluster',
    actions(
      'internal:transport/proxy/indices:data/read/*',
      'indices:admin/shards/search_shards',
      'indices:admin/search/search_shards',
      RESOLVE,
    ),
  ],
  [
    'manage_follow_index',
    actions(
      'indices:admin/xpack/ccr/put_follow',
      'indices:admin/xpack/ccr/unfollow',
      'indices:admin/close*',
      'indices:admin/data_stream/promote',
      'indices:admin/rollover',
    ),
  ],
  ['manage_leader_index', actions('indices:admin/xpack/ccr/forget_follower*')],
  ['manage_ilm', actions('indices:admin/ilm/*')],
  ['manage_data_stream_lifecycle', actions(`${STREAM_LIFECYCLE}/*`)],
  [
    'cross_cluster_replication',
    actions(
      'indices:data/read/xpack/ccr/shard_changes*',
      'indices:monitor/stats*',
      'indices:admin/seq_no/*',
      'indices:admin/shards/search_shards',
    ),
  ],
  [
    'cross_cluster_replication_internal',
    actions('indices:internal/admin/ccr/restore/*', 'internal:transport/proxy/indices:internal/admin/ccr/restore/*'),
  ],
];

const PRIVILEGES: ReadonlyMap<string, ActionPatterns> = new Map(TABLE);
const BY_ACCESS_LEVEL = byAccessLevel(PRIVILEGES);

/** Names of the index privileges, sorted. */
export const INDEX_PRIVILEGES: readonly string[] = [...PRIVILEGES.keys()].sort();

/** Actions of an index privilege, or of a pattern of action names. Throws for a text that is neither. */
export function indexPrivilege(name: string): ActionPatterns {
  const known = PRIVILEGES.get(name.toLowerCase());
  if (known) return known;
  if (name.startsWith('indices:') || name.startsWith('internal:')) return actions(name);
  throw errors.illegalArgument(
    `unknown index privilege [${name}]. a privilege must be either one of the predefined fixed indices privileges ` +
      `[${BY_ACCESS_LEVEL.join(',')}] or a pattern over one of the available index actions`,
  );
}

/** Names of the privileges that grant an action, least powerful first. */
export function indexPrivilegesFor(action: string): readonly string[] {
  return BY_ACCESS_LEVEL.filter((name) => grantsAction(PRIVILEGES.get(name)!, action));
}
