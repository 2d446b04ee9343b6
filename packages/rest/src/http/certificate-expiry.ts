/** What is known of a certificate that a node works with. */
export interface KnownCertificate {
  readonly path: string;
  readonly subject_dn: string;
  /** ISO 8601. */
  readonly expiry: string;
}

const DAY_MS = 86_400_000;
/** Certificates are told of from so long before they expire. */
const WARNING_DAYS = 30;

/**
 * Whether a certificate's time is over or nearly so; null: it is good for long. `days` are those left, or gone since.
 */
export function expiryOf(
  { expiry }: KnownCertificate,
  nowMs: number,
): { readonly isOver: boolean; readonly days: number } | null {
  const leftMs = Date.parse(expiry) - nowMs;
  if (leftMs > WARNING_DAYS * DAY_MS) return null;
  return { isOver: leftMs <= 0, days: Math.floor(Math.abs(leftMs) / DAY_MS) };
}
