/**
 * What may end a piece of work: looked at when somebody asks, listened to only while somebody listens. A class
 * implements it where requests make many: V8 puts the getters of an object literal into its old generation, which keeps
 * what they see until the whole heap is collected.
 */
export interface AbortCause {
  /** Whether the work is over. */
  readonly aborted: boolean;
  readonly reason: unknown;
  /** Calls back when it is; the answer stops that. */
  listen(aborted: () => void): () => void;
}

type Listener = NonNullable<Parameters<AbortSignal['addEventListener']>[1]>;

/**
 * An AbortSignal for each of many small requests. The one of `AbortController` is an event target with a map of its
 * own, which costs a request more memory than all its other parts; most requests end without anybody listening.
 */
export class LazySignal implements AbortSignal {
  onabort: AbortSignal['onabort'] = null;
  readonly #cause: AbortCause | null;
  #aborted = false;
  #reason: unknown = undefined;
  #listeners: Listener[] | null = null;
  #unlisten: (() => void) | null = null;

  /** `cause` aborts the signal besides `abort`. */
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

/** What ends with another signal. */
export function causeOf(signal: AbortSignal): AbortCause {
  return new SignalCause(signal);
}
