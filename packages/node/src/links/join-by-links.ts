import type { ChannelHandler } from '@shoal/doors';
import { nodeFiles } from '@shoal/store';
import { createPeers, createTransport, loopbackChannel, type PeerNode, type TransportStats } from '@shoal/transport';
import { systemClock } from '../doors/system-clock.js';
import { bindAddresses, publishAddress } from '../listen.js';
import { type Membership, type MembershipOptions, otherNodes, type TransportTotals } from '../membership.js';
import { type ClusterFormation, seedAddresses } from '../settings/cluster-formation.js';
import { createPulse, keepPulse } from '../threads/node-pulse.js';
import { type ControlThread, startControlThread } from '../threads/start-control-thread.js';
import { helloOf } from './hello.js';

const portOf = (address: string): string => address.slice(address.lastIndexOf(':') + 1);

/** Links for data and recoveries on this thread, coordination on the control thread. */
export async function joinByLinks(options: MembershipOptions, formation: ClusterFormation): Promise<Membership> {
  const { settings, log, clusterName, dataPath, local, applier } = options;
  const host = bindAddresses(settings, 'transport')[0]!;
  const publishHost = publishAddress(settings, host, 'transport');
  let localNode = options.localNode;
  let control: ControlThread | null = null;
  const handler: ChannelHandler = (action, payload, signal) => local(action, payload, signal);
  const transport = await createTransport({
    clock: systemClock,
    log,
    local: () => helloOf(localNode, clusterName, clusterUuidOf(control)),
    bind: { host, port: settings.text('transport.data_port')! },
    handler: (_from, action, payload, signal) => handler(action, payload, signal),
  });
  localNode = { ...localNode, dataAddress: `${publishHost}:${portOf(transport.boundAddress)}` };
  const peers = createPeers(transport, { clock: systemClock, log, localNodeId: localNode.id, keep: ['data'] });
  const pulse = createPulse();
  const stopPulse = keepPulse(pulse, { clock: systemClock, files: nodeFiles(), dataPath });
  control = await startControlThread({
    data: {
      localNode,
      clusterName,
      dataPath,
      nodeSettings: Object.fromEntries(settings.explicit),
      initialMasterNodes: formation.initialMasterNodes,
      kernelSettings: formation.kernelSettings,
      bind: { host, port: settings.text('transport.port')! },
      publishHost,
      pulse,
    },
    clock: systemClock,
    log,
    next: {
      async apply(state, previous) {
        // First the links: a copy that is opened may have to reach another node at once.
        peers.update(otherNodes(state, localNode.id).map(({ id, ephemeralId, name, transportAddress, dataAddress }): PeerNode => ({ id, ephemeralId, name, address: transportAddress, dataAddress: dataAddress ?? transportAddress })));
        await applier.apply(state, previous);
      },
    },
    seeds: () => seedAddresses(formation),
    handler,
    onFatal: options.onFatal,
  });
  const running = control;
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

function clusterUuidOf(control: ControlThread | null): string | null {
  const uuid = control?.cluster.state().clusterUuid ?? '_na_';
  return uuid === '_na_' ? null : uuid;
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
