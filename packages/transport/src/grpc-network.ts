import net from 'node:net';
import tls from 'node:tls';
import grpc from '@grpc/grpc-js';
import type { Clock, Log } from '@shoal/doors';
import { errors, toApiError } from '@shoal/errors';
import { createGate } from './gate.js';
import { IN_FLIGHT_BYTES_MAX } from './limits.js';
import { portsOf } from './ports.js';
import type { Listener, Network, Wire, WireEvents } from './network.js';
import { contextsOf, type TransportTls } from './tls.js';
import type { BindOptions, CloseHow, LinkClass } from './types.js';

const LINK_PATH = '/shoal.transport.Transport/Link';

/** With the default of 64 KiB, a link with 1 ms of latency carries at most 64 MB/s. */
const FLOW_CONTROL_WINDOW_BYTES = 4 * 1024 * 1024;

const KEEPALIVE_MS = 20_000;

/** Messages are bytes already: frames are encoded and decoded by the link, once. */
const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const same = (bytes: Buffer): Uint8Array => bytes;

const COMMON_OPTIONS: grpc.ChannelOptions = {
  'grpc-node.flow_control_window': FLOW_CONTROL_WINDOW_BYTES,
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
};

/**
 * Each dial has its own connection pool. The shared pool would delay the redial that proves whether a node is gone by
 * its back-off of a second.
 */
const DIAL_OPTIONS: grpc.ChannelOptions = {
  ...COMMON_OPTIONS,
  'grpc.use_local_subchannel_pool': 1,
  'grpc.enable_retries': 0,
  'grpc.enable_http_proxy': 0,
  'grpc.service_config_disable_resolution': 1,
};

/**
 * No keepalive on control links: fault detection alone decides about silent nodes, so that there is one failure
 * detector.
 */
const KEEPALIVE_OPTIONS: grpc.ChannelOptions = {
  'grpc.keepalive_time_ms': KEEPALIVE_MS,
  'grpc.keepalive_timeout_ms': KEEPALIVE_MS,
};

const SERVICE: grpc.ServiceDefinition = {
  Link: {
    path: LINK_PATH,
    requestStream: true,
    responseStream: true,
    requestSerialize: asBuffer,
    requestDeserialize: same,
    responseSerialize: asBuffer,
    responseDeserialize: same,
  },
};

/** Options of links over gRPC. */
export interface GrpcNetworkOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** TLS of links; null if they are not encrypted. */
  readonly tls: TransportTls | null;
  /** Whether connections from an address are accepted. */
  readonly accepts: (remoteAddress: string) => boolean;
  /** Connections of a listener; beyond it newcomers are closed. */
  readonly connectionsMax: number;
}

/** Network over gRPC: each link has its own connection and one bidirectional stream. */
export function grpcNetwork(options: GrpcNetworkOptions): Network {
  // The library would also write to standard error what it reports as an event or error.
  grpc.setLogVerbosity(grpc.logVerbosity.NONE);
  const security = options.tls === null ? plainDials : secureDials(options.tls);
  return {
    listen: (bind, accept) => listen(bind, options, accept),
    dial: (address, linkClass, events) => dial(address, linkClass, security(hostOf(address)), events),
    close: () => undefined,
  };
}

/** Encryption of one dial. */
interface DialSecurity {
  readonly credentials: grpc.ChannelCredentials;
  readonly options: grpc.ChannelOptions;
  /** Explains why a dial failed, if TLS is the cause. */
  readonly explain: (details: string) => string;
}

const plainDials = (): DialSecurity => ({
  credentials: grpc.credentials.createInsecure(),
  options: {},
  explain: (details) => details,
});

