import { masterSettings } from './cluster-defaults.js';
import { createLocalCluster } from '@shoal/cluster';
import type { Channel } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { openStateLog } from '@shoal/store';
import { loopbackChannel } from '@shoal/transport';
import type { Membership, MembershipOptions, TransportTotals } from './membership-api.js';
import { clusterFormation } from '../settings/cluster-formation.js';

const NO_TRANSPORT: TransportTotals = {
  serverOpen: 0,
  totalOutboundConnections: 0,
  rxCount: 0,
  rxBytes: 0,
  txCount: 0,
  txBytes: 0,
};

/**
 * Joins or forms a cluster as the settings say. A single-node cluster resolves once its state is applied; otherwise
 * this resolves before a master is found.
 */
export async function joinCluster(options: MembershipOptions): Promise<Membership> {
  const formation = clusterFormation(options.settings);
  if (formation === null) return standAlone(options);
  // Links need the gRPC library, which a single-node cluster never loads.
  const { joinByLinks } = await import('../links/join-by-links.js');
  const { startControlThread } = await import('../threads/start-control-thread.js');
  return joinByLinks(options, formation, startControlThread);
}

async function standAlone(options: MembershipOptions): Promise<Membership> {
  const { doors, log, clusterName, dataPath, localNode, local, applier, onFatal, settings } = options;
  const loopback = loopbackChannel(local);
  const stateLog = await openStateLog(dataPath, { files: doors.files, log, nodeId: localNode.id });
  const cluster = await createLocalCluster({
    clock: doors.clock,
    random: doors.random,
    log,
    localNode,
    clusterName,
    stateLog,
    applier,
    local: loopback,
    onFatal,
    nodeSettings: masterSettings(settings),
  });
  const absent: Channel = {
    request: () => Promise.reject(errors.nodeNotConnected('this node is a cluster by itself')),
  };
  return {
    cluster,
    localNode,
    channel: (nodeId) => (nodeId === localNode.id ? loopback : absent),
    transportStats: async () => NO_TRANSPORT,
    close: () => cluster.close(),
  };
}
