import { type Server, type ServerResponse, createServer, type ServerOptions } from 'node:http';
import type { Clock } from '@shoal/doors';
import { announcedLength } from './announced-body.js';
import type { HttpApp } from '../app.js';
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

/** A connection with the number of its unanswered requests. */
interface CountedSocket {
  pendingRequests?: number;
}

/** Counts the end of a response. A shared function, because it is registered for each request. */
function countResponseEnd(this: ServerResponse): void {
  (this.req.socket as CountedSocket).pendingRequests! -= 1;
}

/** Closes a connection with more than `pipelinedMax` unanswered requests, because all of them are kept in memory. */
function boundPipelining(app: HttpApp, pipelinedMax: number): HttpApp['handle'] {
  return (request, response) => {
    const socket = request.socket as typeof request.socket & CountedSocket;
    const pending = (socket.pendingRequests ?? 0) + 1;
    socket.pendingRequests = pending;
    if (pending > pipelinedMax) return void socket.destroy();
    response.on('close', countResponseEnd);
    app.handle(request, response);
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
  server.maxConnections = settings.connectionsMax;
  server.on('drop', () => stats.connectionsRefused++);
  const handle = boundPipelining(app, settings.pipelinedMax);
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
