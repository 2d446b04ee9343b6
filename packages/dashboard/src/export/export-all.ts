import { once } from 'node:events';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { ABANDONED } from '../cluster/cluster-client.js';
import { callerOf, type DashboardContext } from '../context.js';
import { LOG_IN } from '../guard/refusal.js';
import { readBytes, sendRefusal } from '../http-answers.js';
import { type ExportCall, ExportError, exportPages, refusalOfCluster } from './export-pages.js';
import { readExportRequest, type ExportRequest } from './export-request.js';
import { csvRows, leafFields, NDJSON, type RowWriter } from './export-rows.js';

/** Exports at once; one more gets 429. Each holds at most a page of documents. */
const EXPORTS_MAX = 10;
const FIELD_CAPS_BYTES_MAX = 32 * 2 ** 20;

/** Creates `POST /api/export`: CSV or NDJSON of all matches over a point in time, as the user. */
export function createExport(context: DashboardContext): (i: IncomingMessage, a: ServerResponse) => Promise<void> {
  let running = 0;
  return async (incoming, answer) => {
    const caller = callerOf(context, incoming, { isUse: true, isApi: true });
    if (caller.kind === 'nobody') return sendRefusal(answer, LOG_IN);
    const body = await readBytes(incoming, context.settings.server.bodyBytesMax);
    const request = readExportRequest(body.toString('utf8'));
    if (running >= EXPORTS_MAX)
      return sendRefusal(answer, {
        status: 429,
        message: `${EXPORTS_MAX} exports run already: try again when one has ended.`,
        headers: { 'retry-after': '10' },
      });
    running++;
    try {
      await exportAll(context, request, caller.kind === 'user' ? caller.authorization : null, answer);
    } catch (error) {
      if (!(error instanceof ExportError)) throw error;
      // After the first byte only a broken connection says that something is missing.
      if (answer.headersSent) answer.destroy();
      else sendRefusal(answer, error.refusal);
    } finally {
      running--;
    }
  };
}

async function exportAll(
  context: DashboardContext,
  request: ExportRequest,
  authorization: string | null,
  answer: ServerResponse,
): Promise<void> {
  const { rowsMax, hasGuardedFormulas } = context.settings.exports;
  const { call, isGone } = callsOf(context, authorization, answer);
  const writer = await writerFor(request, call, hasGuardedFormulas);
  const fields = request.format === 'csv' ? (request.columns ?? []).filter((name) => !name.startsWith('_')) : [];
  let rows = 0;
  const begin = (total: number): void => {
    answer.writeHead(200, {
      'content-type': writer.contentType,
      'content-disposition': `attachment; filename="export.${request.format}"`,
      'cache-control': 'no-store',
      'x-shoal-rows': String(Math.min(total, rowsMax)),
      'x-shoal-rows-found': String(total),
    });
    if (writer.head !== '') answer.write(writer.head);
  };
  try {
    for await (const { hits, total } of exportPages(call, request, fields)) {
      if (!answer.headersSent) begin(total ?? hits.length);
      const page = hits.slice(0, rowsMax - rows);
      rows += page.length;
      if (!(await write(answer, page.map(writer.row).join('')))) return;
      if (rows >= rowsMax) break;
    }
  } catch (error) {
    // The browser hung up, and with it the call to the cluster.
    if (isGone()) return;
    throw error;
  }
  if (!answer.headersSent) begin(0);
  answer.end();
}

/** Writes and waits until the browser takes more; false once it is gone. */
async function write(answer: ServerResponse, text: string): Promise<boolean> {
  if (answer.destroyed) return false;
  if (!answer.write(text)) await Promise.race([once(answer, 'drain'), once(answer, 'close')]);
  return !answer.destroyed;
}

async function writerFor(
  { index, columns, format }: ExportRequest,
  call: ExportCall,
  isGuarded: boolean,
): Promise<RowWriter> {
  if (format === 'ndjson') return NDJSON;
  if (columns !== null) return csvRows(columns, isGuarded);
  const path = `/${encodeURIComponent(index)}/_field_caps?fields=*`;
  const answer = await call('GET', path, null, FIELD_CAPS_BYTES_MAX);
  if (answer === null) throw new ExportError({ status: 413, message: 'There are too many fields: name the columns.' });
  if (answer.status !== 200) throw new ExportError(refusalOfCluster(answer));
  return csvRows(leafFields(answer.text), isGuarded);
}

/** Calls of one export as its user; the one under way ends when the browser hangs up. */
function callsOf(
  { client, settings }: DashboardContext,
  authorization: string | null,
  answer: ServerResponse,
): { readonly call: ExportCall; readonly isGone: () => boolean } {
  let current: ClientRequest | null = null;
  let isGone = false;
  answer.on('close', () => {
    isGone = !answer.writableFinished;
    if (isGone) current?.destroy(new Error(ABANDONED));
  });
  const call: ExportCall = async (method, path, body, bytesMax) => {
    const bytes = body === null ? null : Buffer.from(body);
    const headers = {
      ...settings.cluster.customHeaders,
      accept: 'application/json',
      ...(authorization === null ? {} : { authorization }),
      ...(bytes === null ? { 'content-length': '0' } : { 'content-type': 'application/json' }),
      ...(bytes === null ? {} : { 'content-length': String(bytes.length) }),
    };
    const send = (outgoing: ClientRequest): void => {
      // Closing the point in time is not cut short.
      current = method === 'DELETE' ? null : outgoing;
      if (isGone && current !== null) outgoing.destroy(new Error(ABANDONED));
      else outgoing.end(bytes ?? undefined);
    };
    const found = await client.open({ method, path, headers }, send, settings.cluster.requestTimeoutMs);
    const text = await readText(found, bytesMax);
    return text === null ? null : { status: found.statusCode!, text };
  };
  return { call, isGone: () => isGone };
}

/** The text of an answer; null if it has more bytes than it may. */
async function readText(incoming: IncomingMessage, bytesMax: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += (chunk as Buffer).length;
    if (size > bytesMax) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
