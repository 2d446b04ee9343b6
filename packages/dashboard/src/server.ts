import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createApp } from './app.js';
import { withoutBasePath } from './base-path.js';
import { callerOf, cookieOf, type DashboardContext, hasSecurity } from './context.js';
import { clusterTarget } from './guard/cluster-path.js';
import { refuseForged } from './guard/forged.js';
import { safetyHeaders } from './guard/headers.js';
import { isHostAnswered } from './guard/host-names.js';
import { LOG_IN, type Refusal } from './guard/refusal.js';
import { sendRefusal } from './http-answers.js';
import { followSockets, type OpenSockets } from './open-sockets.js';
import { notReady } from './pages/routes.js';
import type { DashboardSettings } from './settings/load-settings.js';
import { DashboardSettingsError } from './settings/setting-values.js';
import type { ServerTls } from './settings/tls-settings.js';
import { requestLine } from './request-line.js';
import { passThrough } from './through.js';
import { followFiles } from './tls/follow-files.js';
import { type KeyStores, readRevocationLists, readTlsMaterial, tlsFilesOf } from './tls/tls-material.js';

const THROUGH = '/api/console/proxy';
/** Longest request line and headers together. */
const HEADER_BYTES_MAX = 32 * 1024;

/** Connections of each server that was created. */
const SOCKETS = new WeakMap<Server, OpenSockets>();

/** Creates the HTTP or HTTPS server; it does not listen yet. */
export function createServer(context: DashboardContext, stores: KeyStores): Server {
  const { settings } = context;
  const app = createApp(context);
  const headers = safetyHeaders(settings.server);
  const handle: Handle = (incoming, answer) => {
    count(context, incoming, answer);
    for (const [name, value] of Object.entries(headers)) answer.setHeader(name, value);
    const { basePath, isBasePathInRequests } = settings.server;
    const url = withoutBasePath(incoming.url!, basePath, isBasePathInRequests);
    const refusal = url === null ? NOT_BELOW : (refuseUnclear(url) ?? refuse(context, incoming, url));
    if (refusal !== null || url === null) return sendRefusal(answer, refusal ?? NOT_BELOW);
    incoming.url = url;
    const go = (): void => {
      if (url.split('?', 1)[0] === THROUGH) void through(context, incoming, answer, headers);
      else app(incoming as never, answer as never);
    };
    const cookie = cookieOf(incoming.headers.cookie, settings.sessions.cookieName);
    const reading = hasSecurity(context.watch) ? context.sessions.prepare(cookie) : null;
    if (reading === null) go();
    else void reading.then(go);
  };
  const server = open(context, stores, handle);
  SOCKETS.set(server, followSockets(server));
  server.requestTimeout = 0;
  server.timeout = settings.server.socketTimeoutMs;
  server.keepAliveTimeout = settings.server.keepAliveMs;
  server.on('clientError', refuseBroken);
  return server;
}

/** `//host/path`, `http://host/path` and `*` are read in two ways: as a path, and as another host. */
const refuseUnclear = (url: string): Refusal | null =>
  /^\/(?![/\\])/.test(url) ? null : { status: 400, message: 'The path must begin with exactly one slash.' };

const NOT_BELOW: Refusal = { status: 404, message: 'There is nothing outside of the base path.' };

type Handle = (incoming: IncomingMessage, answer: ServerResponse) => void;

function open({ settings, clock, log }: DashboardContext, stores: KeyStores, handle: Handle): Server {
  const options = { maxHeaderSize: HEADER_BYTES_MAX };
  const { tls } = settings.server;
  if (tls === null) return http.createServer(options, handle);
  const server = https.createServer({ ...options, ...secureOptions(tls, stores) }, handle);
  const files = [...tlsFilesOf(tls), ...tls.revocationLists];
  const unfollow = followFiles(files, clock, () => {
    try {
      server.setSecureContext(secureOptions(tls, stores));
      // What is open was let in by the files of before: its next request has to show its certificate again.
      server.closeIdleConnections();
      log.write('info', 'the certificate was read again', { file: files[0] });
    } catch (error) {
      log.write('warn', 'the certificate cannot be used; the one before stays', { error });
    }
  });
  server.once('close', unfollow);
  return server;
}

