import type { IncomingMessage } from 'node:http';
import { parseQueryString } from './percent-decoding.js';
import type { RestResponse } from '../routing/route.js';
import { NO_QUERY, type Exchange, type HttpAppContext } from './http-app-context.js';

/** Creates the answer to a request that failed with `error`; `filter_path` does not apply to it. Never throws. */
export function answerToError<S>(
  app: HttpAppContext<S>,
  message: IncomingMessage,
  exchange: Exchange,
  error: unknown,
): RestResponse {
  exchange.filter = null;
  if (exchange.query === NO_QUERY) exchange.query = queryOrNone(message.url!);
  const trace = exchange.query.has('error_trace') && exchange.query.get('error_trace') !== 'false';
  return app.errorAnswer(error, { trace, detailed: app.settings.detailedErrors });
}

/** Parameters of a request that was refused before they were parsed; empty if the query string is malformed. */
function queryOrNone(uri: string): ReadonlyMap<string, string> {
  const mark = uri.indexOf('?');
  try {
    return mark === -1 ? NO_QUERY : parseQueryString(uri.slice(mark + 1));
  } catch {
    return NO_QUERY;
  }
}
