import type { Channel, Clock, Log, RequestOptions, ShardKey } from '@shoal/doors';
import type { TransportTls } from './tls.js';

/** Links of one class share a connection: control never waits behind data, data never behind recovery. */
export type LinkClass = 'control' | 'data' | 'recovery';

/** What a node says about itself when a link is opened. */
export interface HelloFacts {
  readonly clusterName: string;
  /** Null as long as the node never joined a cluster. */
  readonly clusterUuid: string | null;
  /** Durable id of the node. */
  readonly nodeId: string;
  /** Id of this start of the node. */
  readonly ephemeralId: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly version: string;
  /** Versions of the messages that the node speaks; two nodes need one in common. */
  readonly protocolMin: number;
  readonly protocolMax: number;
  /** `host:port` of the control links' listener. */
  readonly transportAddress: string;
  /** `host:port` of the data and recovery links' listener. */
  readonly dataAddress: string;
  readonly httpAddress: string | null;
  readonly attributes: ReadonlyMap<string, string>;
  /** Actions that the node answers; others are not sent to it. Left out: all. */
  readonly actions?: ReadonlySet<string>;
}

/** The other end of a link, as its hello says. */
export type PeerIdentity = HelloFacts;

/** What a request brings along besides its payload. */
export interface RequestContext {
  /** Milliseconds that the caller still waited when the request arrived; null: for ever. */
  readonly deadlineMs: number | null;
  /** Task that this request is part of, `node:id`, or null. */
  readonly parentTask: string | null;
  readonly traceId: string | null;
  readonly linkClass: LinkClass;
  /** The shard that it is for; undefined where the caller did not tell, or could not by its version. */
  readonly shard?: ShardKey | undefined;
}

/**
 * Answers requests of other nodes. `signal` aborts when the caller gave up, its deadline passed or its link is lost.
 * The payload's bytes count against the caller's credit until the answer is there.
 */
export type TransportHandler = (
  from: PeerIdentity,
  action: string,
  payload: Uint8Array,
  signal: AbortSignal,
  context: RequestContext,
) => Promise<Uint8Array>;

/**
 * Why a link ended: `refused` nobody listens; `silent` no answer in time; `lost` the connection broke; `closed` one
 * side closed it; `rejected` the handshake failed; `protocol` a frame was broken.
 */
export interface CloseHow {
  readonly kind: 'refused' | 'silent' | 'lost' | 'closed' | 'rejected' | 'protocol';
  readonly reason: string;
}

export interface PeerEvent {
  readonly type: 'opened' | 'closed';
  readonly peer: PeerIdentity;
  readonly linkClass: LinkClass;
  /** Whether the peer dialed. */
  readonly inbound: boolean;
  /** Set with `closed`. */
  readonly how?: CloseHow;
}

export interface BindOptions {
  readonly host: string;
  /** One port or a range such as `9300-9399`, whose first free port is taken; 0: any. */
  readonly port: number | string;
}

export interface TransportOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Asked at each handshake, so that a cluster uuid learned later is said. */
  readonly local: () => HelloFacts;
  readonly bind: BindOptions;
  readonly handler: TransportHandler;
  readonly onPeer?: (event: PeerEvent) => void;
  /** Null or left out: links are not encrypted. */
  readonly tls?: TransportTls | null;
  /** Whether connections from an address are taken; left out: all are. */
  readonly accepts?: (remoteAddress: string) => boolean;
}

export interface ConnectOptions {
  readonly class: LinkClass;
  /** For connection and handshake together. */
  readonly timeoutMs: number;
}

export interface LinkRequestOptions extends RequestOptions {
  readonly traceId?: string;
}

/**
 * One dialed link. A request rejects with the handler's ApiError or, each exactly once: `node_disconnected_exception`
 * when the link is lost meanwhile, `node_not_connected_exception` when it was before,
 * `receive_timeout_transport_exception`, `task_cancelled_exception`, `es_rejected_execution_exception` when the link's
 * queue is full (it may be tried again), `action_not_found_transport_exception` and `illegal_argument_exception` when
 * the message is too large.
 */
export interface PeerLink extends Channel {
  readonly peer: PeerIdentity;
  readonly linkClass: LinkClass;
  request(action: string, payload: Uint8Array, options?: LinkRequestOptions): Promise<Uint8Array>;
  /** Bytes that wait to be sent. */
  readonly pendingBytes: number;
  /** Requests without answer. */
  readonly pendingCount: number;
  readonly isClosed: boolean;
  /** Fails what waits and closes. */
  close(reason?: string): void;
  /** Called once, at once when the link is closed already. */
  onClose(listener: (how: CloseHow) => void): void;
}

/** The numbers of `transport` in node statistics. */
export interface TransportStats {
  readonly serverOpen: number;
  readonly totalOutboundConnections: number;
  readonly rxCount: number;
  readonly rxBytes: number;
  readonly txCount: number;
  readonly txBytes: number;
}

/** `refused` nobody listens there; `silent` no answer in time; else who answers. */
export type ProbeResult = 'refused' | 'silent' | PeerIdentity;

/** Links of one thread of a node: a listener and what it dials. */
export interface Transport {
  /** `host:port` that other nodes dial. */
  readonly boundAddress: string;
  /** Rejects with `connect_transport_exception`; its cause says why a handshake failed. */
  connect(address: string, options: ConnectOptions): Promise<PeerLink>;
  /** Asks a fresh connection who is there, within 200 ms unless told otherwise. Never rejects. */
  probe(address: string, timeoutMs?: number): Promise<ProbeResult>;
  stats(): TransportStats;
  /** Closes all links and the listener; running handlers are cancelled. */
  close(): Promise<void>;
}

/** A node that links are kept to. */
export interface PeerNode {
  readonly id: string;
  readonly ephemeralId: string;
  readonly name: string;
  /** `host:port` of its control links. */
  readonly address: string;
  /** `host:port` of its data and recovery links; `address` when it has one listener. */
  readonly dataAddress?: string;
}
