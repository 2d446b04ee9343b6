import { VERSION } from '@shoal/values';
/** Who an enrolment token is for. */
export type EnrollmentScope = 'node' | 'kibana';

/** Lifetime of a token in milliseconds. */
export const ENROLLMENT_MS = 30 * 60_000;

/** The only action that a token's API key allows. */
export const enrollmentAction = (scope: EnrollmentScope): string => `cluster:admin/xpack/security/enroll/${scope}`;

/** Content of an enrolment token: addresses of the cluster, its HTTP authority, and an API key. */
export interface EnrollmentToken {
  /** `host:port` of HTTP. */
  readonly addresses: readonly string[];
  /** SHA-256 of the HTTP authority, 64 hexadecimal digits. */
  readonly fingerprint: string;
  /** `id:secret`. */
  readonly key: string;
}

/** The token as text: base64 of JSON, as Elasticsearch 8 writes it and Kibana reads it. */
export function renderEnrollmentToken({ addresses, fingerprint, key }: EnrollmentToken): string {
  return Buffer.from(JSON.stringify({ ver: VERSION, adr: addresses, fgr: fingerprint, key })).toString('base64');
}

/** Reads a token. Throws an Error whose message is shown to the user. */
export function parseEnrollmentToken(text: string): EnrollmentToken {
  let json: unknown = null;
  try {
    json = JSON.parse(Buffer.from(text.trim(), 'base64').toString('utf8'));
  } catch {
    // Not JSON: reported by the check of the fields below.
  }
  const { adr, fgr, key } = (json ?? {}) as { adr?: unknown; fgr?: unknown; key?: unknown };
  const isToken =
    Array.isArray(adr) &&
    adr.length > 0 &&
    adr.every((one) => typeof one === 'string') &&
    typeof fgr === 'string' &&
    /^[0-9a-f]{64}$/i.test(fgr) &&
    typeof key === 'string' &&
    key.includes(':');
  if (!isToken) throw new Error('the enrolment token is not one; copy it whole');
  return { addresses: adr as string[], fingerprint: fgr.toLowerCase(), key };
}
