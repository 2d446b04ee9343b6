import { matchesAny } from '@shoal/values';
import type { Authentication } from '../authentication.js';
import type { AuditEvent, AuditTrail } from './audit-event.js';
import type { AuditFilterPolicy, AuditSettings } from './audit-settings.js';

/** The node that writes the audit trail, as its events name it. */
export interface AuditNode {
  readonly nodeId: string;
  readonly nodeName: string;
  readonly hostName: string;
  readonly hostIp: string;
  readonly clusterName: string;
  /** Null before the cluster has formed. */
  readonly clusterUuid: () => string | null;
}

/** Dependencies of an audit trail. */
export interface AuditTrailOptions {
  /** Returns the settings in force now. */
  readonly settings: () => AuditSettings;
  readonly node: AuditNode;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Writes the fields of one event as a line; must not throw or block. */
  readonly write: (line: Readonly<Record<string, unknown>>) => void;
}

/** Creates an audit trail that writes the included events, except those that a filter policy leaves out. */
export function createAuditTrail({ settings, node, now, write }: AuditTrailOptions): AuditTrail {
  const recordBy = (current: AuditSettings, event: AuditEvent): void => {
    if (!current.included.has(event.action) || current.policies.some((policy) => leavesOut(policy, event))) return;
    write(lineOf(event, current, node, now()));
  };
  return {
    record: (event) => recordBy(settings(), event),
    byPresentSettings() {
      const current = settings();
      return { record: (event) => recordBy(current, event) };
    },
  };
}

function leavesOut({ users, realms, actions, roles, indices }: AuditFilterPolicy, event: AuditEvent): boolean {
  const { authentication } = event;
  return (
    matchesAll(users, one(authentication?.user.username ?? event.claimedUser)) &&
    matchesAll(realms, one(authentication?.realm.name ?? event.realm)) &&
    matchesAll(actions, one(event.privilege)) &&
    matchesAll(roles, authentication?.user.roles ?? []) &&
    matchesAll(indices, event.indices ?? [])
  );
}

const one = (name: string | undefined): readonly string[] => (name === undefined ? [] : [name]);

/** Whether all names match. An event without names matches an absent list, or a list that contains the empty name. */
function matchesAll(patterns: readonly string[] | null, names: readonly string[]): boolean {
  if (patterns === null) return true;
  if (names.length === 0) return patterns.length === 0 || patterns.includes('');
  return names.every((name) => matchesAny(patterns, name));
}

/** `2024-01-31T12:00:00,123+0000`. */
function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace('.', ',').replace('Z', '+0000');
}

function lineOf(event: AuditEvent, settings: AuditSettings, node: AuditNode, nowMs: number): Record<string, unknown> {
  const { origin, change } = event;
  return {
    type: 'audit',
    timestamp: timestamp(nowMs),
    ...nodeFields(settings, node),
    'event.type': event.layer,
    'event.action': change?.name ?? event.action,
    ...userFields(event),
    ...originFields(event),
    ...(origin !== null && event.layer === 'rest' ? urlFields(origin, settings) : {}),
    ...(origin === null ? {} : { 'request.id': origin.requestId }),
    ...(event.connection === undefined
      ? {}
      : { 'transport.profile': event.connection.profile, rule: event.connection.rule }),
    ...(event.privilege === undefined ? {} : { action: event.privilege }),
    ...(event.requestName === undefined ? {} : { 'request.name': event.requestName }),
    ...(event.indices === undefined ? {} : { indices: event.indices }),
    ...(origin?.opaqueId ? { opaque_id: origin.opaqueId } : {}),
    ...(origin?.traceId ? { 'trace.id': origin.traceId } : {}),
    ...(change === undefined ? {} : { [change.verb]: change.body }),
  };
}

function originFields({ origin, connection }: AuditEvent): Record<string, unknown> {
  if (connection !== undefined)
    return {
      'origin.type': connection.profile === '.http' ? 'rest' : 'transport',
      'origin.address': connection.address,
    };
  return origin === null
    ? { 'origin.type': 'local_node' }
    : { 'origin.type': 'rest', 'origin.address': origin.address };
}

function nodeFields(settings: AuditSettings, node: AuditNode): Record<string, unknown> {
  const uuid = settings.emitsClusterUuid ? node.clusterUuid() : null;
  return {
    ...(settings.emitsClusterName ? { 'cluster.name': node.clusterName } : {}),
    ...(uuid === null ? {} : { 'cluster.uuid': uuid }),
    ...(settings.emitsNodeName ? { 'node.name': node.nodeName } : {}),
    ...(settings.emitsNodeId ? { 'node.id': node.nodeId } : {}),
    ...(settings.emitsNodeHostName ? { 'host.name': node.hostName } : {}),
    ...(settings.emitsNodeHostAddress ? { 'host.ip': node.hostIp } : {}),
  };
}

function urlFields(
  { uri, method, body }: NonNullable<AuditEvent['origin']>,
  { emitsBody }: AuditSettings,
): Record<string, unknown> {
  const mark = uri.indexOf('?');
  return {
    'url.path': mark === -1 ? uri : uri.slice(0, mark),
    ...(mark === -1 ? {} : { 'url.query': uri.slice(mark + 1) }),
    'request.method': method,
    ...(emitsBody && body !== null && body !== '' ? { 'request.body': body } : {}),
  };
}

/** Fields of the two run-as events: `user` is the authenticated user, `run_as` the one that it acts as. */
function runAsFields(
  { user, realm }: Authentication,
  { username, realm: lookup }: NonNullable<AuditEvent['runAs']>,
): Record<string, unknown> {
  return {
    'user.name': user.username,
    'user.run_as.name': username,
    'user.realm': realm.name,
    ...(lookup === null ? {} : { 'user.run_as.realm': lookup }),
    ...(user.roles.length === 0 ? {} : { 'user.roles': user.roles }),
  };
}

function userFields({ authentication, claimedUser, realm, runAs }: AuditEvent): Record<string, unknown> {
  if (authentication === null)
    return {
      ...(claimedUser === undefined ? {} : { 'user.name': claimedUser }),
      ...(realm === undefined ? {} : { realm }),
    };
  if (runAs !== undefined) return runAsFields(authentication, runAs);
  const { user, runAsBy, apiKey, serviceAccount } = authentication;
  return {
    'authentication.type': authentication.type.toUpperCase(),
    'user.name': user.username,
    'user.realm': authentication.lookupRealm.name,
    ...(runAsBy === null
      ? {}
      : { 'user.run_by.name': runAsBy.username, 'user.run_by.realm': authentication.realm.name }),
    ...(user.roles.length === 0 ? {} : { 'user.roles': user.roles }),
    ...(apiKey === null ? {} : { 'apikey.id': apiKey.id, 'apikey.name': apiKey.name }),
    ...(serviceAccount === null ? {} : { 'authentication.token.type': serviceAccount }),
  };
}
