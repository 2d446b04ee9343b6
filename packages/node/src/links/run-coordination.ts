import { CoordinationNode, LeaderDuties, type NodeHealth, type StateFollower } from '@shoal/cluster';
import type { NodeInfo } from '@shoal/state';
import type { Channel, ChannelHandler, Clock, Files, Log, Random } from '@shoal/doors';
import type { Guards } from '@shoal/consensus';
import { methodOf } from '@shoal/protocol';
import { openStateLog } from '@shoal/store';
import { type HelloFacts, loopbackChannel, type Transport, type TransportOptions } from '@shoal/transport';
import { handlerForPeers } from '../assembly/local-handler.js';
import type { ControlThreadData } from '../threads/control-thread-data.js';
import { DiscoveredPeers } from './control-peers.js';
import { helloOf } from './hello.js';
import type { LinkProtection } from './link-security.js';

/** Parts of a node that its coordination needs. */
export interface CoordinationParts {
  readonly data: Omit<ControlThreadData, 'pulse' | 'linkSecurity' | 'reportsRulings'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly files: Files;
  readonly createTransport: (options: TransportOptions) => Promise<Transport>;
  /** If absent, links accept everybody and are not encrypted. */
  readonly protection?: LinkProtection;
  /** Called when control links are bound to `transportAddress`. Coordination begins when this resolves. */
  readonly ready: (transportAddress: string) => Promise<void>;
  readonly seeds: () => Promise<readonly string[]>;
  readonly follower: StateFollower;
  readonly health: () => NodeHealth;
  /** Answers requests that are not about coordination: stores on disk, how full the disk is. */
  readonly handler: ChannelHandler;
  readonly onFatal: (error: Error) => void;
  /** For tests only: switches guards of the consensus state machine off. */
  readonly guards?: Guards;
}

/** Coordination that runs, with its transport. */
export interface RunningCoordination {
  readonly node: CoordinationNode;
  readonly transport: Transport;
}

/** Runs elections, publications and control links of a node on the calling thread. */
export async function runCoordination(parts: CoordinationParts): Promise<RunningCoordination> {
  const { data, clock, random, log, handler } = parts;
  const stateLog = await openStateLog(data.dataPath, { files: parts.files, log, nodeId: data.localNode.id });
  let node: CoordinationNode | null = null;
  let peers: DiscoveredPeers | null = null;
  let localNode = data.localNode;
  const asked = handlerForPeers(handler);
  const hello = (): HelloFacts => helloOf(localNode, data.clusterName, node?.clusterUuid ?? null);
  const transport = await parts.createTransport({
    clock,
    log,
    ...parts.protection,
    local: hello,
    bind: data.bind,
    onPeer: (event) => peers?.onPeer(event),
    handler: (from, action, payload, signal) => {
      if (methodOf(action)?.route !== 'CONTROL') return asked(action, payload.slice(), signal);
      peers?.heard(from);
      return node!.handle(from.nodeId, action, payload);
    },
  });
  const port = transport.boundAddress.slice(transport.boundAddress.lastIndexOf(':') + 1);
  localNode = { ...localNode, transportAddress: `${data.publishHost}:${port}` };
  const links = new DiscoveredPeers({ transport, clock, log, localNodeId: localNode.id });
  peers = links;
  await parts.ready(localNode.transportAddress);
  const local = loopbackChannel(handler);
  const channel = (nodeId: string): Channel =>
    nodeId === localNode.id
      ? local
      : { request: (action, payload, options) => links.request(nodeId, action, payload, options?.timeoutMs ?? 0) };
  node = new CoordinationNode({
    clock,
    random,
    log,
    localNode,
    clusterName: data.clusterName,
    nodeSettings: data.nodeSettings,
    stateLog,
    peers: links,
    seeds: parts.seeds,
    follower: parts.follower,
    duties: (master) =>
      new LeaderDuties({ clock, log, master, channel, nodeSettings: data.nodeSettings, asksForStores: true }),
    health: parts.health,
    onFatal: parts.onFatal,
    consensus: { ...consensusConfig(localNode, data), ...(parts.guards ? { guards: parts.guards } : {}) },
  });
  node.start();
  return { node, transport };
}

function consensusConfig(
  { id, ephemeralId, name, transportAddress, roles }: NodeInfo,
  { initialMasterNodes, consensusSettings }: CoordinationParts['data'],
) {
  return {
    nodeId: id,
    ephemeralId,
    nodeName: name,
    address: transportAddress,
    isVoter: roles.includes('master'),
    votingOnly: roles.includes('voting_only'),
    isSingleNode: false,
    initialMasterNodes,
    autoBootstrapAfterMs: null,
    settings: consensusSettings,
  };
}
