import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Arrival } from '@shoal/security';

/** Characters that RFC 2253 escapes within a value. A space is special at the ends, `#` at the beginning. */
const SPECIAL = /[,+"\\<>;]|^[ #]| $/g;
// Written as two hexadecimal digits: a newline in an organisation's name must not look like the next attribute.
const CONTROL = /[\x00-\x1f\x7f]/g;

const escaped = (text: string): string =>
  text
    .replace(SPECIAL, (c) => `\\${c}`)
    .replace(CONTROL, (c) => `\\${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

function rendered(subject: Readonly<Record<string, string | readonly string[]>>): string {
  const parts = Object.entries(subject).flatMap(([attribute, value]) =>
    [value].flat().map((text) => `${attribute}=${escaped(String(text))}`),
  );
  return parts.reverse().join(',');
}

/**
 * Subject of the client certificate in the form of RFC 2253 (`CN=anna,O=example`); null unless a CA of the node has
 * signed it.
 */
function subjectOf(socket: Socket): string | null {
  const { authorized, getPeerCertificate } = socket as Partial<TLSSocket>;
  if (authorized !== true || getPeerCertificate === undefined) return null;
  const { subject } = (socket as TLSSocket).getPeerCertificate();
  return subject === undefined ? null : rendered(subject as unknown as Record<string, string | readonly string[]>);
}

/** Returns a function that extracts the `Arrival` of a request. The certificate is read once for each connection. */
export function createArrivals(): (message: IncomingMessage) => Arrival {
  const subjects = new WeakMap<Socket, string | null>();
  const certificateSubject = (socket: Socket): string | null => {
    let subject = subjects.get(socket);
    if (subject === undefined) {
      subject = subjectOf(socket);
      subjects.set(socket, subject);
    }
    return subject;
  };
  return ({ headers, method, url, socket }) => ({
    headers,
    method: method!,
    uri: url!,
    remoteAddress: socket.remoteAddress ?? '',
    certificateSubject: certificateSubject(socket),
  });
}
