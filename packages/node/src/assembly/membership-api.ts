import type { ClusterService, StateApplier } from '@shoal/cluster';
import type { NodeInfo } from '@shoal/state';
import type { Channel, ChannelHandler, Log } from '@shoal/doors';
import type { NodeProtection } from '../security/node-protection.js';
import type { NodeSettings } from '../settings/load-settings.js';
import type { NodeDoors } from './node-doors.js';

/**
 * Class of a link. Requests on data and the copying of shards have separate links, so that copying does not delay
 * requests.
 */
export type DataClass = 'data' | 'recovery';

/** A node's membership in its cluster: its state, and channels to the other nodes. */
export interface Membership {
  readonly cluster: ClusterService;
  /** This node as others see it, transport addresses included. */
  readonly localNode: NodeInfo;
  /** Returns the channel to a node, this one included. */
  channel(nodeId: string, linkClass?: DataClass): Channel;
  /** Returns the figures of the section `transport` of node statistics, summed over all links. */
  transportStats(): Promise<TransportTotals>;
  close(): Promise<void>;
}

/** Figures of the section `transport` of node statistics. */
export interface TransportTotals {
  readonly serverOpen: number;
  readonly totalOutboundConnections: number;
  readonly rxCount: number;
  readonly rxBytes: number;
  readonly txCount: number;
  readonly txBytes: number;
}

/** Parts of a node that joining a cluster needs. */
export interface MembershipOptions {
  readonly settings: NodeSettings;
  readonly doors: Pick<NodeDoors, 'clock' | 'random' | 'files' | 'createTransport'>;
  readonly log: Log;
  readonly clusterName: string;
  readonly dataPath: string;
  /** This node; joining fills in the bound transport addresses. */
  readonly localNode: NodeInfo;
  /** Answers requests of other nodes and of this one. */
  readonly local: ChannelHandler;
  /** Applies committed states on the threads that hold shards. */
  readonly applier: StateApplier;
  readonly protection: NodeProtection;
  readonly onFatal: (error: Error) => void;
}
