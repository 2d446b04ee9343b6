import type { ApplicationPrivileges, IndexPrivileges, RoleDescriptor } from '../role-descriptor.js';

interface Grants {
  readonly cluster?: readonly string[];
  readonly indices?: readonly IndexPrivileges[];
  readonly applications?: readonly ApplicationPrivileges[];
  readonly runAs?: readonly string[];
  readonly global?: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

function on(names: readonly string[], privileges: readonly string[], allowRestrictedIndices = false): IndexPrivileges {
  return { names, privileges, fieldSecurity: null, query: null, allowRestrictedIndices };
}

function role(name: string, grants: Grants): RoleDescriptor {
  return {
    name,
    cluster: grants.cluster ?? [],
    indices: grants.indices ?? [],
    applications: grants.applications ?? [],
    runAs: grants.runAs ?? [],
    global: grants.global ?? null,
    metadata: { _reserved: true, ...grants.metadata },
    transientMetadata: { enabled: true },
  };
}

const kibana = (...privileges: readonly string[]): ApplicationPrivileges => ({
  application: 'kibana-.kibana',
  privileges,
  resources: ['*'],
});
const reservedKibana = (privilege: string): ApplicationPrivileges => ({
  application: 'kibana-*',
  privileges: [privilege],
  resources: ['*'],
});
const superseded = (reason: string): Readonly<Record<string, unknown>> => ({
  _deprecated: true,
  _deprecated_reason: reason,
});

const NOT_INTERNAL = ['/~(([.]|ilm-history-).*)/'] as const;
const MONITORING_BULK = 'cluster:admin/xpack/monitoring/bulk';
const READS = ['read', 'read_cross_cluster'] as const;
const SEEN = ['read', 'view_index_metadata'] as const;

const KIBANA_SYSTEM: Grants = {
  cluster: [
    'monitor',
    'manage_index_templates',
    MONITORING_BULK,
    'manage_saml',
    'manage_token',
    'manage_oidc',
    'manage_enrich',
    'manage_pipeline',
    'manage_ilm',
    'manage_transform',
    'cluster:admin/xpack/security/api_key/invalidate',
    'grant_api_key',
    'manage_own_api_key',
    'cluster:admin/xpack/security/privilege/builtin/get',
    'delegate_pki',
    'cluster:admin/xpack/security/profile/activate',
    'cluster:admin/xpack/security/profile/suggest',
    'cluster:admin/xpack/security/profile/has_privileges',
    'write_fleet_secrets',
    'manage_ml',
    'cancel_task',
    'read_security',
    'monitor_text_structure',
    'cluster:admin/xpack/application/search_application/get',
    'manage_search_application',
  ],
  indices: [
    on(['.kibana*', '.reporting-*'], ['all'], true),
    // Ours: 8.12 has no such index.
    on(['.shoal-dashboards*'], ['all'], true),
    on(['.monitoring-*'], READS),
    on(['.management-beats'], ['create_index', 'read', 'write']),
    on(['.ml-anomalies*', '.ml-stats-*'], ['read']),
    on(['.ml-annotations*', '.ml-notifications*'], ['read', 'write']),
    on(['.apm-agent-configuration', '.apm-custom-link', '.apm-source-map'], ['all'], true),
    on(['apm-*', 'traces-apm.*', 'traces-apm-*', 'logs-apm.*', 'metrics-apm.*', 'traces-*.otel-*'], READS),
    on(['*'], ['view_index_metadata', 'monitor']),
    on(['.logs-endpoint.diagnostic.collection-*'], ['read']),
    on(['.fleet*'], ['all'], true),
    on(
      [
        '.siem-signals*',
        '.alerts*',
        '.internal.alerts*',
        '.preview.alerts*',
        '.internal.preview.alerts*',
        '.lists*',
        '.items*',
        '.entities.*',
      ],
      ['all'],
    ),
    on(
      ['.metrics-endpoint.metadata*', '.logs-endpoint.*', '.logs-osquery_manager.*', 'logs-osquery_manager.*'],
      ['create_index', 'read', 'index', 'delete', 'write', 'manage'],
    ),
    on(
      [
        'metrics-endpoint.*',
        'metrics-fleet_server*',
        'logs-fleet_server*',
        'metrics-elastic_agent*',
        'logs-elastic_agent*',
        'agentless-*',
      ],
      ['read', 'manage'],
    ),
    on(
      [
        'logs-*',
        'synthetics-*',
        'traces-*',
        'metrics-*',
        'profiling-*',
        '/metrics-.*&~(metrics-endpoint\\.metadata_current_default.*)/',
      ],
      [
        'indices:admin/settings/update',
        'indices:admin/mapping/put',
        'indices:admin/rollover',
        'indices:admin/data_stream/lifecycle/put',
      ],
    ),
    on(
      [
        '.slo-observability.*',
        'risk-score.risk-*',
        '.asset-criticality.*',
        'ml_host_risk_score*',
        'ml_user_risk_score*',
        '.ml-*-entity*',
      ],
      ['all'],
    ),
    on(['.ent-search-*', '.elastic-connectors*', 'search-*'], ['read', 'manage', 'index', 'delete']),
  ],
  runAs: [],
  // Privileges of its own applications, and access to the profile data that it stores.
  global: {
    application: { manage: { applications: ['kibana-*'] } },
    profile: { write: { applications: ['kibana*'] } },
  },
};

const REMOTE_MONITORING_AGENT: Grants = {
  cluster: [
    'manage_index_templates',
    'manage_ingest_pipelines',
    'monitor',
    'manage_ilm',
    'cluster:monitor/xpack/watcher/watch/get',
    'cluster:admin/xpack/watcher/watch/put',
    'cluster:admin/xpack/watcher/watch/delete',
  ],
  indices: [
    on(['.monitoring-*'], ['all']),
    on(
      ['metricbeat-*'],
      ['index', 'create_index', 'view_index_metadata', 'indices:admin/aliases', 'indices:admin/rollover'],
    ),
  ],
};

const REMOTE_MONITORING_COLLECTOR: Grants = {
  cluster: ['monitor'],
  indices: [on(['*'], ['monitor']), on(['.kibana*'], ['read'], true)],
};

const SYSTEM_REPORTER: Grants = { cluster: ['monitor', MONITORING_BULK] };

const TABLE: readonly (readonly [string, Grants])[] = [
  [
    'superuser',
    {
      cluster: ['all'],
      indices: [on(['*'], ['all']), on(['*'], ['monitor', 'read', 'view_index_metadata', 'read_cross_cluster'], true)],
      applications: [{ application: '*', privileges: ['*'], resources: ['*'] }],
      runAs: ['*'],
    },
  ],
  ['transport_client', { cluster: ['transport_client'] }],
  ['kibana_admin', { applications: [kibana('all')] }],
  [
    'kibana_user',
    { applications: [kibana('all')], metadata: superseded('Please use the [kibana_admin] role instead') },
  ],
  ['kibana_system', KIBANA_SYSTEM],
  [
    'viewer',
    {
      indices: [
        on(NOT_INTERNAL, SEEN),
        on(['.siem-signals*', '.lists-*', '.items-*'], SEEN),
        on(['.alerts*', '.preview.alerts*'], SEEN),
        on(['.profiling-*', 'profiling-*'], READS),
      ],
      applications: [kibana('read')],
    },
  ],
  [
    'editor',
    {
      indices: [
        on(NOT_INTERNAL, SEEN),
        on(['observability-annotations'], ['read', 'view_index_metadata', 'write']),
        on(['.siem-signals*', '.lists-*', '.items-*'], ['read', 'view_index_metadata', 'write', 'maintenance']),
        on(
          ['.internal.alerts*', '.alerts*', '.internal.preview.alerts*', '.preview.alerts*'],
          ['read', 'view_index_metadata', 'write', 'maintenance'],
        ),
        on(['.profiling-*', 'profiling-*'], READS),
      ],
      applications: [kibana('all')],
    },
  ],
  [
    'monitoring_user',
    {
      cluster: ['cluster:monitor/main', 'cluster:monitor/xpack/info', 'cluster:monitor/remote/info'],
      indices: [
        on(['.monitoring-*'], READS),
        on(['/metrics-(beats|elasticsearch|enterprisesearch|kibana|logstash).*/'], READS),
        on(['metricbeat-*'], READS),
      ],
      applications: [reservedKibana('reserved_monitoring')],
    },
  ],
  ['remote_monitoring_agent', REMOTE_MONITORING_AGENT],
  ['remote_monitoring_collector', REMOTE_MONITORING_COLLECTOR],
  ['ingest_admin', { cluster: ['manage_index_templates', 'manage_pipeline'] }],
  [
    'reporting_user',
    {
      applications: [reservedKibana('reserved_reporting_user')],
      metadata: superseded('Please use Kibana feature privileges instead'),
    },
  ],
  ['logstash_system', SYSTEM_REPORTER],
  [
    'logstash_admin',
    {
      cluster: ['manage_logstash_pipelines'],
      indices: [on(['.logstash*'], ['create', 'delete', 'index', 'manage', 'read'], true)],
    },
  ],
  ['beats_admin', { indices: [on(['.management-beats'], ['all'])] }],
  ['beats_system', { ...SYSTEM_REPORTER, indices: [on(['.monitoring-beats-*'], ['create_index', 'create'])] }],
  ['apm_system', { ...SYSTEM_REPORTER, indices: [on(['.monitoring-beats-*'], ['create_index', 'create_doc'])] }],
  [
    'apm_user',
    {
      indices: [
        'apm-*',
        'logs-apm.*',
        'logs-apm-*',
        'metrics-apm.*',
        'metrics-apm-*',
        'traces-apm.*',
        'traces-apm-*',
      ].map((name) => on([name], SEEN)),
      applications: [reservedKibana('reserved_apm_user')],
      metadata: superseded(
        'This role will be removed in a future major release. Please use editor and viewer roles instead',
      ),
    },
  ],
  [
    'machine_learning_user',
    {
      cluster: ['monitor_ml'],
      indices: [
        on(['.ml-anomalies*', '.ml-notifications*'], ['view_index_metadata', 'read']),
        on(['.ml-annotations*'], ['view_index_metadata', 'read', 'write']),
      ],
      applications: [reservedKibana('reserved_ml_user')],
    },
  ],
  [
    'machine_learning_admin',
    {
      cluster: ['manage_ml'],
      indices: [
        on(
          ['.ml-anomalies*', '.ml-notifications*', '.ml-state*', '.ml-meta*', '.ml-stats-*'],
          ['view_index_metadata', 'read'],
          true,
        ),
        on(['.ml-annotations*'], ['view_index_metadata', 'read', 'write']),
      ],
      applications: [reservedKibana('reserved_ml_admin')],
    },
  ],
  [
    'data_frame_transforms_admin',
    {
      cluster: ['manage_data_frame_transforms'],
      indices: [
        on(
          ['.transform-notifications-*', '.data-frame-notifications-*', '.transform-notifications-read'],
          ['view_index_metadata', 'read'],
        ),
      ],
      metadata: superseded('Please use the [transform_admin] role instead'),
    },
  ],
  [
    'data_frame_transforms_user',
    {
      cluster: ['monitor_data_frame_transforms'],
      indices: [
        on(
          ['.transform-notifications-*', '.data-frame-notifications-*', '.transform-notifications-read'],
          ['view_index_metadata', 'read'],
        ),
      ],
      metadata: superseded('Please use the [transform_user] role instead'),
    },
  ],
  [
    'transform_admin',
    {
      cluster: ['manage_transform'],
      indices: [on(['.transform-notifications-*', '.transform-notifications-read'], ['view_index_metadata', 'read'])],
    },
  ],
  [
    'transform_user',
    {
      cluster: ['monitor_transform'],
      indices: [on(['.transform-notifications-*', '.transform-notifications-read'], ['view_index_metadata', 'read'])],
    },
  ],
  [
    'watcher_admin',
    {
      cluster: ['manage_watcher'],
      indices: [on(['.watches', '.triggered_watches', '.watcher-history-*'], ['read'], true)],
    },
  ],
  ['watcher_user', { cluster: ['monitor_watcher'], indices: [on(['.watches', '.watcher-history-*'], ['read'], true)] }],
  [
    'snapshot_user',
    {
      cluster: ['create_snapshot', 'cluster:admin/repository/get'],
      indices: [on(['*'], ['view_index_metadata'], true)],
    },
  ],
  ['rollup_user', { cluster: ['monitor_rollup'] }],
  ['rollup_admin', { cluster: ['manage_rollup'] }],
  [
    'enrich_user',
    {
      cluster: ['manage_enrich', 'manage_ingest_pipelines', 'monitor'],
      indices: [on(['.enrich-*'], ['manage', 'read', 'write'], true)],
    },
  ],
];

/** The reserved roles of 8.12, by name. */
export const BUILT_IN_ROLES: ReadonlyMap<string, RoleDescriptor> = new Map(
  TABLE.map(([name, grants]) => [name, role(name, grants)]),
);

/** Roles of the service accounts, by the name of the account. */
export const SERVICE_ACCOUNT_ROLES: ReadonlyMap<string, RoleDescriptor> = new Map([
  ['elastic/kibana', role('elastic/kibana', KIBANA_SYSTEM)],
  ['elastic/fleet-server', role('elastic/fleet-server', fleetServer())],
  [
    'elastic/fleet-server-remote',
    role('elastic/fleet-server-remote', { cluster: ['monitor', 'manage_own_api_key', 'read_fleet_secrets'] }),
  ],
  ['elastic/enterprise-search-server', role('elastic/enterprise-search-server', enterpriseSearch())],
]);

function fleetServer(): Grants {
  const shipped = [
    'logs-*',
    'metrics-*',
    'traces-*',
    '.logs-endpoint.diagnostic.collection-*',
    '.logs-endpoint.action.responses-*',
    '.logs-endpoint.heartbeat-*',
  ];
  return {
    cluster: ['monitor', 'manage_own_api_key', 'read_fleet_secrets'],
    indices: [
      on(shipped, ['write', 'create_index', 'auto_configure']),
      on(
        ['profiling-*', 'traces-apm.sampled-*', 'synthetics-*'],
        ['read', 'write', 'create_index', 'auto_configure', 'maintenance', 'view_index_metadata'],
      ),
      on(
        [
          '.fleet-agents*',
          '.fleet-actions*',
          '.fleet-artifacts*',
          '.fleet-enrollment-api-keys*',
          '.fleet-policies*',
          '.fleet-policies-leader*',
          '.fleet-servers*',
          '.fleet-secrets*',
          '.fleet-fileds*',
        ],
        ['read', 'write', 'monitor', 'create_index', 'auto_configure', 'maintenance'],
        true,
      ),
    ],
    applications: [reservedKibana('reserved_fleet-setup')],
  };
}

function enterpriseSearch(): Grants {
  return {
    cluster: ['manage', 'manage_security'],
    indices: [
      on(
        [
          'search-*',
          '.search-acl-filter-*',
          '.elastic-analytics-collections',
          '.ent-search-*',
          '.monitoring-ent-search-*',
          'metricbeat-ent-search-*',
          'enterprise-search-*',
          'logs-app_search.analytics-default',
          'logs-elastic_analytics.events-*',
          'logs-enterprise_search.api-default',
          'logs-workplace_search.analytics-default',
          'logs-crawler-default',
          '.elastic-connectors*',
        ],
        ['manage', 'read', 'write'],
      ),
    ],
  };
}
