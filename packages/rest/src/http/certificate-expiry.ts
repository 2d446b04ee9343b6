/** A certificate that a node uses. */
export interface KnownCertificate {
  readonly path: string;
  readonly subject_dn: string;
  /** End of validity, ISO 8601. */
  readonly expiry: string;
}

const DAY_MS = 86_400_000;
/** Certificates that expire within this time are reported. */
const WARNING_DAYS = 30;

/** Whether a certificate has expired or will expire soon; null if not. `days` is the time left, or since the expiry. */
export function expiryOf(
  { expiry }: KnownCertificate,
  nowMs: number,
): { readonly isOver: boolean; readonly days: number } | null {
  const leftMs = Date.parse(expiry) - nowMs;
  if (leftMs > WARNING_DAYS * DAY_MS) return null;
  return { isOver: leftMs <= 0, days: Math.floor(Math.abs(leftMs) / DAY_MS) };
}