function secureDials(options: TransportTls): (host: string) => DialSecurity {
  const contexts = contextsOf(options);
  return (host) => {
    let isTrusted = false;
    const checkServerIdentity = (_name: string, certificate: tls.PeerCertificate): Error | undefined => {
      const problem =
        notForLinks(certificate) ??
        (options.verificationMode === 'full' ? tls.checkServerIdentity(host, certificate) : undefined);
      isTrusted = problem === undefined;
      return problem;
    };
    return {
      credentials: grpc.credentials.createFromSecureContext(contexts(), {
        checkServerIdentity,
        rejectUnauthorized: options.verificationMode !== 'none',
      }),
      // An IP address is not a server name (RFC 6066); the certificate's host is checked above.
      options: { 'grpc.ssl_target_name_override': net.isIP(host) === 0 ? host : 'shoal' },
      explain: (details) => explainTls(details, isTrusted),
    };
  };
}

/** Extended key usage of certificates with which clients prove themselves (RFC 5280, 4.2.1.12). */
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';

/**
 * Why a certificate is not for links, in which each node is a server and a client; undefined if it is. Certificates for
 * HTTP are for servers only. Of the node that dials, the TLS library checks the same.
 */
function notForLinks({ ext_key_usage: usages, subject }: tls.PeerCertificate): Error | undefined {
  if (usages === undefined || usages.length === 0 || usages.includes(CLIENT_AUTH)) return undefined;
  return new Error(
    `the certificate of [${String(subject?.CN)}] is for servers only, not for links between nodes: its extended key ` +
      'usage must include clientAuth',
  );
}

/** Explains a failed dial over TLS; the library reports only that no connection was made. */
function explainTls(details: string, isTrusted: boolean): string {
  if (/ECONNREFUSED|EHOSTUNREACH|ETIMEDOUT/.test(details)) return details;
  if (isTrusted)
    return (
      'the TLS handshake failed: the other side closed after it, because it does not trust the certificate of this ' +
      `node (${details})`
    );
  if (/before secure TLS connection|wrong version number|packet length too long/i.test(details))
    return `the TLS handshake failed: the other side does not speak TLS, or refuses this node (${details})`;
  return `the TLS handshake failed: ${details}`;
}

type Call = grpc.ClientDuplexStream<Uint8Array, Uint8Array> | grpc.ServerDuplexStream<Uint8Array, Uint8Array>;

/** The part of a stream that both sides share: writing with back-pressure, and reporting its end once. */
class CallWire implements Wire {
  readonly #call: Call;
  readonly #abort: () => void;
  #events: WireEvents | null = null;
  #inFlightBytes = 0;
  #isFull = false;
  #isEnded = false;
  #isClosed = false;

  constructor(call: Call, abort: () => void) {
    this.#call = call;
    this.#abort = abort;
  }

  start(events: WireEvents): void {
    this.#events = events;
    this.#call.on('data', (bytes: Uint8Array) => {
      if (!this.#isClosed) events.message(bytes);
    });
    this.#call.on('drain', () => this.#relieve());
  }

  write(message: Uint8Array): boolean {
    if (this.#isClosed || this.#isEnded) return false;
    this.#inFlightBytes += message.length;
    const hasRoom = this.#call.write(message, () => {
      this.#inFlightBytes -= message.length;
      this.#relieve();
    });
    if (!hasRoom || this.#inFlightBytes >= IN_FLIGHT_BYTES_MAX) this.#isFull = true;
    return !this.#isFull;
  }

  end(): void {
    if (this.#isClosed || this.#isEnded) return;
    this.#isEnded = true;
    this.#call.end();
  }

  destroy(): void {
    if (this.#isClosed) return;
    this.#abort();
    this.closed({ kind: 'closed', reason: 'closed by this side' });
  }

  closed(how: CloseHow): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#events?.closed(how);
  }

  #relieve(): void {
    if (!this.#isFull || this.#isClosed || this.#inFlightBytes >= IN_FLIGHT_BYTES_MAX || this.#call.writableNeedDrain)
      return;
    this.#isFull = false;
    this.#events?.drain();
  }
}

