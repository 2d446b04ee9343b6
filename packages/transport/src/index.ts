export { createTransport } from './create-transport.js';
export { createLink, type Link, type Port } from './link.js';
export { loopbackChannel } from './loopback.js';
export { createPeers, type DownReason, type PeerChannel, type Peers, type PeersOptions } from './peers.js';
export type { DelayModel } from './simulated-faults.js';
export { simulatedNetwork, type SimulatedNetwork, type SimulatedNetworkOptions } from './simulated-network.js';
export type { TlsMaterial, TransportTls } from './tls.js';
export type {
  BindOptions,
  CloseHow,
  ConnectOptions,
  HelloFacts,
  LinkClass,
  LinkRequestOptions,
  PeerEvent,
  PeerIdentity,
  PeerLink,
  PeerNode,
  ProbeResult,
  RequestContext,
  Transport,
  TransportHandler,
  TransportOptions,
  TransportStats,
} from './types.js';
