import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { ABANDONED, type ClusterClient, NoAnswerError } from './cluster/cluster-client.js';
import type { ClusterTarget } from './guard/cluster-path.js';
import type { Refusal } from './guard/refusal.js';
import type { DashboardSettings } from './settings/load-settings.js';

/** Headers of browsers that go on to the cluster. */
const FORWARDED = ['content-type', 'accept', 'accept-encoding', 'x-opaque-id'] as const;
/** Headers of the cluster that do not come back: of the connection, and those that would change the browser's. */
const DROPPED: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'set-cookie',
  'strict-transport-security',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'www-authenticate',
]);

/** One call that goes through. */
export interface Passage {
  readonly target: ClusterTarget;
  /** Header of the session's user; null in a cluster without security. */
  readonly authorization: string | null;
  readonly client: ClusterClient;
  readonly settings: DashboardSettings['cluster'];
  /** Headers of every answer of the dashboard. */
  readonly headers: Readonly<Record<string, string>>;
  /** Called once the cluster did not answer, so that it is looked at now. */
  onSilence(): void;
}

/**
 * Passes a call on to the cluster: the body and the answer as streams, byte for byte. A browser that hangs up cancels
 * the call. Returns a refusal if the cluster did not begin an answer; null if the call is under way or over.
 */
export async function passThrough(
  incoming: IncomingMessage,
  answer: ServerResponse,
  { target, authorization, client, settings, headers, onSilence }: Passage,
): Promise<Refusal | null> {
  const request = { ...target, headers: clusterHeaders(incoming.headers, target.method, authorization, settings) };
  let isGone = false;
  let cancel = (): void => undefined;
  answer.on('close', () => {
    isGone = true;
    cancel();
  });
  try {
    const received = await client.open(
      request,
      (outgoing) => {
        cancel = () => void outgoing.destroy(new Error(ABANDONED));
        if (isGone) cancel();
        else incoming.pipe(outgoing);
      },
      settings.requestTimeoutMs,
    );
    answer.writeHead(received.statusCode!, { ...browserHeaders(received.headers, target.method), ...headers });
    // An error after this is a broken connection, which the browser sees as such. `pipeline` would make an
    // AbortController and its exception for each call, a tenth of what the call costs.
    received.on('close', () => {
      if (!received.complete) answer.destroy();
    });
    received.on('error', () => undefined);
    answer.on('error', () => undefined);
    received.pipe(answer);
    return null;
  } catch (error) {
    if (isGone) return null;
    onSilence();
    const isLate = error instanceof NoAnswerError && error.isLate;
    return { status: isLate ? 504 : 503, message: `The cluster does not answer: ${(error as Error).message}` };
  }
}

/**
 * `content-length` goes on for every method: Node's client frames the body of a GET only with it. Credentials are those
 * of the session alone.
 */
function clusterHeaders(
  browser: IncomingHttpHeaders,
  method: string,
  authorization: string | null,
  { customHeaders, forwardedHeaders }: DashboardSettings['cluster'],
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of [...FORWARDED, ...forwardedHeaders]) {
    const value = browser[name];
    if (value !== undefined) headers[name] = String(value);
  }
  const length = browser['content-length'];
  if (length !== undefined && length !== '0') headers['content-length'] = length;
  else if (browser['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked';
  else {
    delete headers['content-type'];
    if (method !== 'GET' && method !== 'HEAD') headers['content-length'] = '0';
  }
  return { ...headers, ...customHeaders, ...(authorization === null ? {} : { authorization }) };
}

function browserHeaders(cluster: IncomingHttpHeaders, method: string): OutgoingHttpHeaders {
  const kept = Object.entries(cluster).filter(([name]) => !DROPPED.has(name));
  // The answer of a HEAD tells the length of a body that does not come; for the browser it is the answer of a POST.
  return Object.fromEntries(method === 'HEAD' ? kept.filter(([name]) => name !== 'content-length') : kept);
}
