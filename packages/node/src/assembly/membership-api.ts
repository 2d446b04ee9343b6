import type { ClusterService, StateApplier } from '@shoal/cluster';
import type { NodeInfo } from '@shoal/state';
import type { Channel, ChannelHandler, Log } from '@shoal/doors';
import type { NodeProtection } from '../security/node-protection.js';
import type { NodeSettings } from '../settings/load-settings.js';
import type { NodeDoors } from './node-doors.js';

/** What goes over a link: requests on data, or the copying of shards, which must not hold them up. */
export type DataClass = 'data' | 'recovery';

/** A node's part in its cluster. */
export interface Membership {
  readonly cluster: ClusterService;
  /** With its transport addresses. */
  readonly localNode: NodeInfo;
  /** The way to a node, this one included. */
  channel(nodeId: string, linkClass?: DataClass): Channel;
  /** The numbers of `transport` in node statistics, of all links. */
  transportStats(): Promise<TransportTotals>;
  close(): Promise<void>;
}

export interface TransportTotals {
  readonly serverOpen: number;
  readonly totalOutboundConnections: number;
  readonly rxCount: number;
  readonly rxBytes: number;
  readonly txCount: number;
  readonly txBytes: number;
}

export interface MembershipOptions {
  readonly settings: NodeSettings;
  readonly doors: Pick<NodeDoors, 'clock' | 'random' | 'files' | 'createTransport'>;
  readonly log: Log;
  readonly clusterName: string;
  readonly dataPath: string;
  /** Transport addresses are filled in here. */
  readonly localNode: NodeInfo;
  /** Answers requests of other nodes and of this one. */
  readonly local: ChannelHandler;
  /** Takes states to the threads that hold shards. */
  readonly applier: StateApplier;
  readonly protection: NodeProtection;
  readonly onFatal: (error: Error) => void;
}
