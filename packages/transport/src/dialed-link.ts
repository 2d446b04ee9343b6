import type { Clock, TimerHandle } from '@shoal/doors';
import { type ApiError, decodeError, errors, toApiError, type WireError } from '@shoal/errors';
import { answerFromVersion1, requestToVersion1 } from '@shoal/protocol';
import { cancelFrame, type Frame, factsOf, helloFrame, proofFrame, requestFrame } from './frames.js';
import { type FrameListener, FrameStream, type TrafficCounts } from './frame-stream.js';
import { agreedVersion, refusal, refusalText, SHARD_IN_HEAD } from './handshake.js';
import { IdTable } from './id-table.js';
import { LIMITS, PENDING_MAX } from './limits.js';
import {
  type Handshake,
  type HandshakeSide,
  helloNonce,
  isProof,
  proofKey,
  proofOf,
  WRONG_SECRET,
} from './membership.js';
import { nodeDisconnected, nodeNotConnected, receiveTimeout } from './link-errors.js';
import type { Wire, WireEvents } from './network.js';
import type { OutgoingMessage } from './outbox.js';
import type {
  CloseHow,
  HelloFacts,
  LinkClass,
  LinkMembership,
  LinkRequestOptions,
  PeerIdentity,
  PeerLink,
} from './types.js';

/** Options of dialing a link. */
export interface DialContext {
  readonly clock: Clock;
  readonly local: () => HelloFacts;
  readonly membership: LinkMembership | null;
  readonly counts: TrafficCounts;
  readonly open: (events: WireEvents) => Wire;
  readonly linkClass: LinkClass;
  readonly timeoutMs: number;
  /** Whether only the hello of the other side is wanted; then any node is accepted. */
  readonly probe: boolean;
}

/** A link, the identity that answered a probe, or why dialing failed. */
export type DialOutcome =
  | { readonly link: PeerLink }
  | { readonly identity: PeerIdentity }
  | { readonly failed: CloseHow };

/** Connects and does the handshake. Never rejects. */
export function dialLink(context: DialContext): Promise<DialOutcome> {
  return new Promise((resolve) => void new DialedLink(context, resolve));
}

interface Waiting {
  readonly action: string;
  readonly resolve: (payload: Uint8Array) => void;
  readonly reject: (error: ApiError) => void;
  readonly message: OutgoingMessage;
  readonly timer: TimerHandle | null;
  readonly unlisten: (() => void) | null;
}

/** The side of a link that dialed the connection; it sends requests. */
class DialedLink implements PeerLink, FrameListener {
  readonly linkClass: LinkClass;
  readonly #context: DialContext;
  readonly #stream: FrameStream;
  readonly #waiting = new IdTable<Waiting>();
  readonly #listeners: ((how: CloseHow) => void)[] = [];
  readonly #dialTimer: TimerHandle;
  #settleDial: ((outcome: DialOutcome) => void) | null;
  #peer: PeerIdentity | null = null;
  readonly #own: HandshakeSide;
  /** Both hellos, while the proof of the other side is awaited. */
  #proving: { readonly key: Uint8Array; readonly handshake: Handshake; readonly windowBytes: number } | null = null;
  /** Version of the messages, agreed in the handshake. */
  #version = 1;
  #closedHow: CloseHow | null = null;
  #serial = 0;

