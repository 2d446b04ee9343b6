import type { Channel, Clock, Log, RequestOptions, ShardKey } from '@shoal/doors';
import type { TransportTls } from './tls.js';

/**
 * Class of a link; links of one class share a connection. Control messages never wait behind data, nor data behind
 * recovery.
 */
export type LinkClass = 'control' | 'data' | 'recovery';

/** Facts about a node in its hello. */
export interface HelloFacts {
  readonly clusterName: string;
  /** Null until the node has joined a cluster. */
  readonly clusterUuid: string | null;
  /** Durable id of the node. */
  readonly nodeId: string;
  /** Id of the process of the node. */
  readonly ephemeralId: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly version: string;
  /** Message versions that the node speaks; two nodes must have one in common. */
  readonly protocolMin: number;
  readonly protocolMax: number;
  /** `host:port` of the listener for control links. */
  readonly transportAddress: string;
  /** `host:port` of the listener for data and recovery links. */
  readonly dataAddress: string;
  readonly httpAddress: string | null;
  readonly attributes: ReadonlyMap<string, string>;
  /** Whether security is on; undefined for builds that do not tell. A transport fills it in from its membership. */
  readonly security?: 'on' | 'off';
  /** Actions that the node answers; other actions are not sent to it. Absent: all. */
  readonly actions?: ReadonlySet<string>;
}

/** Identity of the other end of a link, from its hello. */
export type PeerIdentity = HelloFacts;

/** Facts about a request besides its payload. */
export interface RequestContext {
  /** How long the caller still waited when the request arrived; null: without limit. */
  readonly deadlineMs: number | null;
  /** Parent task of the request, `node:id`, or null. */
  readonly parentTask: string | null;
  readonly traceId: string | null;
  readonly linkClass: LinkClass;
  /** The shard of the request; undefined if the caller did not name it, or its version cannot. */
  readonly shard?: ShardKey | undefined;
}

/**
 * Answers requests of other nodes. `signal` aborts if the caller cancels, its deadline passes, or its link is lost. The
 * payload counts against the caller's credit until the answer is ready.
 */
export type TransportHandler = (
  from: PeerIdentity,
  action: string,
  payload: Uint8Array,
  signal: AbortSignal,
  context: RequestContext,
) => Promise<Uint8Array>;

/**
 * Why a link ended. `refused`: nothing listens; `silent`: no answer in time; `lost`: the connection broke; `closed`:
 * one side closed it; `rejected`: the handshake failed; `protocol`: a frame was invalid.
 */
export interface CloseHow {
  readonly kind: 'refused' | 'silent' | 'lost' | 'closed' | 'rejected' | 'protocol';
  readonly reason: string;
}

/** A link to or from a peer was opened or closed. */
export interface PeerEvent {
  readonly type: 'opened' | 'closed';
  readonly peer: PeerIdentity;
  readonly linkClass: LinkClass;
  /** Whether the peer dialed the link. */
  readonly inbound: boolean;
  /** Set for closed links. */
  readonly how?: CloseHow;
}

/** Address to listen on. */
export interface BindOptions {
  readonly host: string;
  /** One port, or a range such as `9300-9399` of which the first free port is taken; 0: any port. */
  readonly port: number | string;
}

/** What nodes show each other before a link is open, besides the facts of their hellos. */
export interface LinkMembership {
  /** Whether security is on. Nodes on which it differs are not linked. */
  readonly isSecured: boolean;
  /**
   * Key made of a secret of the cluster, which both sides must have; null if certificates tell who joins, or if nothing
   * does.
   */
  readonly key: Uint8Array | null;
  /** Whether nodes of earlier builds, whose hellos tell nothing of security, are linked although security is on. */
  readonly admitsEarlier: boolean;
  /** Returns random bytes, new ones at each call. */
  readonly nonce: () => Uint8Array;
}

/** Options of a transport. */
export interface TransportOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Called for each handshake, so that a cluster uuid learned later is included. */
  readonly local: () => HelloFacts;
  readonly bind: BindOptions;
  readonly handler: TransportHandler;
  readonly onPeer?: (event: PeerEvent) => void;
  /** Null or absent: links are not encrypted. */
  readonly tls?: TransportTls | null;
  /** Whether connections from an address are accepted; absent: all are. */
  readonly accepts?: (remoteAddress: string) => boolean;
  /** Connections that are accepted at a time; absent: all are. */
  readonly connectionsMax?: number;
  /** What the other side must prove; absent: nothing. */
  readonly membership?: LinkMembership;
}

/** Options of dialing a link. */
export interface ConnectOptions {
  readonly class: LinkClass;
  /** Time limit for connection and handshake together. */
  readonly timeoutMs: number;
}

/** Options of a request over a link. */
export interface LinkRequestOptions extends RequestOptions {
  readonly traceId?: string;
}

/**
 * A dialed link. A request rejects with the handler's ApiError, or exactly once with one of these errors.
 * `node_disconnected_exception`: the link was lost meanwhile. `node_not_connected_exception`: it was closed before.
 * `receive_timeout_transport_exception`, `task_cancelled_exception`. `es_rejected_execution_exception`: the link's
 * queue is full; a retry may succeed. `action_not_found_transport_exception`. `illegal_argument_exception`: the message
 * is too large.
 */
export interface PeerLink extends Channel {
  readonly peer: PeerIdentity;
  readonly linkClass: LinkClass;
  request(action: string, payload: Uint8Array, options?: LinkRequestOptions): Promise<Uint8Array>;
  /** Bytes in the send queue. */
  readonly pendingBytes: number;
  /** Number of unanswered requests. */
  readonly pendingCount: number;
  readonly isClosed: boolean;
  /** Rejects unanswered requests and closes the link. */
  close(reason?: string): void;
  /** `listener` is called once; at once if the link is closed already. */
  onClose(listener: (how: CloseHow) => void): void;
}

/** Values of `transport` in node statistics. */
export interface TransportStats {
  readonly serverOpen: number;
  readonly totalOutboundConnections: number;
  readonly rxCount: number;
  readonly rxBytes: number;
  readonly txCount: number;
  readonly txBytes: number;
}

/**
 * Result of a probe. `refused`: nothing listens there; `silent`: no answer in time; otherwise the identity of the node
 * that answered.
 */
export type ProbeResult = 'refused' | 'silent' | PeerIdentity;

/** Links of one thread of a node: its listener, and links that it dials. */
export interface Transport {
  /** `host:port` to which other nodes connect. */
  readonly boundAddress: string;
  /** Dials a link. Rejects with `connect_transport_exception`, whose cause says why a handshake failed. */
  connect(address: string, options: ConnectOptions): Promise<PeerLink>;
  /** Opens a connection only to learn which node answers, within 200 ms by default. Never rejects. */
  probe(address: string, timeoutMs?: number): Promise<ProbeResult>;
  stats(): TransportStats;
  /** Closes all links and the listener; aborts running handlers. */
  close(): Promise<void>;
}

/** A node to which links are kept. */
export interface PeerNode {
  readonly id: string;
  readonly ephemeralId: string;
  readonly name: string;
  /** `host:port` of its listener for control links. */
  readonly address: string;
  /** `host:port` of its listener for data and recovery links; `address` if it has one listener. */
  readonly dataAddress?: string;
}
