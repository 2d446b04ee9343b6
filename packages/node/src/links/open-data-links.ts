import type { ClusterState, NodeInfo } from '@shoal/state';
import type { ChannelHandler, Clock, Log } from '@shoal/doors';
import {
  type BindOptions,
  createPeers,
  type PeerNode,
  type Peers,
  type Transport,
  type TransportOptions,
} from '@shoal/transport';
import { handlerForPeers } from '../assembly/local-handler.js';
import { helloOf } from './hello.js';
import type { LinkProtection } from './link-security.js';

/** Parts of a node that its data links need. */
export interface DataLinksOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly createTransport: (options: TransportOptions) => Promise<Transport>;
  /** If absent, links accept everybody and are not encrypted. */
  readonly protection?: LinkProtection;
  readonly localNode: NodeInfo;
  readonly clusterName: string;
  /** Returns the uuid of the cluster, or null if it is not known yet. */
  readonly clusterUuid: () => string | null;
  readonly bind: BindOptions;
  readonly publishHost: string;
  readonly handler: ChannelHandler;
}

/** Links for data and recoveries of a node. */
export interface DataLinks {
  readonly transport: Transport;
  readonly peers: Peers;
  /** This node with its data address. */
  readonly localNode: NodeInfo;
  /** Keeps links to the nodes of a state. */
  follow(state: ClusterState): void;
}

/** Binds the data port. Nodes are dialled when applied states name them. */
export async function openDataLinks(options: DataLinksOptions): Promise<DataLinks> {
  const { clock, log, clusterName, publishHost } = options;
  let { localNode } = options;
  const asked = handlerForPeers(options.handler);
  const transport = await options.createTransport({
    clock,
    log,
    ...options.protection,
    local: () => helloOf(localNode, clusterName, options.clusterUuid()),
    bind: options.bind,
    handler: (_from, action, payload, signal, origin) => asked(action, payload, signal, origin),
  });
  const port = transport.boundAddress.slice(transport.boundAddress.lastIndexOf(':') + 1);
  localNode = { ...localNode, dataAddress: `${publishHost}:${port}` };
  const peers = createPeers(transport, { clock, log, localNodeId: localNode.id, keep: ['data'] });
  const others = (state: ClusterState): NodeInfo[] => [...state.nodes.values()].filter(({ id }) => id !== localNode.id);
  return {
    transport,
    peers,
    localNode,
    follow: (state) =>
      peers.update(
        others(state).map(
          ({ id, ephemeralId, name, transportAddress, dataAddress }): PeerNode => ({
            id,
            ephemeralId,
            name,
            address: transportAddress,
            dataAddress: dataAddress ?? transportAddress,
          }),
        ),
      ),
  };
}

/** Returns the uuid of a state's cluster; null before the cluster is formed. */
export function clusterUuidOf(state: ClusterState | undefined): string | null {
  const uuid = state?.clusterUuid ?? '_na_';
  return uuid === '_na_' ? null : uuid;
}
