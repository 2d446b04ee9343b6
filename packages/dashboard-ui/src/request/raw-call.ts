import { clock } from '../state/browser-clock.js';
import { boot } from '../state/session.js';
import { noted } from './own-call.js';

/** An answer of the cluster with its bytes. */
export interface RawAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly text: string;
  readonly millis: number;
  readonly contentType: string;
}

/** A call with a body as it is to be sent. */
export interface RawCall {
  readonly method: string;
  readonly path: string;
  readonly body: string | null;
  readonly contentType: string;
}

/** Calls the cluster with exact bytes. A server that does not answer gives status 0. */
export async function rawCall({ method, path, body, contentType }: RawCall, signal: AbortSignal): Promise<RawAnswer> {
  const startedAt = clock.monotonic();
  const query = new URLSearchParams({ path, method });
  try {
    const answer = await fetch(`${boot.basePath}/api/console/proxy?${query}`, {
      method: 'POST',
      headers: { 'kbn-xsrf': 'shoal', ...(body === null ? {} : { 'content-type': contentType }) },
      ...(body === null ? {} : { body }),
      signal,
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    const { status, headers, statusText } = answer;
    const millis = clock.monotonic() - startedAt;
    // Only errors are small enough to be read for what they tell of the session.
    if (status === 401 || status === 503) noted({ status, json: null, text, millis, headers });
    return { status, statusText, bytes, text, millis, contentType: headers.get('content-type') ?? '' };
  } catch (error) {
    if (signal.aborted) throw error;
    const none = { bytes: new Uint8Array(), text: '', contentType: '', statusText: 'No answer' };
    return { status: 0, ...none, millis: clock.monotonic() - startedAt };
  }
}
