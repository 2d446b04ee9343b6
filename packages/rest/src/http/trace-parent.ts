/**
 * The trace id of a `traceparent` header (W3C Trace Context, version 00: `00-<trace>-<span>-<flags>`); null when it is
 * not one.
 */
export function traceIdOf(header: string): string | null {
  const traceId = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/.exec(header)?.[1];
  return traceId === undefined || /^0+$/.test(traceId) ? null : traceId;
}
