import type { Server, ServerOptions } from 'node:http';
import https from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { Log } from '@shoal/doors';
import { secureContextOf } from './key-material.js';
import type { LayerTls } from './node-tls.js';

/** Limit in milliseconds for a TLS handshake. */
const HANDSHAKE_TIMEOUT_MS = 10_000;

/**
 * Returns a function that creates HTTPS servers with the current certificates. Failed handshakes are logged with their
 * reason.
 */
export function httpsServer(tls: LayerTls, log: Log): (options: ServerOptions) => Server {
  return (options) => {
    const { clientAuthentication } = tls.settings;
    // The library accepts clients without a valid certificate. They are refused below, where the reason is known.
    const server = https.createServer({
      ...options,
      ...secureContextOf(tls.settings, tls.material()),
      requestCert: clientAuthentication !== 'none',
      rejectUnauthorized: false,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    });
    tls.onChange((material) => server.setSecureContext(secureContextOf(tls.settings, material)));
    server.prependListener('secureConnection', (socket: TLSSocket) => {
      const reason = refusalOf(socket, clientAuthentication);
      if (reason === null) return;
      refused(log, socket, reason);
      socket.destroy();
    });
    server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
      refused(log, socket, reasonOf(error));
    });
    return server;
  };
}

function refused(log: Log, { remoteAddress, remotePort }: TLSSocket, reason: string): void {
  log.write('warn', 'an HTTPS connection was refused', {
    'client.address': `${remoteAddress ?? 'unknown'}:${remotePort ?? 0}`,
    'event.reason': reason,
  });
}

/**
 * Returns why a connection is refused, or null. `authorized` alone does not suffice: a TLS 1.3 session that is resumed
 * without a certificate has it too.
 */
function refusalOf(socket: TLSSocket, authentication: 'none' | 'optional' | 'required'): string | null {
  if (authentication === 'none') return null;
  const certificate = socket.getPeerCertificate();
  if (Object.keys(certificate).length === 0)
    return authentication === 'optional' ? null : 'the client did not provide a certificate';
  if (socket.authorized) return null;
  return (
    `the client's certificate [${certificate.fingerprint256}] is not trusted here: ` +
    `${String(socket.authorizationError)}`
  );
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.code === 'ERR_SSL_HTTP_REQUEST')
    return 'received plaintext http traffic on an https channel, closing connection';
  if (/alert (unknown ca|bad certificate|certificate unknown)/.test(error.message))
    return 'the client does not trust the certificate of this node';
  if (error.code === 'ECONNRESET')
    return 'the client closed the connection during the handshake; it may not trust the certificate of this node';
  return error.message;
}