function dial(address: string, linkClass: LinkClass, security: DialSecurity, events: WireEvents): Wire {
  const options = { ...DIAL_OPTIONS, ...(linkClass === 'control' ? {} : KEEPALIVE_OPTIONS), ...security.options };
  const client = new grpc.Client(address, security.credentials, options);
  const call = client.makeBidiStreamRequest(LINK_PATH, asBuffer, same);
  const wire = new CallWire(call, () => {
    call.cancel();
    client.close();
  });
  let isOpen = false;
  call.on('metadata', () => (isOpen = true));
  call.on('error', (error: grpc.ServiceError) => {
    client.close();
    wire.closed(
      isOpen ? { kind: 'lost', reason: error.details } : { kind: 'refused', reason: security.explain(error.details) },
    );
  });
  call.on('status', ({ code, details }) => {
    client.close();
    if (code === grpc.status.OK) wire.closed({ kind: 'closed', reason: details || 'the other side closed' });
  });
  wire.start(events);
  return wire;
}

function serve(call: grpc.ServerDuplexStream<Uint8Array, Uint8Array>, accept: (wire: Wire) => WireEvents): void {
  const wire = new CallWire(call, () =>
    call.emit('error', { code: grpc.status.ABORTED, details: 'the link was closed' }),
  );
  call.on('cancelled', () => wire.closed({ kind: 'lost', reason: 'the other side is gone' }));
  call.on('error', (error) => wire.closed({ kind: 'lost', reason: error.message }));
  call.on('close', () => wire.closed({ kind: 'lost', reason: 'the connection was closed' }));
  call.on('end', () => {
    call.end();
    wire.closed({ kind: 'closed', reason: 'the other side closed' });
  });
  wire.start(accept(wire));
  call.sendMetadata(new grpc.Metadata());
}

async function listen(
  bind: BindOptions,
  { tls: secure, accepts, connectionsMax, clock, log }: GrpcNetworkOptions,
  accept: (wire: Wire) => WireEvents,
): Promise<Listener> {
  const server = new grpc.Server(COMMON_OPTIONS);
  server.addService(SERVICE, { Link: (call: grpc.ServerDuplexStream<Uint8Array, Uint8Array>) => serve(call, accept) });
  const injector = server.createConnectionInjector(grpc.ServerCredentials.createInsecure());
  const sockets = new Set<net.Socket>();
  const gate = createGate({ tls: secure, accepts, clock, log, admit: (socket) => injector.injectConnection(socket) });
  gate.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  if (Number.isFinite(connectionsMax)) gate.maxConnections = connectionsMax;
  const port = await bindFirst(gate, bind);
  // If no file descriptor is free, only this connection fails.
  gate.on('error', (error) => log.write('warn', 'a connection from another node could not be taken', { error }));
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  return {
    address: `${hostText(bind.host)}:${port}`,
    close() {
      gate.close();
      server.tryShutdown(() => finish());
      return finished;
    },
    abort() {
      server.forceShutdown();
      for (const socket of sockets) socket.destroy();
      // `tryShutdown` does not notice that a connection which broke by itself is closed.
      finish();
    },
  };
}

async function bindFirst(gate: net.Server, { host, port }: BindOptions): Promise<number> {
  let failure: unknown;
  for (const candidate of portsOf(port)) {
    try {
      return await bindOne(gate, host.replace(/^\[|\]$/g, ''), candidate);
    } catch (error) {
      failure = error;
    }
  }
  throw errors.ioError(`Failed to bind to ${hostText(host)}:[${port}]`, { cause: toApiError(failure) });
}

function bindOne(gate: net.Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    gate.once('error', reject);
    gate.listen({ host, port }, () => {
      gate.off('error', reject);
      resolve((gate.address() as net.AddressInfo).port);
    });
  });
}

const hostText = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);
const hostOf = (address: string): string => address.slice(0, address.lastIndexOf(':')).replace(/^\[|\]$/g, '');
