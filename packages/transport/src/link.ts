import type { Channel, ChannelHandler, RequestOptions, ShardKey } from '@shoal/doors';
import { type ApiError, decodeError, encodeError, errors, type WireError } from '@shoal/errors';

/** One end of a message channel between worker threads; it carries plain objects and transferred buffers. */
export interface Port {
  post(message: unknown, transfer: readonly ArrayBuffer[]): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** Buffers of at least this size are transferred; copying is cheaper for smaller ones. */
const TRANSFER_BYTES_MIN = 16_384;

/** Most unanswered requests of one link; more are rejected at once. */
const PENDING_MAX = 100_000;

type Frame =
  | { readonly k: 0; readonly i: number; readonly a: string; readonly p: Uint8Array; readonly s?: ShardKey }
  | { readonly k: 1; readonly i: number; readonly p: Uint8Array }
  | { readonly k: 2; readonly i: number; readonly e: WireError }
  | { readonly k: 3; readonly i: number };

interface PendingRequest {
  readonly resolve: (payload: Uint8Array) => void;
  readonly reject: (error: ApiError) => void;
  readonly release: (() => void) | null;
}

/** A channel to another thread over a message port. */
export interface Link extends Channel {
  /** Rejects all unanswered requests: the other thread is gone. */
  fail(reason: string): void;
  /** Number of unanswered requests. */
  readonly pendingCount: number;
}

/**
 * The payload in the form to post. Posting a view copies or transfers the whole buffer behind it, so a view of less
 * than half of its buffer is copied first.
 */
function detachPayload(payload: Uint8Array): Uint8Array {
  return payload.byteLength * 2 >= payload.buffer.byteLength ? payload : new Uint8Array(payload);
}

/** Creates a link over a port; `handler` answers the requests of the other thread. */
export function createLink(port: Port, handler: ChannelHandler): Link {
  return new PortLink(port, handler);
}

class PortLink implements Link {
  readonly #port: Port;
  readonly #handler: ChannelHandler;
  readonly #waiting = new Map<number, PendingRequest>();
  /** Abort controllers of the other thread's requests that run here. */
  readonly #running = new Map<number, AbortController>();
  #serial = 0;

  constructor(port: Port, handler: ChannelHandler) {
    this.#port = port;
    this.#handler = handler;
    port.onMessage((message) => this.#receive(message as Frame));
  }

  get pendingCount(): number {
    return this.#waiting.size;
  }

  request(action: string, payload: Uint8Array, options?: RequestOptions): Promise<Uint8Array> {
    const signal = options?.signal;
    if (signal?.aborted) return Promise.reject(errors.taskCancelled('the request was cancelled before it was sent'));
    if (this.#waiting.size >= PENDING_MAX) {
      return Promise.reject(
        errors.rejectedExecution(`rejected execution of ${action}: ${PENDING_MAX} requests are waiting on this link`),
      );
    }
    return new Promise((resolve, reject) => {
      const id = this.#serial++;
      this.#waiting.set(id, { resolve, reject, release: signal ? this.#cancelOn(signal, id) : null });
      const shard = options?.shard;
      this.#post(
        shard
          ? { k: 0, i: id, a: action, p: payload, s: { indexUuid: shard.indexUuid, shard: shard.shard } }
          : { k: 0, i: id, a: action, p: payload },
      );
    });
  }

  fail(reason: string): void {
    for (const [id, waiter] of this.#waiting) {
      this.#waiting.delete(id);
      waiter.release?.();
      waiter.reject(errors.noShardAvailable(reason));
    }
  }

  #post(frame: Frame): void {
    if (!('p' in frame)) return this.#port.post(frame, []);
    const p = detachPayload(frame.p);
    this.#port.post({ ...frame, p }, p.byteLength >= TRANSFER_BYTES_MIN ? [p.buffer as ArrayBuffer] : []);
  }

  #receive(frame: Frame): void {
    if (frame.k === 0) this.#serve(frame);
    else if (frame.k === 3) this.#running.get(frame.i)?.abort();
    else this.#settle(frame);
  }

  #serve({ i, a, p, s }: Extract<Frame, { k: 0 }>): void {
    const controller = new AbortController();
    this.#running.set(i, controller);
    this.#handler(a, p, controller.signal, s && { parentTask: null, shard: s }).then(
      (payload) => {
        this.#running.delete(i);
        this.#post({ k: 1, i, p: payload });
      },
      (error: unknown) => {
        this.#running.delete(i);
        this.#post({ k: 2, i, e: encodeError(error) });
      },
    );
  }

  #settle(frame: Extract<Frame, { k: 1 | 2 }>): void {
    const waiter = this.#waiting.get(frame.i);
    if (!waiter) return;
    this.#waiting.delete(frame.i);
    waiter.release?.();
    if (frame.k === 1) waiter.resolve(frame.p);
    else waiter.reject(decodeError(frame.e));
  }

  #cancelOn(signal: AbortSignal, id: number): () => void {
    const cancel = (): void => {
      const waiter = this.#waiting.get(id);
      this.#waiting.delete(id);
      this.#post({ k: 3, i: id });
      waiter?.reject(errors.taskCancelled('task cancelled [the caller went away]'));
    };
    signal.addEventListener('abort', cancel, { once: true });
    return () => signal.removeEventListener('abort', cancel);
  }
}
