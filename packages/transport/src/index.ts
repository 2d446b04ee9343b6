export { createTransport } from './create-transport.js';
export { createLink, type Link, type Port } from './link.js';
export { loopbackChannel } from './loopback.js';
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
  ProbeResult,
  RequestContext,
  Transport,
  TransportHandler,
  TransportOptions,
  TransportStats,
} from './types.js';
