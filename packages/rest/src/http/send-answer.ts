import type { IncomingMessage, ServerResponse } from 'node:http';
import { writeAnswer } from './answer-writer.js';
import { type AnswerFormat, answerFormat, contentTypeOf } from '../format/media-types.js';
import { renderBody, renderInTurns } from '../format/render.js';
import type { RestResponse } from '../routing/route.js';
import { countExchange } from './path-stats.js';
import { traceIdOf } from './trace-parent.js';
import type { Exchange, HttpAppContext } from './http-app-context.js';

/** Renders an answer in the requested format and writes it. */
export function sendAnswer<S>(
  app: HttpAppContext<S>,
  message: IncomingMessage,
  response: ServerResponse,
  answer: RestResponse,
  exchange: Exchange,
): Promise<void> | void {
  const { query, negotiated } = exchange;
  const isText = 'text' in answer || 'empty' in answer;
  const format = isText ? 'text' : jsonLike(answerFormat(query.get('format'), negotiated));
  const pretty = query.get('pretty');
  const style = { format, pretty: pretty !== undefined && pretty !== 'false', filter: exchange.filter };
  const send = (body: Uint8Array | null): Promise<void> | void =>
    sendRendered(app, message, response, { answer, exchange, format, body });
  const later = renderInTurns(answer, style, app.clock);
  return later === null ? send(renderBody(answer, style)) : later.then(send);
}

interface RenderedAnswer {
  readonly answer: RestResponse;
  readonly exchange: Exchange;
  readonly format: AnswerFormat;
  readonly body: Uint8Array | null;
}

function sendRendered<S>(
  app: HttpAppContext<S>,
  message: IncomingMessage,
  response: ServerResponse,
  { answer, exchange, format, body }: RenderedAnswer,
): Promise<void> | void {
  const finished = {
    status: answer.status,
    headers: headerList(
      app.cors ? { ...app.cors.headers(message.headers), ...answer.headers } : answer.headers,
      message.headers['x-opaque-id'] as string | undefined,
    ),
    contentType: contentTypeOf(format, exchange.negotiated),
    body,
    close: app.state.draining,
  };
  const warning = answer.headers?.['Warning'];
  if (typeof warning === 'string') app.deprecations.write(warning, callerOf(message));
  app.stats.answers[Math.floor(answer.status / 100)]!++;
  const written = writeAnswer(
    response,
    finished,
    message.headers['accept-encoding'] as string | undefined,
    app.settings,
  );
  if (typeof written === 'number') return countSent(app, response, exchange, written);
  return written.then((bytes) => countSent(app, response, exchange, bytes));
}

/** Up to this many unsent bytes of an answer are not charged. */
const UNSENT_BYTES = 16 * 1024;

/**
 * Counts an answer. If many bytes are unsent, they are charged as in flight until the response is closed. Once clients
 * that take nothing hold all the room there is, further ones are cut; one alone may have an answer of any size.
 */
function countSent<S>(
  { stats, inFlight }: HttpAppContext<S>,
  response: ServerResponse,
  { counted, client, bytesIn, tookMs }: Exchange,
  bytesOut: number,
): void {
  if (response.writableLength > UNSENT_BYTES) {
    if (inFlight.used > inFlight.limit) response.destroy();
    else response.once('close', inFlight.hold(response.writableLength));
  }
  stats.bytesOut += bytesOut;
  client.bytesIn += bytesIn;
  if (counted) countExchange(counted.path, bytesIn, bytesOut, tookMs);
}

function headerList(headers: RestResponse['headers'], opaqueId: string | undefined): string[] {
  const list = opaqueId === undefined ? [] : ['X-Opaque-Id', opaqueId];
  if (headers)
    for (const [name, value] of Object.entries(headers))
      for (const one of typeof value === 'string' ? [value] : value) list.push(name, one);
  return list;
}

function callerOf({ headers }: IncomingMessage): { opaqueId: string | null; traceId: string | null } {
  const traceparent = headers['traceparent'];
  return {
    opaqueId: (headers['x-opaque-id'] as string | undefined) ?? null,
    traceId: typeof traceparent === 'string' ? traceIdOf(traceparent) : null,
  };
}

/** The format for an answer that is a JSON value: JSON if text was requested. */
function jsonLike(format: AnswerFormat): AnswerFormat {
  return format === 'text' ? 'json' : format;
}
