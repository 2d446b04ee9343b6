import type { IncomingMessage } from 'node:http';
import { type AuditOrigin, type AuditTrail, createRequestAudit, type RequestAudit } from '@shoal/security';
import { traceIdOf } from './trace-parent.js';

/** Audit trail of an HTTP application. */
export interface HttpAudit {
  readonly trail: AuditTrail;
  /** Creates the id that all events of one request have. */
  readonly requestId: () => string;
}

/** Audit of one request; the body is set once it has been read. */
export interface AuditedRequest {
  readonly audit: RequestAudit;
  body: Uint8Array | null;
}

/** Starts the audit of a request whose body has not been read. */
export function auditRequest(
  { trail, requestId }: HttpAudit,
  { headers, method, url, socket }: IncomingMessage,
): AuditedRequest {
  const traceparent = headers['traceparent'];
  const held: { body: Uint8Array | null } = { body: null };
  const origin: AuditOrigin = {
    address: `${socket.remoteAddress ?? ''}:${socket.remotePort ?? 0}`,
    method: method!,
    uri: url!,
    requestId: requestId(),
    opaqueId: (headers['x-opaque-id'] as string | undefined) ?? null,
    traceId: typeof traceparent === 'string' ? traceIdOf(traceparent) : null,
    get body() {
      return held.body === null ? null : Buffer.from(held.body).toString('utf8');
    },
  };
  return Object.assign(held, { audit: createRequestAudit(trail.byPresentSettings(), origin, headers.authorization) });
}
