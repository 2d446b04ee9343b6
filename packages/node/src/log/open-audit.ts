import { hostname } from 'node:os';
import type { ClusterService } from '@shoal/cluster';
import {
  AUDIT_FILTERS,
  clusterDefaults,
  clusterSetting,
  type ClusterState,
  type NodeInfo,
  type SettingValue,
} from '@shoal/state';
import type { Clock, Random } from '@shoal/doors';
import type { HttpAppOptions, Services } from '@shoal/rest';
import { type AuditSettings, createAuditTrail, parseAuditSettings } from '@shoal/security';
import type { NodeProtection } from '../security/node-protection.js';
import type { NodeSettings } from '../settings/load-settings.js';
import type { NodeLog } from './node-log.js';

const PREFIX = 'xpack.security.audit.logfile.';

/** Parts of a node that its audit log needs. */
export interface AuditOptions {
  readonly settings: NodeSettings;
  readonly log: NodeLog;
  readonly cluster: ClusterService;
  readonly localNode: NodeInfo;
  /** Source of the connections that address filters allowed or denied. */
  readonly protection: Pick<NodeProtection, 'audit'>;
  readonly clock: Clock;
  readonly random: Random;
}

/** Opens the audit log of HTTP requests and connections; null unless `xpack.security.audit.enabled`. */
export function openAudit({
  settings,
  log,
  cluster,
  localNode,
  protection,
  clock,
  random,
}: AuditOptions): HttpAppOptions<Services>['audit'] {
  if (!settings.boolean('xpack.security.audit.enabled')) return null;
  const clusterName = settings.text('cluster.name')!;
  const place = {
    nodeId: localNode.id,
    nodeName: localNode.name,
    hostName: hostname(),
    hostIp: localNode.ip,
    clusterName,
    clusterUuid: () => cluster.state().clusterUuid || null,
  };
  const current = currentSettings(() => cluster.state(), Object.fromEntries(settings.explicit));
  const trail = createAuditTrail({
    settings: current,
    node: place,
    now: () => clock.now(),
    write: (line) => log.audit(line),
  });
  protection.audit(trail);
  return { trail, requestId: () => Buffer.from(random.bytes(16)).toString('base64url') };
}

/** Returns the audit settings in force, parsed again only after those of the cluster have changed. */
function currentSettings(
  state: () => ClusterState,
  nodeSettings: Readonly<Record<string, string>>,
): () => AuditSettings {
  let seen: ClusterState | null = null;
  let parsed = parseAuditSettings(auditValues(state(), nodeSettings));
  return () => {
    const now = state();
    if (now.transientSettings !== seen?.transientSettings || now.persistentSettings !== seen.persistentSettings)
      parsed = parseAuditSettings(auditValues(now, nodeSettings));
    seen = now;
    return parsed;
  };
}

function auditValues(
  state: ClusterState,
  nodeSettings: Readonly<Record<string, string>>,
): Map<string, string | readonly string[]> {
  const filters = [nodeSettings, state.persistentSettings, state.transientSettings].flatMap((settings) =>
    Object.keys(settings).filter((name) => name.startsWith(AUDIT_FILTERS)),
  );
  const names = [...Object.keys(clusterDefaults()).filter((name) => name.startsWith(PREFIX)), ...filters];
  const values = names.map((name): [string, SettingValue] => [name, clusterSetting(state, name, nodeSettings)]);
  return new Map(
    values.flatMap(([name, value]) =>
      value === null ? [] : [[name, Array.isArray(value) ? value.map(String) : String(value)] as const],
    ),
  );
}
