import type { IncomingHttpHeaders } from 'node:http';
import { RE2JS } from 're2js';
import type { RestResponse } from '../routing/route.js';
import { isSameOrigin } from './foreign-origin.js';

/** Settings `http.cors.*`: which origins may call, and how. */
export interface CorsSettings {
  /** `http.cors.allow-origin`: `*`, a list of origins, or a `/regular expression/`. */
  readonly allowOrigin: string;
  readonly allowMethods: readonly string[];
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  readonly allowCredentials: boolean;
  /** How long a browser may cache the answer to a preflight request. */
  readonly maxAgeSeconds: number;
}

/** Cross-origin rules of a server. */
export interface Cors {
  /**
   * The answer to a preflight request, or to a request from an origin that is not allowed; null if the request is to be
   * handled.
   */
  intercept(method: string, headers: IncomingHttpHeaders): RestResponse | null;
  /** Headers for the answer to a handled request. */
  headers(headers: IncomingHttpHeaders): Readonly<Record<string, string>>;
}

type Match = (origin: string) => boolean;

function originMatch(allowed: string): Match {
  if (allowed === '*') return () => true;
  const pattern = /^\/(.*)\/$/s.exec(allowed)?.[1];
  if (pattern !== undefined) {
    const compiled = RE2JS.compile(pattern);
    return (origin) => compiled.matcher(origin).matches();
  }
  const origins = new Set(
    allowed
      .split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== ''),
  );
  return (origin) => origins.has(origin);
}

const FORBIDDEN: RestResponse = { status: 403, empty: true, headers: { connection: 'close' } };

/** Creates the rules of some settings. */
export function createCors(settings: CorsSettings): Cors {
  const matches = originMatch(settings.allowOrigin);
  const isAny = settings.allowOrigin === '*';
  const originHeaders = (origin: string): Record<string, string> =>
    isAny && !settings.allowCredentials
      ? { 'access-control-allow-origin': '*' }
      : { 'access-control-allow-origin': origin, vary: 'origin' };
  const credentials: Record<string, string> = settings.allowCredentials
    ? { 'access-control-allow-credentials': 'true' }
    : {};
  const preflight = (origin: string): RestResponse => ({
    status: 200,
    empty: true,
    headers: {
      ...originHeaders(origin),
      'access-control-allow-methods': settings.allowMethods.join(','),
      'access-control-allow-headers': settings.allowHeaders.join(','),
      ...credentials,
      'access-control-max-age': String(settings.maxAgeSeconds),
    },
  });
  return {
    intercept(method, headers) {
      const { origin } = headers;
      if (origin === undefined) return null;
      const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
      if (isPreflight) return matches(origin) ? preflight(origin) : FORBIDDEN;
      return matches(origin) || isSameOrigin(origin, headers.host) ? null : FORBIDDEN;
    },
    headers({ origin }) {
      if (origin === undefined || !matches(origin)) return {};
      const exposed =
        settings.exposeHeaders.length > 0 ? { 'access-control-expose-headers': settings.exposeHeaders.join(',') } : {};
      return { ...originHeaders(origin), ...credentials, ...exposed };
    },
  };
}
