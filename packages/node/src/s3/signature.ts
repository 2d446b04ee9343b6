import { createHash, createHmac } from 'node:crypto';

/** Keys of an account. */
export interface S3Keys {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken: string | null;
}

/** A request to sign. */
export interface UnsignedRequest {
  readonly method: string;
  /** Path, encoded as it is sent. */
  readonly path: string;
  /** Parameters, not encoded. */
  readonly query: Readonly<Record<string, string>>;
  /** Headers to sign by lower-case name; `host` must be among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, hexadecimal. */
  readonly bodyHash: string;
  readonly region: string;
  readonly keys: S3Keys;
  /** Time of the request in milliseconds since 1970. */
  readonly nowMs: number;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

/** SHA-256 in hexadecimal. */
export const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

const hmac = (key: string | Uint8Array, content: string): Buffer => createHmac('sha256', key).update(content).digest();

/** Encodes a part of a path or of a query as AWS does: all but letters, digits and `-._~`. */
export const encodePart = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** The query string, sorted as the signature wants it. */
export function queryString(query: UnsignedRequest['query']): string {
  const pairs = Object.entries(query).map(([name, value]) => [encodePart(name), encodePart(value)] as const);
  return pairs
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/**
 * Returns the headers of a request with its signature, version 4 (AWS General Reference, "Signature Version 4 signing
 * process"). The hash of the body is signed, so that a store refuses a body that was changed on its way.
 */
export function signedHeaders(request: UnsignedRequest): Record<string, string> {
  const { method, path, query, bodyHash, region, keys, nowMs } = request;
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = [time.slice(0, 8), region, 's3', 'aws4_request'];
  const headers: Record<string, string> = {
    ...request.headers,
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': time,
    ...(keys.sessionToken === null ? {} : { 'x-amz-security-token': keys.sessionToken }),
  };
  const names = Object.keys(headers).sort();
  const lines = names.map((name) => `${name}:${headers[name]!.trim().replace(/ +/g, ' ')}\n`).join('');
  const canonical = [method, path, queryString(query), lines, names.join(';'), bodyHash].join('\n');
  const toSign = [ALGORITHM, time, scope.join('/'), sha256(canonical)].join('\n');
  const key = scope.reduce<string | Uint8Array>((secret, part) => hmac(secret, part), `AWS4${keys.secretKey}`);
  const signature = hmac(key, toSign).toString('hex');
  const credential = `${keys.accessKey}/${scope.join('/')}`;
  const parts = [`Credential=${credential}`, `SignedHeaders=${names.join(';')}`, `Signature=${signature}`];
  const authorization = `${ALGORITHM} ${parts.join(', ')}`;
  return { ...headers, authorization };
}
