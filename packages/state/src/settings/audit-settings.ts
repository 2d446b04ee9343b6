import { errors } from '@shoal/errors';
import { boolean, type Row, type ValueCheck } from './setting.js';

/** Types of events of the audit log. */
export const AUDIT_EVENT_TYPES: readonly string[] = [
  'access_denied',
  'access_granted',
  'anonymous_access_denied',
  'authentication_failed',
  'authentication_success',
  'connection_denied',
  'connection_granted',
  'realm_authentication_failed',
  'run_as_denied',
  'run_as_granted',
  'security_config_change',
  'system_access_granted',
  'tampered_request',
];

/** Events that the audit log records by default. */
const INCLUDED = [
  'access_denied',
  'access_granted',
  'anonymous_access_denied',
  'authentication_failed',
  'connection_denied',
  'run_as_denied',
  'run_as_granted',
  'security_config_change',
  'tampered_request',
];

const eventTypes: ValueCheck = (value) => {
  const names = Array.isArray(value) ? value.map(String) : String(value).split(',');
  const unknown = names
    .map((name) => name.trim())
    .find((name) => name !== '' && name !== '_all' && !AUDIT_EVENT_TYPES.includes(name));
  if (unknown !== undefined) throw errors.illegalArgument(`invalid event name specified [${unknown}]`);
};

/** Checks a filter: a list of names and wildcards. */
export const auditFilter: ValueCheck = (value, name) => {
  if (!/\.(users|realms|actions|roles|indices)$/.test(name))
    throw errors.illegalArgument(
      `unknown setting [${name}] please check that any required plugins are installed, or check the breaking ` +
        'changes documentation for removed settings',
    );
  const regexp = (Array.isArray(value) ? value.map(String) : [String(value)]).find((pattern) =>
    pattern.startsWith('/'),
  );
  if (regexp !== undefined)
    throw errors.illegalArgument(
      `setting [${name}] takes names and wildcards but was given the regular expression [${regexp}]`,
    );
};

/** Prefix of settings for filters, such as `<prefix><policy>.users`. */
export const AUDIT_FILTERS = 'xpack.security.audit.logfile.events.ignore_filters.';

/** Settings that say what the audit log records. Whether a node writes one is a setting of the node. */
export const AUDIT_ROWS: readonly Row[] = [
  ['xpack.security.audit.logfile.emit_cluster_name', 'false', boolean],
  ['xpack.security.audit.logfile.emit_cluster_uuid', 'true', boolean],
  ['xpack.security.audit.logfile.emit_node_host_address', 'false', boolean],
  ['xpack.security.audit.logfile.emit_node_host_name', 'false', boolean],
  ['xpack.security.audit.logfile.emit_node_id', 'true', boolean],
  ['xpack.security.audit.logfile.emit_node_name', 'false', boolean],
  ['xpack.security.audit.logfile.events.emit_request_body', 'false', boolean],
  ['xpack.security.audit.logfile.events.exclude', [], eventTypes],
  ['xpack.security.audit.logfile.events.include', INCLUDED, eventTypes],
];
