import { clock } from '../state/browser-clock.js';
import { boot, clusterAwaySince, isSessionOver } from '../state/session.js';
import { noteSilence } from '../state/silence.js';

/** An answer of the server. `json` is null if the body is none. */
export interface Answer {
  readonly status: number;
  readonly json: unknown;
  readonly text: string;
  /** Milliseconds until the answer was there. */
  readonly millis: number;
  readonly headers: Headers;
}

/** Options of a call. */
export interface CallOptions {
  readonly body?: unknown;
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** Asked by the page itself, not by its user: does not prolong the session. */
  readonly isPolling?: boolean;
  /** A good answer is not parsed: `json` is null. For documents, whose text is kept. */
  readonly isRaw?: boolean;
  /** Goes on when the page is left. */
  readonly isKeptAlive?: boolean;
}

/** Calls the dashboard's own server. A server that does not answer gives status 0. */
export async function ownCall(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const { body, signal, isPolling = false, isRaw = false, isKeptAlive = false } = options;
  const startedAt = clock.monotonic();
  try {
    const answer = await fetch(boot.basePath + path, {
      method,
      keepalive: isKeptAlive,
      headers: {
        'kbn-xsrf': 'shoal',
        ...(isPolling ? { 'kbn-system-request': 'true' } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      text,
      json: isRaw && answer.ok ? null : jsonOf(text),
      millis: clock.monotonic() - startedAt,
      headers: answer.headers,
    };
  } catch (error) {
    if (signal?.aborted) throw error;
    return { status: 0, text: '', json: null, millis: clock.monotonic() - startedAt, headers: new Headers() };
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Calls the cluster through the server, as the user. A session that has ended and a cluster that does not answer are
 * noted for the frame.
 */
export async function clusterCall(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const query = new URLSearchParams({ path, method });
  return noted(await ownCall('POST', `/api/console/proxy?${query.toString()}`, options));
}

/**
 * Whether an answer may be that of one moment: a server that is restarted, a node that leaves or a cluster between two
 * masters answers so once. The same answer to the next question is to be told.
 */
export const isOfMoment = ({ status }: Answer): boolean => status === 0 || status === 503;

/**
 * Whether the frame tells it already: that the session has ended, or that the server or the cluster does not answer.
 * A cluster may answer one call with 503 and all others well: the frame tells nothing then.
 */
export const isToldByFrame = (answer: Answer): boolean =>
  answer.status === 401 ? isSessionOver.value : isOfMoment(answer) && clusterAwaySince.value !== null;

/** Notes for the frame what an answer tells of the session and the cluster. */
export function noted(answer: Answer): Answer {
  if (answer.status === 401) isSessionOver.value = true;
  if (answer.status === 0 || answer.status === 503) noteSilence();
  return answer;
}

interface ErrorBody {
  readonly reason?: string;
  readonly type?: string;
  readonly root_cause?: readonly { readonly reason?: string; readonly type?: string }[];
}

/** The reason of an error in the words of the cluster or the server: of a search that of the shard that failed. */
export function reasonOf({ status, json }: Answer): string {
  const { error, message } = (json ?? {}) as { error?: ErrorBody | string; message?: string };
  if (typeof error === 'object' && error.reason !== undefined) {
    const root = error.type === 'search_phase_execution_exception' ? error.root_cause?.[0] : undefined;
    const { reason = error.reason, type = error.type } = root ?? {};
    return `${reason} (${type}, ${status})`;
  }
  if (message !== undefined) return message;
  if (status === 0) return 'The dashboard does not answer.';
  return typeof error === 'string' ? error : `The answer has the status ${status}.`;
}
