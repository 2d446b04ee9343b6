import type { Channel, ChannelHandler, RequestOptions } from '@shoal/doors';
import { type ApiError, decodeError, encodeError, errors, type WireError } from '@shoal/errors';

/** One end of a pair of message ports (worker threads) that carry plain objects and transferred buffers. */
export interface Port {
  post(message: unknown, transfer: readonly ArrayBuffer[]): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** Buffers from this size on are handed over instead of copied: below it a copy is cheaper. */
const TRANSFER_BYTES_MIN = 16_384;

/** Requests that may wait for an answer on one link; more are rejected at once. */
const PENDING_MAX = 100_000;

type Frame =
  | { readonly k: 0; readonly i: number; readonly a: string; readonly p: Uint8Array }
  | { readonly k: 1; readonly i: number; readonly p: Uint8Array }
  | { readonly k: 2; readonly i: number; readonly e: WireError }
  | { readonly k: 3; readonly i: number };

interface Waiting {
  readonly resolve: (payload: Uint8Array) => void;
  readonly reject: (error: ApiError) => void;
  readonly release: (() => void) | null;
}

export interface Link extends Channel {
  /** Fails all that waits: the other side is gone. */
  fail(reason: string): void;
  /** Requests sent and not answered. */
  readonly pendingCount: number;
}

/** Only whole buffers can change hands; a view of a larger one would take its neighbours along. */
function transferable(payload: Uint8Array): readonly ArrayBuffer[] {
  const { buffer } = payload;
  return payload.byteLength >= TRANSFER_BYTES_MIN && payload.byteLength === buffer.byteLength && buffer instanceof ArrayBuffer ? [buffer] : [];
}

/** Requests in both directions over one port: `handler` answers the other side's. */
export function createLink(port: Port, handler: ChannelHandler): Link {
  const waiting = new Map<number, Waiting>();
  const running = new Map<number, AbortController>();
  let serial = 0;

  const post = (frame: Frame): void => port.post(frame, 'p' in frame ? transferable(frame.p) : []);

  const serve = (frame: Extract<Frame, { k: 0 }>): void => {
    const controller = new AbortController();
    running.set(frame.i, controller);
    handler(frame.a, frame.p, controller.signal).then(
      (payload) => {
        running.delete(frame.i);
        post({ k: 1, i: frame.i, p: payload });
      },
      (error: unknown) => {
        running.delete(frame.i);
        post({ k: 2, i: frame.i, e: encodeError(error) });
      },
    );
  };

  const settle = (frame: Extract<Frame, { k: 1 | 2 }>): void => {
    const waiter = waiting.get(frame.i);
    if (!waiter) return;
    waiting.delete(frame.i);
    waiter.release?.();
    if (frame.k === 1) waiter.resolve(frame.p);
    else waiter.reject(decodeError(frame.e));
  };

  port.onMessage((message) => {
    const frame = message as Frame;
    if (frame.k === 0) serve(frame);
    else if (frame.k === 3) running.get(frame.i)?.abort();
    else settle(frame);
  });

  const cancelOn = (signal: AbortSignal, id: number): (() => void) => {
    const cancel = (): void => {
      const waiter = waiting.get(id);
      waiting.delete(id);
      post({ k: 3, i: id });
      waiter?.reject(errors.taskCancelled('task cancelled [the caller went away]'));
    };
    signal.addEventListener('abort', cancel, { once: true });
    return () => signal.removeEventListener('abort', cancel);
  };

  const request = (action: string, payload: Uint8Array, options?: RequestOptions): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      const signal = options?.signal;
      if (signal?.aborted) return reject(errors.taskCancelled('the request was cancelled before it was sent'));
      if (waiting.size >= PENDING_MAX) {
        return reject(errors.rejectedExecution(`rejected execution of ${action}: ${PENDING_MAX} requests are waiting on this link`));
      }
      const id = serial++;
      waiting.set(id, { resolve, reject, release: signal ? cancelOn(signal, id) : null });
      post({ k: 0, i: id, a: action, p: payload });
    });

  return {
    request,
    get pendingCount() {
      return waiting.size;
    },
    fail(reason) {
      for (const [id, waiter] of waiting) {
        waiting.delete(id);
        waiter.release?.();
        waiter.reject(errors.noShardAvailable(reason));
      }
    },
  };
}