function secureOptions(tls: ServerTls, stores: KeyStores): https.ServerOptions {
  const revoked = readRevocationLists(tls.revocationLists);
  return {
    ...readTlsMaterial(tls, stores),
    ...(revoked.length === 0 ? {} : { crl: [...revoked] }),
    minVersion: tls.versionMin,
    maxVersion: tls.versionMax,
    ...(tls.ciphers.length === 0 ? {} : { ciphers: tls.ciphers.join(':') }),
    requestCert: tls.clientAuthentication !== 'none',
    rejectUnauthorized: tls.clientAuthentication === 'required',
  };
}

/** What every request has to pass, whatever it is for. */
function refuse(
  { settings, watch }: DashboardContext,
  { method, headers }: IncomingMessage,
  url: string,
): Refusal | null {
  const { server } = settings;
  const named = server.publicBaseUrl === null ? [] : [new URL(server.publicBaseUrl)];
  const allowed = [...server.allowedHosts, ...named.map(({ hostname }) => hostname), server.host];
  if (!hasSecurity(watch) && !isHostAnswered(headers.host, allowed))
    return {
      status: 403,
      message: `The host [${headers.host}] is not answered; [shoal.dashboard.allowed_hosts] names further ones.`,
    };
  const own = headers.host === undefined ? [] : [`http://${headers.host}`, `https://${headers.host}`];
  return refuseForged({
    method: method!,
    headers,
    path: url.split('?', 1)[0]!,
    origins: [...own, ...named.map(({ origin }) => origin)],
    allowlist: server.xsrfAllowlist,
  });
}

/** `POST /api/console/proxy`: everything that pages ask the cluster goes this way. */
async function through(
  context: DashboardContext,
  incoming: IncomingMessage,
  answer: ServerResponse,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { state } = context.watch.current();
  if (incoming.method !== 'POST')
    return sendRefusal(answer, { status: 405, message: 'Send a POST.', headers: { allow: 'POST' } });
  if (state !== 'ready' && state !== 'lost') return notReady(context, incoming, answer, true);
  const caller = callerOf(context, incoming, { isUse: true, isApi: true });
  if (caller.kind === 'nobody') return sendRefusal(answer, LOG_IN);
  if (state === 'lost') return sendRefusal(answer, { status: 503, message: 'The cluster does not answer.' });
  const target = clusterTarget(new URLSearchParams(incoming.url!.split('?').slice(1).join('?')));
  if ('status' in target) return sendRefusal(answer, target);
  const refusal = await passThrough(incoming, answer, {
    target,
    authorization: caller.kind === 'user' ? caller.authorization : null,
    client: context.client,
    settings: context.settings.cluster,
    headers,
    onSilence: () => void context.watch.look(),
  });
  if (refusal !== null && !answer.headersSent) sendRefusal(answer, refusal);
}

/** Counts a request, and logs it without its query, body and cookies. */
function count(
  { counts, clock, log }: DashboardContext,
  { method, url }: IncomingMessage,
  answer: ServerResponse,
): void {
  const startedAtMs = clock.monotonic();
  counts.total++;
  counts.running++;
  answer.once('close', () => {
    const millis = clock.monotonic() - startedAtMs;
    counts.running--;
    counts.millis += millis;
    counts.millisMax = Math.max(counts.millisMax, millis);
    if (!answer.writableFinished) counts.disconnects++;
    counts.byStatus.set(answer.statusCode, (counts.byStatus.get(answer.statusCode) ?? 0) + 1);
    log.write('debug', 'answered', requestLine(method!, url!, answer.statusCode, Math.round(millis * 1e6)));
  });
}

/** What is no HTTP gets an answer in JSON, too. */
function refuseBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const body = JSON.stringify({
    statusCode: Number(status.slice(0, 3)),
    error: status.slice(4),
    message: 'The request cannot be read.',
  });
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n` +
      `connection: close\r\n\r\n${body}`,
  );
}

/** Where a server listens. */
export async function listen(server: Server, { host, port }: DashboardSettings['server']): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken =
        error.code === 'EADDRINUSE' ||
        error.code === 'EACCES' ||
        error.code === 'EADDRNOTAVAIL' ||
        error.code === 'ENOTFOUND';
      reject(isTaken ? new DashboardSettingsError(`[server.host] and [server.port]: ${error.message}`) : error);
    });
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Ends a server: requests under way may end within `waitMs`, then connections are closed. */
export function closeServer(server: Server, context: DashboardContext, waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = context.clock.after(waitMs, () => server.closeAllConnections());
    server.close(() => {
      timer.cancel();
      resolve();
    });
    server.closeIdleConnections();
    SOCKETS.get(server)?.endIdle();
  });
}