  constructor(context: DialContext, settle: (outcome: DialOutcome) => void) {
    this.#context = context;
    this.linkClass = context.linkClass;
    this.#settleDial = settle;
    const { clock, timeoutMs, linkClass } = context;
    this.#stream = new FrameStream(context.open, this, context.counts, clock);
    this.#dialTimer = clock.after(timeoutMs, () =>
      this.#stream.fail({ kind: 'silent', reason: `no answer in [${timeoutMs}ms]` }),
    );
    this.#own = { facts: context.local(), nonce: helloNonce(context.membership) };
    const { windowBytes } = LIMITS[linkClass];
    const { facts, nonce } = this.#own;
    this.#stream.outbox.post(helloFrame(facts, { linkClass, windowBytes, probe: context.probe, nonce }));
  }

  get peer(): PeerIdentity {
    return this.#peer!;
  }

  get pendingBytes(): number {
    return this.#stream.outbox.pendingBytes;
  }

  get pendingCount(): number {
    return this.#waiting.size;
  }

  get isClosed(): boolean {
    return this.#closedHow !== null;
  }

  close(reason = 'closed by this side'): void {
    this.#stream.end('closed', reason);
  }

  onClose(listener: (how: CloseHow) => void): void {
    if (this.#closedHow) listener(this.#closedHow);
    else this.#listeners.push(listener);
  }

  request(action: string, payload: Uint8Array, options: LinkRequestOptions = {}): Promise<Uint8Array> {
    const refused = this.#refuse(action, payload.length, options.signal);
    if (refused) return Promise.reject(refused);
    return new Promise((resolve, reject) => {
      const understood = this.#version > 1 ? payload : requestToVersion1(action, payload);
      this.#send(action, understood, options, resolve, reject);
    });
  }

  #refuse(action: string, bytes: number, signal: AbortSignal | undefined): ApiError | null {
    if (signal?.aborted) return errors.taskCancelled('the request was cancelled before it was sent');
    if (this.#closedHow) return nodeNotConnected(this.peer);
    const { actions } = this.peer;
    if (actions && !actions.has(action)) return errors.actionNotFoundTransport(`No handler for action [${action}]`);
    const { messageBytesMax, queueBytesMax } = LIMITS[this.linkClass];
    if (bytes > messageBytesMax)
      return errors.illegalArgument(
        `request [${action}] of [${bytes}] bytes, at most [${messageBytesMax}] are allowed`,
      );
    const queued = this.pendingBytes;
    if (this.#waiting.size >= PENDING_MAX || (queued > 0 && queued + bytes > queueBytesMax)) {
      return errors.rejectedExecution(
        `rejected execution of ${action}: [${this.#waiting.size}] requests and [${queued}] bytes wait on the link ` +
          `to [${this.peer.name}][${this.peer.transportAddress}]`,
      );
    }
    return null;
  }

  #send(
    action: string,
    payload: Uint8Array,
    options: LinkRequestOptions,
    resolve: Waiting['resolve'],
    reject: Waiting['reject'],
  ): void {
    const id = ++this.#serial;
    const { timeoutMs, signal } = options;
    const head = {
      id,
      action,
      deadlineMs: 0,
      parentTask: options.parentTask ?? '',
      traceId: options.traceId ?? '',
      totalBytes: payload.length,
      indexUuid: '',
      shard: 0,
      version: 0,
    };
    if (this.#version >= SHARD_IN_HEAD) {
      head.version = this.#version;
      if (options.shard) {
        head.indexUuid = options.shard.indexUuid;
        head.shard = options.shard.shard;
      }
    }
    const sinceMs = timeoutMs === undefined ? 0 : this.#context.clock.monotonic();
    const message = this.#stream.outbox.send(id, payload, (first) => {
      if (timeoutMs !== undefined)
        head.deadlineMs = Math.max(1, Math.ceil(timeoutMs - (this.#context.clock.monotonic() - sinceMs)));
      return requestFrame(head, first);
    });
    const timer =
      timeoutMs === undefined
        ? null
        : this.#context.clock.after(timeoutMs, () =>
            this.#giveUp(id, receiveTimeout(this.peer, action, id, timeoutMs)),
          );
    this.#waiting.set(id, {
      action,
      resolve,
      reject,
      message,
      timer,
      unlisten: signal ? this.#cancelOn(signal, id) : null,
    });
    this.#context.counts.txCount++;
  }

  frame(frame: Frame): void {
    if (frame.hello) this.#hello(frame.hello);
    else if (frame.proof) this.#proved(frame.proof.mac);
    else if (!this.#peer) throw errors.corruption('the first frame is not a hello');
    else if (frame.response) this.#answer(frame.response.id, frame.response.totalBytes, frame.payload);
    else if (frame.fragment) this.#stream.inbox.add(frame.fragment.id, frame.fragment.index, frame.payload);
    else if (frame.failure) this.#failure(frame.failure.id, frame.failure.error);
    else throw errors.corruption('a frame that only the asking side sends');
  }

  closed(how: CloseHow): void {
    this.#closedHow = how;
    this.#dialTimer.cancel();
    for (const [id, waiting] of this.#waiting.entries())
      this.#settle(id)?.reject(nodeDisconnected(this.peer, waiting.action));
    this.#finishDial({ failed: how });
    for (const listener of this.#listeners.splice(0)) listener(how);
  }

  #hello(hello: NonNullable<Frame['hello']>): void {
    if (this.#peer || this.#proving) throw errors.corruption('a second hello');
    const identity = factsOf(hello);
    if (this.#context.probe) {
      this.#finishDial({ identity });
      return this.#stream.end('closed', 'probed');
    }
    const { membership } = this.#context;
    const acceptor = { facts: identity, nonce: hello.nonce };
    const problem = refusal(this.#own.facts, acceptor, membership);
    if (problem !== null) return this.#stream.end('rejected', problem);
    const key = proofKey(membership, identity);
    if (key === null) return this.#open(identity, hello.windowBytes);
    const handshake = { dialer: this.#own, acceptor, linkClass: this.linkClass };
    this.#proving = { key, handshake, windowBytes: hello.windowBytes };
    this.#stream.outbox.post(proofFrame(proofOf(key, 'dialer', handshake)));
  }

  #proved(mac: Uint8Array): void {
    if (!this.#proving) throw errors.corruption('a proof that was not asked for');
    const { key, handshake, windowBytes } = this.#proving;
    const { facts } = handshake.acceptor;
    if (!isProof(key, 'acceptor', handshake, mac))
      return this.#stream.end('rejected', refusalText(this.#own.facts, facts, WRONG_SECRET));
    this.#proving = null;
    this.#open(facts, windowBytes);
  }

  #open(identity: PeerIdentity, windowBytes: number): void {
    this.#dialTimer.cancel();
    this.#peer = identity;
    this.#version = agreedVersion(this.#own.facts, identity);
    this.#stream.open(LIMITS[this.linkClass].windowBytes, windowBytes);
    this.#finishDial({ link: this });
  }

  #finishDial(outcome: DialOutcome): void {
    this.#settleDial?.(outcome);
    this.#settleDial = null;
  }

  #answer(id: number, totalBytes: number, first: Uint8Array): void {
    if (!this.#waiting.has(id)) return;
    if (totalBytes > LIMITS[this.linkClass].messageBytesMax) throw errors.corruption(`answer of [${totalBytes}] bytes`);
    this.#stream.inbox.begin(id, totalBytes, first, (payload) => this.#arrived(id, payload));
  }

  #arrived(id: number, payload: Uint8Array): void {
    const waiting = this.#settle(id);
    if (!waiting) return;
    if (this.#version > 1) return waiting.resolve(payload);
    try {
      waiting.resolve(answerFromVersion1(waiting.action, payload));
    } catch (error) {
      waiting.reject(toApiError(error));
    }
  }

  #failure(id: number, error: Uint8Array): void {
    const wire = JSON.parse(Buffer.from(error).toString()) as WireError;
    this.#stream.inbox.drop(id);
    this.#settle(id)?.reject(decodeError(wire));
  }

  /** Removes a request that waits for its answer; undefined if it was removed before. */
  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    if (!waiting) return undefined;
    this.#waiting.delete(id);
    waiting.timer?.cancel();
    waiting.unlisten?.();
    this.#context.counts.rxCount++;
    return waiting;
  }

  #giveUp(id: number, error: ApiError): void {
    const waiting = this.#settle(id);
    if (!waiting) return;
    this.#stream.inbox.drop(id);
    this.#stream.outbox.drop(waiting.message);
    if (waiting.message.fragments > 0) this.#stream.outbox.post(cancelFrame(id));
    waiting.reject(error);
  }

  #cancelOn(signal: AbortSignal, id: number): () => void {
    const cancel = (): void => this.#giveUp(id, errors.taskCancelled('task cancelled [the caller went away]'));
    signal.addEventListener('abort', cancel, { once: true });
    return () => signal.removeEventListener('abort', cancel);
  }
}
