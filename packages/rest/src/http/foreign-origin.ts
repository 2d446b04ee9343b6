import type { IncomingHttpHeaders } from 'node:http';
import { errors } from '@shoal/errors';
import { isReading } from '../routing/reading-route.js';
import type { Route } from '../routing/route.js';

/** Whether the origin of a web page is this server itself. */
export function isSameOrigin(origin: string, host: string | undefined): boolean {
  return host !== undefined && host !== '' && origin.replace(/^https?:\/\//, '') === host;
}

/**
 * Refuses a change that a web page of another origin asks for, while `http.cors.enabled` is false. A browser sends a
 * form, or a fetch in mode `no-cors`, without asking this server first: n1 listens on localhost without security,
 * somebody who works on that machine visits a page, and the page posts to `http://localhost:9200/accounts/_close`. Such
 * a request carries the `Origin` of the page. Reading calls are answered: the browser does not show the page an answer
 * without CORS headers.
 */
export function refuseForeignChange(route: Route<never>, headers: IncomingHttpHeaders): void {
  const { origin } = headers;
  if (origin === undefined || isReading(route) || isSameOrigin(origin, headers.host)) return;
  throw errors.security(
    `a page of the origin [${origin}] may not call [${route.privilege}]: http.cors.enabled is false`,
  );
}
