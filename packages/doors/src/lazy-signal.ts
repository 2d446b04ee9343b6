/**
 * Source of the abort of a `LazySignal`, which reads `aborted` on demand and calls `listen` only while it has listeners
 * itself. Implement it as a class if every request makes one: V8 allocates the getters of an object literal in its old
 * generation, and what they capture then lives until a full collection (ADR 0010).
 */
export interface AbortCause {
  /** Whether the work was aborted. */
  readonly aborted: boolean;
  readonly reason: unknown;
  /** Calls `aborted` once, when the work is aborted; the returned function removes the listener. */
  listen(aborted: () => void): () => void;
}

type Listener = NonNullable<Parameters<AbortSignal['addEventListener']>[1]>;

/**
 * An `AbortSignal` that allocates its listeners only when the first is added. The signal of an `AbortController` is an
 * event target with a `Map` of its own, more memory than the rest of a small request, and most requests end without a
 * listener (ADR 0010).
 */
export class LazySignal implements AbortSignal {
  onabort: AbortSignal['onabort'] = null;
  readonly #cause: AbortCause | null;
  #aborted = false;
  #reason: unknown = undefined;
  #listeners: Listener[] | null = null;
  #unlisten: (() => void) | null = null;

  /** With a `cause`, the signal is aborted by the cause as well as by `abort`. */
  constructor(cause: AbortCause | null = null) {
    this.#cause = cause;
  }

  get aborted(): boolean {
    if (!this.#aborted && this.#cause?.aborted === true) this.abort(this.#cause.reason);
    return this.#aborted;
  }

  get reason(): unknown {
    return this.aborted ? this.#reason : undefined;
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.#reason;
  }

  abort(reason: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    const listeners = this.#listeners ?? [];
    this.#forget();
    if (listeners.length === 0 && this.onabort === null) return;
    const event = new Event('abort');
    this.onabort?.call(this, event);
    for (const listener of listeners) {
      if (typeof listener === 'function') listener.call(this, event);
      else listener.handleEvent(event);
    }
  }

  addEventListener(type: string, listener: Listener | null): void {
    if (type !== 'abort' || listener === null || this.aborted || this.#listeners?.includes(listener)) return;
    (this.#listeners ??= []).push(listener);
    this.#unlisten ??= this.#cause?.listen(() => this.abort(this.#cause!.reason)) ?? null;
  }

  removeEventListener(type: string, listener: Listener | null): void {
    if (type !== 'abort' || this.#listeners === null) return;
    this.#listeners = this.#listeners.filter((known) => known !== listener);
    if (this.#listeners.length === 0) this.#forget();
  }

  dispatchEvent(event: Event): boolean {
    if (event.type === 'abort') this.abort(undefined);
    return true;
  }

  #forget(): void {
    this.#listeners = null;
    this.#unlisten?.();
    this.#unlisten = null;
  }
}

class SignalCause implements AbortCause {
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  get aborted(): boolean {
    return this.#signal.aborted;
  }

  get reason(): unknown {
    return this.#signal.reason as unknown;
  }

  listen(aborted: () => void): () => void {
    const signal = this.#signal;
    signal.addEventListener('abort', aborted, { once: true });
    return () => signal.removeEventListener('abort', aborted);
  }
}

/** The cause that aborts a `LazySignal` together with another signal. */
export function abortCauseOf(signal: AbortSignal): AbortCause {
  return new SignalCause(signal);
}
