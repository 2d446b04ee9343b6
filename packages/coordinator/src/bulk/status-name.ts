const NAMES: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
  504: 'GATEWAY_TIMEOUT',
};

/** Returns the name of an HTTP status as failures of copies show it. */
export function statusName(status: number): string {
  return NAMES[status] ?? 'INTERNAL_SERVER_ERROR';
}
