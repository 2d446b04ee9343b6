import { toApiError } from '@shoal/errors';

/** What the lifecycle of a data stream has failed at with one of its indices, as `_lifecycle/explain` shows it. */
export interface StreamFailure {
  /** The error as JSON, cut at `MESSAGE_MAX`. */
  readonly message: string;
  /** Times of its first and last occurrence, in milliseconds since 1970. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** How often the same error came again. */
  readonly retries: number;
}

/** Longest message that is kept, in characters, as in 8.12. */
const MESSAGE_MAX = 1000;

/** Last failures of indices, by uuid. */
export class StreamFailures {
  readonly #last = new Map<string, StreamFailure>();

  /** Records a failure. Another error than the last one begins anew. */
  failed(uuid: string, error: unknown, nowMs: number): void {
    const { type, reason } = toApiError(error);
    const message = JSON.stringify({ type, reason }).slice(0, MESSAGE_MAX);
    const last = this.#last.get(uuid);
    const isSame = last?.message === message;
    this.#last.set(uuid, {
      message,
      firstMs: isSame ? last.firstMs : nowMs,
      lastMs: nowMs,
      retries: isSame ? last.retries + 1 : 0,
    });
  }

  succeeded(uuid: string): void {
    this.#last.delete(uuid);
  }

  /** Forgets indices that are not there any more. */
  keepOnly(isThere: (uuid: string) => boolean): void {
    for (const uuid of this.#last.keys()) if (!isThere(uuid)) this.#last.delete(uuid);
  }

  get all(): Readonly<Record<string, StreamFailure>> {
    return Object.fromEntries(this.#last);
  }
}
