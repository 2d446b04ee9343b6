import type { IncomingHttpHeaders } from 'node:http';
import type { Refusal } from './refusal.js';

/** Content types of bodies. A form of another page can have neither. */
const BODY_TYPES = /^(?:application\/(?:[\w.-]+\+)?(?:json|x-ndjson)|multipart\/form-data)\b/i;

/** What decides whether a request may change something. */
export interface ForgeryCheck {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  /** Origins of the dashboard itself. */
  readonly origins: readonly string[];
  readonly allowlist: readonly string[];
}

/**
 * Refuses requests that a page of another origin may have made: those that are not GET or HEAD need the header
 * `kbn-xsrf`, which such a page cannot set, and an origin of ours where the browser tells one.
 */
export function refuseForged({ method, headers, path, origins, allowlist }: ForgeryCheck): Refusal | null {
  if (method === 'GET' || method === 'HEAD') return null;
  if (headers['sec-fetch-site'] === 'cross-site')
    return { status: 403, message: 'Requests of other sites are refused.' };
  // Browsers set `sec-fetch-site`, and no page can. It is right also behind a proxy that changes the header `Host`.
  const { origin } = headers;
  if (origin !== undefined && headers['sec-fetch-site'] !== 'same-origin' && !origins.includes(origin))
    return {
      status: 403,
      message:
        `Requests of the origin [${origin}] are refused; ` +
        '[server.publicBaseUrl] names the address of the dashboard.',
    };
  if (headers['kbn-xsrf'] === undefined && !allowlist.includes(path))
    return { status: 400, message: 'Request must contain a kbn-xsrf header.' };
  const type = headers['content-type'];
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (hasBody && (type === undefined || !BODY_TYPES.test(type)))
    return { status: 415, message: `Content type [${type ?? 'none'}] is not taken: send application/json.` };
  return null;
}
