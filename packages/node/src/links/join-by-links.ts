import { masterSettings } from '../assembly/cluster-defaults.js';
import { loopbackChannel, type TransportStats } from '@shoal/transport';
import { bindAddresses, publishAddress } from '../http/listen.js';
import type { Membership, MembershipOptions, TransportTotals } from '../assembly/membership-api.js';
import { type ClusterFormation, seedAddresses } from '../settings/cluster-formation.js';
import type { ControlPart, ControlPartOptions, StartControl } from '../assembly/placement.js';
import { createLinkGuard } from './link-security.js';
import { clusterUuidOf, type DataLinks, openDataLinks } from './open-data-links.js';

/**
 * Joins a cluster of several nodes. Links for data and recoveries are on this thread, coordination where `startControl`
 * puts it.
 */
export async function joinByLinks(
  options: MembershipOptions,
  formation: ClusterFormation,
  startControl: StartControl,
): Promise<Membership> {
  const { settings, doors, log, clusterName, local, protection } = options;
  const host = bindAddresses(settings, 'transport')[0]!;
  const publishHost = publishAddress(settings, host, 'transport');
  let control: ControlPart | null = null;
  const guard = createLinkGuard(protection.linkSecurity(), protection.linkRuled, doors.random);
  const links = await openDataLinks({
    clock: doors.clock,
    log,
    createTransport: doors.createTransport,
    protection: guard.options,
    localNode: options.localNode,
    clusterName,
    clusterUuid: () => clusterUuidOf(control?.cluster.state()),
    bind: { host, port: settings.text('transport.data_port')! },
    publishHost,
    handler: local,
  });
  const running = await startControl(controlOptions(options, formation, links, { host, publishHost }));
  control = running;
  protection.onLinkChange((security) => {
    guard.update(security);
    running.protect(security);
  });
  const { transport, peers } = links;
  const localNode = { ...links.localNode, transportAddress: running.transportAddress };
  const loopback = loopbackChannel(local);
  return {
    cluster: running.cluster,
    localNode,
    channel: (nodeId, linkClass = 'data') => (nodeId === localNode.id ? loopback : peers.channel(nodeId, linkClass)),
    transportStats: async () => sum(transport.stats(), await running.transportStats()),
    async close() {
      await running.cluster.close();
      peers.close();
      await transport.close();
    },
  };
}

function controlOptions(
  { settings, doors, log, clusterName, dataPath, local, applier, protection, onFatal }: MembershipOptions,
  formation: ClusterFormation,
  links: DataLinks,
  { host, publishHost }: { readonly host: string; readonly publishHost: string },
): ControlPartOptions {
  return {
    data: {
      localNode: links.localNode,
      clusterName,
      dataPath,
      nodeSettings: masterSettings(settings),
      initialMasterNodes: formation.initialMasterNodes,
      consensusSettings: formation.consensusSettings,
      bind: { host, port: settings.text('transport.port')! },
      publishHost,
      linkSecurity: protection.linkSecurity(),
      reportsRulings: settings.boolean('xpack.security.audit.enabled'),
    },
    clock: doors.clock,
    files: doors.files,
    log,
    next: {
      async apply(state, previous) {
        // Updates links before shards: a copy that is opened may have to reach another node at once.
        links.follow(state);
        await applier.apply(state, previous);
      },
    },
    seeds: () => seedAddresses(formation),
    linkRuled: protection.linkRuled,
    handler: local,
    onFatal,
  };
}

function sum(a: TransportStats, b: TransportTotals): TransportTotals {
  return {
    serverOpen: a.serverOpen + b.serverOpen,
    totalOutboundConnections: a.totalOutboundConnections + b.totalOutboundConnections,
    rxCount: a.rxCount + b.rxCount,
    rxBytes: a.rxBytes + b.rxBytes,
    txCount: a.txCount + b.txCount,
    txBytes: a.txBytes + b.txBytes,
  };
}
