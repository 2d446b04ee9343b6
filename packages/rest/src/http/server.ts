import { type Server, createServer, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '@shoal/doors';
import { announcedLength } from './announced-body.js';
import type { HttpApp } from '../app.js';
import { ConnectionRoom } from './connection-room.js';
import { boundPipelining, type PipeliningOptions } from './pipelining.js';
import type { HttpSettings } from './http-settings.js';
import type { HttpStats } from './http-stats.js';

/** An HTTP server that does not listen yet, and how to close it. */
export interface HttpServer {
  readonly server: Server;
  /** Stops accepting connections, waits up to `graceMs` for running requests, then closes the remaining connections. */
  close(graceMs: number): Promise<void>;
}

function refuseBadRequest(
  error: NodeJS.ErrnoException,
  socket: { writable: boolean; end(data: string, sent: () => void): void; destroy(): void },
): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request';
  socket.end(
    `HTTP/1.1 ${status}\r\nX-elastic-product: Elasticsearch\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
    () => socket.destroy(),
  );
}

/** Interval of the checks for slow headers and requests. */
const CHECK_CONNECTIONS_MS = 5_000;

/** What a socket and the one of TLS above it have in common. */
const connectionKey = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress}:${remotePort}`;

/** Bounds the connections of a server. Returns the `noteOf` of its pipelines. */
function boundConnections(server: Server, settings: HttpSettings, stats: HttpStats): PipeliningOptions['noteOf'] {
  const room = new ConnectionRoom<string>(settings.connectionsMax);
  const open = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    if (socket.destroyed) return;
    const key = connectionKey(socket);
    open.set(key, socket);
    const closed = room.enter(key);
    if (closed !== null) {
      stats.connectionsRefused++;
      open.get(closed)?.destroy();
      open.delete(closed);
    }
    socket.once('close', () => {
      if (open.get(key) !== socket) return;
      open.delete(key);
      room.leave(key);
    });
  });
  return (socket) => {
    const key = connectionKey(socket);
    return () => room.asked(key);
  };
}

/** Deviations of a server from plain HTTP. */
export interface HttpServerOptions {
  /** Creates the server, for example one of `node:https`. */
  readonly create?: (options: ServerOptions) => Server;
  /** Whether connections from an address are accepted; others are closed without an answer. */
  readonly accepts?: (remoteAddress: string) => boolean;
}

/** Creates a `node:http` server with the limits of the settings. The caller calls `listen`. */
export function createHttpServer(
  app: HttpApp,
  settings: HttpSettings,
  stats: HttpStats,
  clock: Clock,
  { create = createServer, accepts }: HttpServerOptions = {},
): HttpServer {
  const server = create({
    maxHeaderSize: settings.headerBytesMax,
    headersTimeout: settings.headersTimeoutMs,
    requestTimeout: settings.requestTimeoutMs,
    connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
    keepAliveTimeout: settings.keepAliveMs,
    noDelay: true,
  });
  const handle = boundPipelining((request, response) => app.handle(request, response), {
    pipelinedMax: settings.pipelinedMax,
    noteOf: boundConnections(server, settings, stats),
  });
  server.on('request', handle);
  server.on('checkContinue', (request, response) => {
    if (!(announcedLength(request) > settings.contentBytesMax)) response.writeContinue();
    handle(request, response);
  });
  server.on('clientError', refuseBadRequest);
  server.on('connection', (socket) => {
    if (accepts && !accepts(socket.remoteAddress ?? '')) return void socket.destroy();
    stats.connectionsOpen++;
    stats.connectionsTotal++;
    socket.once('close', () => stats.connectionsOpen--);
  });
  return { server, close: (graceMs) => closeServer(server, app, clock, graceMs) };
}

async function closeServer(server: Server, app: HttpApp, clock: Clock, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const expired = new Promise<void>((resolve) => clock.after(graceMs, resolve));
  await Promise.race([app.drain(), expired]);
  server.closeIdleConnections();
  await Promise.race([closed, new Promise<void>((resolve) => clock.after(100, resolve))]);
  server.closeAllConnections();
  await closed;
}
