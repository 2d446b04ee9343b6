import net from 'node:net';
import tls from 'node:tls';
import type { Clock, Log } from '@shoal/doors';
import { contextOptions, type TransportTls } from './tls.js';

/** Options of a listener that checks who connects. */
export interface GateOptions {
  readonly tls: TransportTls | null;
  /** Whether connections from an address are accepted; others are closed without an answer. */
  readonly accepts: (remoteAddress: string) => boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** Receives each admitted connection. */
  readonly admit: (socket: net.Socket) => void;
}

/** Time limit for the TLS handshake of a client. */
const HANDSHAKE_TIMEOUT_MS = 10_000;

/** A node that connects sends the preface of HTTP/2 at once; who has sent nothing by then is closed. */
const SILENT_MS = 10_000;

/** A refused node dials again each second: the same refusal is logged once in this time. */
const SAME_REFUSAL_MS = 60_000;
const KEPT_REFUSALS_MAX = 1_000;

/**
 * Creates a server that admits connections whose address and certificate are accepted. The caller listens. Refusals are
 * logged with their reason.
 */
export function createGate({ tls: secure, accepts, clock, log, admit }: GateOptions): net.Server {
  const enter = secure === null ? admit : shakeHands(secure, refusalLog(clock, log), admit);
  return net.createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => undefined);
    if (!accepts(socket.remoteAddress ?? '')) return void socket.destroy();
    enter(socket);
    const timer = clock.after(SILENT_MS, () => void (socket.bytesRead === 0 && socket.destroy()));
    socket.once('close', () => timer.cancel());
  });
}

type TellRefusal = (address: string, reason: string) => void;

function refusalLog(clock: Clock, log: Log): TellRefusal {
  const told = new Map<string, number>();
  return (address, reason) => {
    const key = `${address.slice(0, address.lastIndexOf(':'))} ${reason}`;
    const now = clock.monotonic();
    const isKnown = now - (told.get(key) ?? Number.NEGATIVE_INFINITY) < SAME_REFUSAL_MS;
    if (told.size >= KEPT_REFUSALS_MAX) told.clear();
    if (!isKnown) told.set(key, now);
    log.write(isKnown ? 'debug' : 'warn', 'a connection from another node was refused at the TLS handshake', {
      'client.address': address,
      'event.reason': reason,
    });
  };
}

function shakeHands(
  options: TransportTls,
  tell: TellRefusal,
  admit: (socket: net.Socket) => void,
): (socket: net.Socket) => void {
  let used = options.material();
  /** Addresses of connections during the TLS handshake; a broken connection does not know its address any more. */
  const arrived = new Map<net.Socket, string>();
  // TLS accepts a client without a certificate; it is refused below, where the log can contain its address.
  const server = tls.createServer({
    ...contextOptions(options, used),
    requestCert: options.clientAuthentication !== 'none',
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
  });
  server.on('secureConnection', (socket) => {
    const reason = refusalOf(socket, options.clientAuthentication);
    if (reason === null) return admit(socket);
    tell(addressOf(socket) ?? 'unknown:0', reason);
    socket.destroy();
  });
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    const broken = [...arrived].find(([raw]) => raw.destroyed);
    tell(addressOf(socket) ?? broken?.[1] ?? 'unknown:0', reasonOf(error));
    socket.destroy();
  });
  return (socket) => {
    const material = options.material();
    if (material !== used) server.setSecureContext(contextOptions(options, material));
    used = material;
    arrived.set(socket, addressOf(socket) ?? 'unknown:0');
    socket.once('close', () => arrived.delete(socket));
    server.emit('connection', socket);
  };
}

const addressOf = ({ remoteAddress, remotePort }: net.Socket): string | null =>
  remoteAddress === undefined ? null : `${remoteAddress}:${remotePort ?? 0}`;

/**
 * Why a client certificate is refused, or null. `authorized` alone does not suffice: a resumed TLS 1.3 session without
 * a certificate has it too.
 */
export function refusalOf(
  socket: Pick<tls.TLSSocket, 'authorized' | 'authorizationError' | 'getPeerCertificate'>,
  authentication: TransportTls['clientAuthentication'],
): string | null {
  if (authentication === 'none') return null;
  const certificate = socket.getPeerCertificate();
  const isAbsent = Object.keys(certificate).length === 0;
  if (isAbsent) return authentication === 'optional' ? null : 'the client did not provide a certificate';
  if (socket.authorized) return null;
  const subject = Object.entries(certificate.subject)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(', ');
  return (
    `the client provided a certificate with subject name [${subject}] and fingerprint ` +
    `[${certificate.fingerprint256}] that is not trusted here: ${String(socket.authorizationError)}`
  );
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (/HTTP_REQUEST|WRONG_VERSION_NUMBER|HTTPS_PROXY_REQUEST/.test(error.code ?? ''))
    return 'plaintext traffic was received on an encrypted channel; TLS is off on the other side';
  if (/ALERT.*(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE)/i.test(`${error.code} ${error.message}`))
    return `the client does not trust the certificate of this node (${error.message})`;
  return error.code === 'ECONNRESET'
    ? 'the client closed the connection during the handshake; it may not trust the certificate of this node'
    : error.message;
}
