import type { Clock, Log, TimerHandle } from '@shoal/doors';
import { type ApiError, errors, toApiError } from '@shoal/errors';
import { nodeNotConnected, receiveTimeout } from './link-errors.js';
import type { CloseHow, LinkClass, LinkRequestOptions, PeerIdentity, PeerLink, PeerNode } from './types.js';

/** First pause between dials of an unreachable node; each further pause is twice as long. */
const BACK_OFF_MS = 100;
const BACK_OFF_MS_MAX = 1_000;

/** If a link lived for this long, its loss does not count as a repeated failure. */
const STABLE_MS = 1_000;

/** Most requests that wait for the dial. */
const WAITERS_MAX = 10_000;

/** Dependencies of a connection. */
export interface ConnectionContext {
  readonly clock: Clock;
  readonly log: Log;
  readonly node: PeerNode;
  readonly address: string;
  readonly linkClass: LinkClass;
  readonly connectTimeoutMs: number;
  /** Whether it is dialed without a request, and again after a loss. */
  readonly isKept: boolean;
  readonly connect: () => Promise<PeerLink>;
  readonly opened: (identity: PeerIdentity) => void;
  /** Resolves with whether this process of the node is proved to be gone. */
  readonly prove: (how: CloseHow) => Promise<boolean>;
}

interface Waiter {
  readonly ready: (link: PeerLink) => void;
  readonly fail: (error: ApiError) => void;
}

/**
 * The link of one class to one node. Its states: idle → dialing → up → (lost) dialing … If the node cannot be reached,
 * the connection is down, and dials again with growing pauses.
 */
export class PeerConnection {
  readonly #context: ConnectionContext;
  readonly #waiters = new Set<Waiter>();
  #state: 'idle' | 'dialing' | 'up' | 'down' | 'closed' = 'idle';
  #link: PeerLink | null = null;
  /** Number of losses and failed dials since a link was stable. */
  #failures = 0;
  #upAtMs = 0;
  #timer: TimerHandle | null = null;

  constructor(context: ConnectionContext) {
    this.#context = context;
  }

  get isUp(): boolean {
    return this.#state === 'up';
  }

  start(): void {
    if (this.#context.isKept) void this.#dial();
  }

  request(action: string, payload: Uint8Array, options: LinkRequestOptions = {}): Promise<Uint8Array> {
    if (this.#state === 'up') return this.#link!.request(action, payload, options);
    if (this.#state === 'idle') void this.#dial();
    if (this.#state !== 'dialing') return Promise.reject(this.#notConnected());
    return this.#requestAfterDial(action, payload, options);
  }

  close(): void {
    this.#state = 'closed';
    this.#timer?.cancel();
    this.#failWaiters();
    this.#link?.close('the node left the cluster');
  }

  async #requestAfterDial(action: string, payload: Uint8Array, options: LinkRequestOptions): Promise<Uint8Array> {
    const { clock } = this.#context;
    const startMs = clock.monotonic();
    const link = await this.#whenUp(action, options);
    if (options.timeoutMs === undefined) return link.request(action, payload, options);
    return link.request(action, payload, {
      ...options,
      timeoutMs: Math.max(1, options.timeoutMs - (clock.monotonic() - startMs)),
    });
  }

  #whenUp(action: string, { signal, timeoutMs }: LinkRequestOptions): Promise<PeerLink> {
    if (this.#waiters.size >= WAITERS_MAX)
      return Promise.reject(
        errors.rejectedExecution(
          `rejected execution of ${action}: [${WAITERS_MAX}] requests wait for a link to [${this.#context.node.name}]`,
        ),
      );
    if (signal?.aborted) return Promise.reject(errors.taskCancelled('the request was cancelled before it was sent'));
    return new Promise((resolve, reject) => {
      const done = (settle: () => void): void => {
        this.#waiters.delete(waiter);
        timer?.cancel();
        signal?.removeEventListener('abort', abort);
        settle();
      };
      const waiter: Waiter = { ready: (link) => done(() => resolve(link)), fail: (error) => done(() => reject(error)) };
      const abort = (): void => waiter.fail(errors.taskCancelled('task cancelled [the caller went away]'));
      const expire = (): void => waiter.fail(receiveTimeout(this.#named(), action, 0, timeoutMs!));
      const timer = timeoutMs === undefined ? null : this.#context.clock.after(timeoutMs, expire);
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiters.add(waiter);
    });
  }

  async #dial(): Promise<void> {
    if (this.#state === 'closed') return;
    if (this.#state !== 'down') this.#state = 'dialing';
    try {
      this.#adopt(await this.#context.connect());
    } catch (error) {
      const failure = toApiError(error);
      await this.#judge({ kind: 'lost', reason: failure.causedBy?.reason ?? failure.reason ?? '' }, false);
    }
  }

  #adopt(link: PeerLink): void {
    const { node } = this.#context;
    if (this.#isClosed()) return link.close('the node left the cluster');
    if (link.peer.nodeId !== node.id || link.peer.ephemeralId !== node.ephemeralId) {
      link.close('another node is expected at this address');
      throw errors.connectTransport(
        `[${node.name}][${this.#context.address}] handshake failed. unexpected remote node ` +
          `{${link.peer.name}}{${link.peer.nodeId}}{${link.peer.ephemeralId}}`,
      );
    }
    this.#state = 'up';
    this.#link = link;
    this.#upAtMs = this.#context.clock.monotonic();
    link.onClose((how) => void this.#lost(how));
    this.#context.opened(link.peer);
    for (const waiter of [...this.#waiters]) waiter.ready(link);
  }

  async #lost(how: CloseHow): Promise<void> {
    this.#link = null;
    if (this.#isClosed()) return;
    this.#state = 'dialing';
    if (this.#context.clock.monotonic() - this.#upAtMs >= STABLE_MS) this.#failures = 0;
    await this.#judge(how, true);
  }

  /**
   * Called when the node could not be reached: finds out whether the node is gone or only this connection. If the link
   * was up before, the node lives, and this is the first loss, dials again at once.
   */
  async #judge(how: CloseHow, wasUp: boolean): Promise<void> {
    const isGone = await this.#context.prove(how);
    if (this.#isClosed()) return;
    if (wasUp && !isGone && this.#failures === 0) {
      this.#failures = 1;
      if (this.#context.isKept || this.#waiters.size > 0) return this.#dial();
      this.#state = 'idle';
      return;
    }
    this.#goDown(how);
  }

  #goDown(how: CloseHow): void {
    const { isKept, clock, log, node, linkClass } = this.#context;
    log.write('debug', 'a node could not be reached', {
      'shoal.peer.id': node.id,
      'shoal.peer.name': node.name,
      'shoal.link.class': linkClass,
      'event.reason': how.reason,
    });
    this.#state = isKept ? 'down' : 'idle';
    this.#failWaiters();
    if (!isKept) return;
    const pauseMs = Math.min(BACK_OFF_MS_MAX, BACK_OFF_MS * 2 ** this.#failures++);
    this.#timer = clock.after(pauseMs, () => void this.#dial());
  }

  #failWaiters(): void {
    for (const waiter of [...this.#waiters]) waiter.fail(this.#notConnected());
  }

  #isClosed(): boolean {
    return this.#state === 'closed';
  }

  #named(): { name: string; transportAddress: string } {
    return { name: this.#context.node.name, transportAddress: this.#context.address };
  }

  #notConnected(): ApiError {
    return nodeNotConnected(this.#named());
  }
}
