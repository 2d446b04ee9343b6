import { nodeFiles } from '@shoal/store';
import { createTransport, loopbackChannel, type TransportStats } from '@shoal/transport';
import { systemClock } from '../doors/system-clock.js';
import { bindAddresses, publishAddress } from '../http/listen.js';
import type { Membership, MembershipOptions, TransportTotals } from '../assembly/membership-api.js';
import { type ClusterFormation, seedAddresses } from '../settings/cluster-formation.js';
import { createPulse, keepPulse } from '../threads/node-pulse.js';
import { type ControlThread, startControlThread } from '../threads/start-control-thread.js';
import { createLinkGuard } from './link-security.js';
import { clusterUuidOf, openDataLinks } from './open-data-links.js';

/** Links for data and recoveries on this thread, coordination on the control thread. */
export async function joinByLinks(options: MembershipOptions, formation: ClusterFormation): Promise<Membership> {
  const { settings, log, clusterName, dataPath, local, applier, protection } = options;
  const host = bindAddresses(settings, 'transport')[0]!;
  const publishHost = publishAddress(settings, host, 'transport');
  let control: ControlThread | null = null;
  const guard = createLinkGuard(protection.linkSecurity(), protection.linkRuled);
  const links = await openDataLinks({
    clock: systemClock,
    log,
    createTransport,
    protection: guard.options,
    localNode: options.localNode,
    clusterName,
    clusterUuid: () => clusterUuidOf(control?.cluster.state()),
    bind: { host, port: settings.text('transport.data_port')! },
    publishHost,
    handler: local,
  });
  const { transport, peers } = links;
  let { localNode } = links;
  const pulse = createPulse();
  const stopPulse = keepPulse(pulse, { clock: systemClock, files: nodeFiles(), dataPath });
  control = await startControlThread({
    data: {
      localNode,
      clusterName,
      dataPath,
      nodeSettings: Object.fromEntries(settings.explicit),
      initialMasterNodes: formation.initialMasterNodes,
      consensusSettings: formation.consensusSettings,
      bind: { host, port: settings.text('transport.port')! },
      publishHost,
      linkSecurity: protection.linkSecurity(),
      tellsRulings: settings.boolean('xpack.security.audit.enabled'),
      pulse,
    },
    clock: systemClock,
    log,
    next: {
      async apply(state, previous) {
        // First the links: a copy that is opened may have to reach another node at once.
        links.follow(state);
        await applier.apply(state, previous);
      },
    },
    seeds: () => seedAddresses(formation),
    linkRuled: protection.linkRuled,
    handler: local,
    onFatal: options.onFatal,
  });
  const running = control;
  protection.onLinkChange((security) => {
    guard.update(security);
    running.protect(security);
  });
  localNode = { ...localNode, transportAddress: running.transportAddress };
  const loopback = loopbackChannel(local);
  return {
    cluster: running.cluster,
    localNode,
    channel: (nodeId, linkClass = 'data') => (nodeId === localNode.id ? loopback : peers.channel(nodeId, linkClass)),
    transportStats: async () => sum(transport.stats(), await running.transportStats()),
    async close() {
      stopPulse();
      await running.cluster.close();
      peers.close();
      await transport.close();
    },
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
