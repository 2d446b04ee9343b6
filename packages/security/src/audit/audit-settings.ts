import { AUDIT_EVENT_TYPES, AUDIT_FILTERS, clusterDefaults } from '@shoal/state';
import { errors } from '@shoal/errors';

/** A filter that leaves events out: an event is left out if it matches all lists. A null list matches every event. */
export interface AuditFilterPolicy {
  readonly users: readonly string[] | null;
  readonly realms: readonly string[] | null;
  readonly actions: readonly string[] | null;
  readonly roles: readonly string[] | null;
  readonly indices: readonly string[] | null;
}

/** The settings `xpack.security.audit.logfile.*`. */
export interface AuditSettings {
  readonly included: ReadonlySet<string>;
  readonly emitsBody: boolean;
  readonly emitsNodeName: boolean;
  readonly emitsNodeHostAddress: boolean;
  readonly emitsNodeHostName: boolean;
  readonly emitsNodeId: boolean;
  readonly emitsClusterName: boolean;
  readonly emitsClusterUuid: boolean;
  readonly policies: readonly AuditFilterPolicy[];
}

/** Prefix of the settings. */
const PREFIX = 'xpack.security.audit.logfile.';
const FILTER_KINDS = ['users', 'realms', 'actions', 'roles', 'indices'] as const;

type Values = ReadonlyMap<string, string | readonly string[]>;

function listOf(value: string | readonly string[] | undefined): readonly string[] | null {
  if (value === undefined) return null;
  return typeof value === 'string'
    ? value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
    : value;
}

/** The configured value, else the default. */
function valueOf(values: Values, name: string): string | readonly string[] {
  return values.get(`${PREFIX}${name}`) ?? (clusterDefaults()[`${PREFIX}${name}`] as string | readonly string[]);
}

function eventTypes(values: Values, name: string): readonly string[] {
  const names = listOf(valueOf(values, name)) ?? [];
  const unknown = names.find((event) => event !== '_all' && !AUDIT_EVENT_TYPES.includes(event));
  if (unknown !== undefined) throw errors.illegalArgument(`invalid event name specified [${unknown}]`);
  return names.includes('_all') ? AUDIT_EVENT_TYPES : names;
}

function patterns(values: Values, name: string): readonly string[] | null {
  const list = listOf(values.get(name));
  const regexp = list?.find((pattern) => pattern.startsWith('/'));
  if (regexp !== undefined)
    throw errors.illegalArgument(
      `setting [${name}] takes names and wildcards but was given the regular expression [${regexp}]`,
    );
  return list;
}

function policiesOf(values: Values): AuditFilterPolicy[] {
  const names = new Set<string>();
  for (const name of values.keys()) {
    if (!name.startsWith(AUDIT_FILTERS)) continue;
    const dot = name.lastIndexOf('.');
    const kind = name.slice(dot + 1);
    if (dot < AUDIT_FILTERS.length || !FILTER_KINDS.some((known) => known === kind))
      throw errors.illegalArgument(`unknown setting [${name}]`);
    names.add(name.slice(0, dot));
  }
  return [...names].map((policy) => ({
    users: patterns(values, `${policy}.users`),
    realms: patterns(values, `${policy}.realms`),
    actions: patterns(values, `${policy}.actions`),
    roles: patterns(values, `${policy}.roles`),
    indices: patterns(values, `${policy}.indices`),
  }));
}

/** Parses the settings, by name; absent ones have their defaults. Throws illegal_argument_exception. */
export function parseAuditSettings(values: Values): AuditSettings {
  const excluded = new Set(eventTypes(values, 'events.exclude'));
  const flag = (name: string): boolean => String(valueOf(values, name)) === 'true';
  return {
    included: new Set(eventTypes(values, 'events.include').filter((event) => !excluded.has(event))),
    emitsBody: flag('events.emit_request_body'),
    emitsNodeName: flag('emit_node_name'),
    emitsNodeHostAddress: flag('emit_node_host_address'),
    emitsNodeHostName: flag('emit_node_host_name'),
    emitsNodeId: flag('emit_node_id'),
    emitsClusterName: flag('emit_cluster_name'),
    emitsClusterUuid: flag('emit_cluster_uuid'),
    policies: policiesOf(values),
  };
}
