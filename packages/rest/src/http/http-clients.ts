import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '@shoal/doors';

/** How long, and how many, closed connections are kept for the statistics. */
const CLOSED_AGE_MS = 300_000;
const CLOSED_MAX = 1_000;

/** Requests over one connection. Times are milliseconds since 1970. */
export interface HttpClient {
  readonly id: number;
  readonly agent: string | null;
  readonly localAddress: string;
  readonly remoteAddress: string;
  readonly openedMs: number;
  closedMs: number | null;
  lastUri: string;
  lastRequestMs: number;
  requests: number;
  /** Total length of the request bodies, in bytes. */
  bytesIn: number;
  opaqueId: string | null;
}

/** Connections that have sent requests. */
export interface HttpClients {
  readonly open: Set<HttpClient>;
  /** Closed connections, oldest first. */
  readonly closed: HttpClient[];
  count: number;
}

/** Creates empty statistics. */
export const newHttpClients = (): HttpClients => ({ open: new Set(), closed: [], count: 0 });

interface KnownSocket {
  httpClient?: HttpClient;
}

const textOf = (value: string | string[] | undefined): string | null => (typeof value === 'string' ? value : null);

function opened(clients: HttpClients, { socket, headers }: IncomingMessage, clock: Pick<Clock, 'now'>): HttpClient {
  const { localAddress = '', localPort = 0, remoteAddress = '', remotePort = 0 } = socket;
  const [local, remote] = [`${localAddress}:${localPort}`, `${remoteAddress}:${remotePort}`];
  const client: HttpClient = {
    id: ++clients.count,
    agent: textOf(headers['user-agent']),
    localAddress: local,
    remoteAddress: remote,
    openedMs: clock.now(),
    closedMs: null,
    lastUri: '',
    lastRequestMs: 0,
    requests: 0,
    bytesIn: 0,
    opaqueId: null,
  };
  clients.open.add(client);
  socket.once('close', () => {
    clients.open.delete(client);
    client.closedMs = clock.now();
    clients.closed.push(client);
    if (clients.closed.length > CLOSED_MAX) clients.closed.shift();
  });
  return client;
}

/** Counts a request of its connection. */
export function countRequest(clients: HttpClients, message: IncomingMessage, clock: Pick<Clock, 'now'>): HttpClient {
  const socket = message.socket as Socket & KnownSocket;
  const client = (socket.httpClient ??= opened(clients, message, clock));
  client.lastUri = message.url!;
  client.lastRequestMs = clock.now();
  client.requests++;
  client.opaqueId = textOf(message.headers['x-opaque-id']) ?? client.opaqueId;
  return client;
}

function clientJson(client: HttpClient): Record<string, unknown> {
  return {
    id: client.id,
    ...(client.agent === null ? {} : { agent: client.agent }),
    local_address: client.localAddress,
    remote_address: client.remoteAddress,
    last_uri: client.lastUri,
    opened_time_millis: client.openedMs,
    ...(client.closedMs === null ? {} : { closed_time_millis: client.closedMs }),
    last_request_time_millis: client.lastRequestMs,
    request_count: client.requests,
    request_size_bytes: client.bytesIn,
    ...(client.opaqueId === null ? {} : { x_opaque_id: client.opaqueId }),
  };
}

/**
 * `http.clients` of `GET /_nodes/stats`: connections that are open or were closed in the last five minutes; removes
 * older ones.
 */
export function httpClientsJson({ open, closed }: HttpClients, nowMs: number): Record<string, unknown>[] {
  const fresh = closed.findIndex(({ closedMs }) => nowMs - closedMs! <= CLOSED_AGE_MS);
  closed.splice(0, fresh === -1 ? closed.length : fresh);
  return [...open, ...closed].map(clientJson);
}
