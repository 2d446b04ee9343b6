import { BUILD } from '@shoal/values';
import { isoTime } from '../cat/timestamps.js';
import type { RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

const ok = (json: unknown): RestResponse => ({ status: 200, json });

const FEATURES = [
  'aggregate_metric',
  'analytics',
  'archive',
  'ccr',
  'data_streams',
  'data_tiers',
  'enrich',
  'enterprise_search',
  'eql',
  'esql',
  'frozen_indices',
  'graph',
  'ilm',
  'logstash',
  'ml',
  'monitoring',
  'rollup',
  'searchable_snapshots',
  'security',
  'slm',
  'spatial',
  'sql',
  'transform',
  'universal_profiling',
  'voting_only',
  'watcher',
];

/** Features that this program provides. */
const AVAILABLE: ReadonlySet<string> = new Set([
  'data_streams',
  'data_tiers',
  'aggregate_metric',
  'analytics',
  'enrich',
  'ilm',
  'ml',
  'slm',
  'spatial',
  'transform',
]);

function license(services: Services): Record<string, unknown> {
  return {
    status: 'active',
    uid: services.cluster.state().clusterUuid,
    type: 'basic',
    issue_date: isoTime(services.node.startedAtMs),
    issue_date_in_millis: services.node.startedAtMs,
    max_nodes: 1000,
    max_resource_units: null,
    issued_to: services.cluster.state().clusterName,
    issuer: 'elasticsearch',
    start_date_in_millis: -1,
  };
}

/** Whether a feature is available, and whether it is enabled. */
function featureOf(name: string, { security }: Services): { available: boolean; enabled: boolean } {
  if (name === 'security') return { available: true, enabled: security !== null };
  return { available: AVAILABLE.has(name), enabled: AVAILABLE.has(name) };
}

/** Section `security` of `_xpack/usage`. */
function securityUsage({ security }: Services): Record<string, unknown> {
  if (security === null) return {};
  const { settings, realms } = security;
  const all = [...realms.byPassword, ...realms.byToken, ...realms.byCertificate].map(({ ref }) => ref);
  const types = [...new Set(all.map(({ type }) => type))];
  return {
    realms: Object.fromEntries(
      types.map((type) => [
        type,
        { available: true, enabled: true, name: all.filter((ref) => ref.type === type).map(({ name }) => name) },
      ]),
    ),
    token_service: { enabled: settings.tokens.enabled },
    api_key_service: { enabled: settings.apiKeys.enabled },
    anonymous: { enabled: settings.anonymous !== null },
    authentication: security.statistics(),
  };
}

function usage(services: Services): Record<string, unknown> {
  return Object.fromEntries(
    FEATURES.map((name) => [
      name,
      { ...featureOf(name, services), ...(name === 'security' ? securityUsage(services) : {}) },
    ]),
  );
}

function info(services: Services): Record<string, unknown> {
  return {
    build: { hash: BUILD.hash, date: BUILD.date },
    license: { uid: services.cluster.state().clusterUuid, type: 'basic', mode: 'basic', status: 'active' },
    features: Object.fromEntries(FEATURES.map((name) => [name, featureOf(name, services)])),
    tagline: 'You know, for X',
  };
}

/** Action names by call. */
const ACTIONS: Readonly<Record<string, string>> = {
  'license.get': 'cluster:monitor/xpack/license/get',
  'license.get_basic_status': 'cluster:admin/xpack/license/basic_status',
  'license.get_trial_status': 'cluster:admin/xpack/license/trial_status',
  'xpack.info': 'cluster:monitor/xpack/info',
  'xpack.usage': 'cluster:monitor/xpack/usage',
};

function get(
  path: string,
  name: string,
  json: (services: Services) => unknown,
  parameters: readonly string[] = [],
): Route<Services> {
  return {
    methods: ['GET'],
    path,
    name,
    body: 'none',
    privilege: ACTIONS[name]!,
    parameters,
    handle: (_request, services) => ok(json(services)),
  };
}

export const routes: readonly Route<Services>[] = [
  get('/_license', 'license.get', (services) => ({ license: license(services) }), ['accept_enterprise', 'local']),
  get('/_license/basic_status', 'license.get_basic_status', () => ({ eligible_to_start_basic: false })),
  get('/_license/trial_status', 'license.get_trial_status', () => ({ eligible_to_start_trial: false })),
  {
    methods: ['POST'],
    path: '/_license/start_basic',
    name: 'license.post_start_basic',
    body: 'none',
    privilege: 'cluster:admin/xpack/license/start_basic',
    parameters: ['acknowledge'],
    handle: () =>
      ok({
        acknowledged: true,
        basic_was_started: false,
        error_message: 'Operation failed: Current license is basic.',
      }),
  },
  get('/_xpack', 'xpack.info', info, ['categories', 'accept_enterprise']),
  get('/_xpack/usage', 'xpack.usage', usage, ['master_timeout']),
  {
    methods: ['GET'],
    path: '/_ssl/certificates',
    name: 'ssl.certificates',
    body: 'none',
    privilege: 'cluster:monitor/xpack/ssl/certificates/get',
    parameters: [],
    handle: async (_request, services) => ok(await services.certificates()),
  },
];
