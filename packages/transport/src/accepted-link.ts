import { type Clock, LazySignal, type TimerHandle } from '@shoal/doors';
import { encodeError, errors } from '@shoal/errors';
import { answerToVersion1, requestFromVersion1 } from '@shoal/protocol';
import { type Frame, failureFrame, factsOf, helloFrame, proofFrame, responseFrame } from './frames.js';
import { type FrameListener, FrameStream, type TrafficCounts } from './frame-stream.js';
import { agreedVersion, refusal, refusalText } from './handshake.js';
import { IdTable } from './id-table.js';
import { FRAGMENT_BYTES, HELLO_TIMEOUT_MS, LIMITS } from './limits.js';
import { type Handshake, helloNonce, isProof, proofKey, proofOf, WRONG_SECRET } from './membership.js';
import type { Wire, WireEvents } from './network.js';
import type { OutgoingMessage } from './outbox.js';
import type { CloseHow, HelloFacts, LinkClass, LinkMembership, PeerIdentity, TransportHandler } from './types.js';

/** Dependencies of an accepted link. */
export interface AcceptContext {
  readonly clock: Clock;
  readonly local: () => HelloFacts;
  readonly membership: LinkMembership | null;
  readonly handler: TransportHandler;
  readonly counts: TrafficCounts;
  /** Called after a successful handshake, unless the link is a probe. */
  readonly opened: (link: AcceptedLink, peer: PeerIdentity, linkClass: LinkClass) => void;
  /** Called exactly once; `peer` is null if no valid hello arrived. */
  readonly closed: (link: AcceptedLink, peer: PeerIdentity | null, how: CloseHow) => void;
}

interface Peer {
  readonly identity: PeerIdentity;
  readonly linkClass: LinkClass;
  /** Version of the messages, agreed in the handshake. */
  readonly version: number;
}

interface Running {
  readonly signal: LazySignal;
  readonly timer: TimerHandle | null;
}

type RequestHead = NonNullable<Frame['request']>;

/** The side of a link that accepted the connection; it answers requests. */
export class AcceptedLink implements FrameListener {
  readonly #context: AcceptContext;
  readonly #stream: FrameStream;
  readonly #running = new IdTable<Running>();
  /** Answers of several fragments that may not be sent completely yet; sent ones are removed later. */
  readonly #sending = new Map<number, OutgoingMessage>();
  readonly #helloTimer: TimerHandle;
  #peer: Peer | null = null;
  /** Both hellos, while the proof of the other side is awaited. */
  #proving: { readonly key: Uint8Array; readonly handshake: Handshake; readonly windowBytes: number } | null = null;

  constructor(wire: Wire, context: AcceptContext) {
    this.#context = context;
    this.#stream = new FrameStream(() => wire, this, context.counts, context.clock);
    this.#helloTimer = context.clock.after(HELLO_TIMEOUT_MS, () =>
      this.#stream.fail({ kind: 'silent', reason: 'no hello came' }),
    );
  }

  get events(): WireEvents {
    return this.#stream;
  }

  close(reason: string): void {
    this.#stream.end('closed', reason);
  }

  frame(frame: Frame): void {
    if (frame.hello) this.#hello(frame.hello);
    else if (frame.proof) this.#proved(frame.proof.mac);
    else if (!this.#peer) throw errors.corruption('the first frame is not a hello');
    else if (frame.request) this.#begin(frame.request, frame.payload, this.#peer);
    else if (frame.fragment) this.#stream.inbox.add(frame.fragment.id, frame.fragment.index, frame.payload);
    else if (frame.cancel) this.#cancel(frame.cancel.id);
    else throw errors.corruption('a frame that only the answering side sends');
  }

  closed(how: CloseHow): void {
    this.#helloTimer.cancel();
    for (const [id] of this.#running.entries())
      this.#stop(id, errors.taskCancelled(`task cancelled [the link is gone: ${how.reason}]`));
    this.#context.closed(this, this.#peer?.identity ?? null, how);
  }

  #hello(hello: NonNullable<Frame['hello']>): void {
    if (this.#peer || this.#proving) throw errors.corruption('a second hello');
    const { linkClass } = hello;
    if (!isLinkClass(linkClass)) throw errors.corruption(`unknown link class [${linkClass}]`);
    const { membership } = this.#context;
    const acceptor = { facts: this.#context.local(), nonce: helloNonce(membership) };
    const dialer = { facts: factsOf(hello), nonce: hello.nonce };
    const { windowBytes } = LIMITS[linkClass];
    this.#stream.outbox.post(
      helloFrame(acceptor.facts, { linkClass, windowBytes, probe: hello.probe, nonce: acceptor.nonce }),
    );
    if (hello.probe) return this.#stream.end('closed', 'probed');
    const problem = refusal(acceptor.facts, dialer, membership);
    if (problem !== null) return this.#stream.end('rejected', problem);
    const handshake = { dialer, acceptor, linkClass };
    // The timer of the hello goes on: a stranger that proves nothing does not keep the link.
    const key = proofKey(membership, dialer.facts);
    if (key !== null) this.#proving = { key, handshake, windowBytes: hello.windowBytes };
    else this.#open(handshake, hello.windowBytes);
  }

  /**
   * The side that dialed proves itself first, so that a stranger gets nothing by which it could try out passwords
   * without asking this node.
   */
  #proved(mac: Uint8Array): void {
    if (!this.#proving) throw errors.corruption('a proof that was not asked for');
    const { key, handshake, windowBytes } = this.#proving;
    const { dialer, acceptor } = handshake;
    if (!isProof(key, 'dialer', handshake, mac))
      return this.#stream.end('rejected', refusalText(acceptor.facts, dialer.facts, WRONG_SECRET));
    this.#proving = null;
    this.#stream.outbox.post(proofFrame(proofOf(key, 'acceptor', handshake)));
    this.#open(handshake, windowBytes);
  }

  #open({ dialer, acceptor, linkClass }: Handshake, windowBytes: number): void {
    this.#helloTimer.cancel();
    this.#peer = { identity: dialer.facts, linkClass, version: agreedVersion(acceptor.facts, dialer.facts) };
    this.#stream.open(LIMITS[linkClass].windowBytes, windowBytes);
    this.#context.opened(this, dialer.facts, linkClass);
  }

  #begin(head: RequestHead, first: Uint8Array, peer: Peer): void {
    const { messageBytesMax } = LIMITS[peer.linkClass];
    if (this.#running.has(head.id)) throw errors.corruption(`request [${head.id}] begins twice`);
    if (head.totalBytes > messageBytesMax) {
      return this.#fail(
        head.id,
        errors.illegalArgument(
          `request [${head.action}] of [${head.totalBytes}] bytes, at most [${messageBytesMax}] are allowed`,
        ),
      );
    }
    this.#stream.inbox.begin(head.id, head.totalBytes, first, (payload) => this.#run(head, payload, peer));
  }

  #run(head: RequestHead, payload: Uint8Array, { identity, linkClass, version }: Peer): void {
    const { id, action } = head;
    const signal = new LazySignal();
    const deadlineMs = head.deadlineMs === 0 ? null : head.deadlineMs;
    const expire = (): void =>
      void this.#stop(id, errors.timeout(`deadline of [${action}] passed after [${deadlineMs}ms]`));
    this.#running.set(id, {
      signal,
      timer: deadlineMs === null ? null : this.#context.clock.after(deadlineMs, expire),
    });
    this.#context.counts.rxCount++;
    this.#stream.credit.hold(payload.length);
    const context = {
      deadlineMs,
      parentTask: head.parentTask || null,
      traceId: head.traceId || null,
      linkClass,
      shard: head.indexUuid === '' ? undefined : { indexUuid: head.indexUuid, shard: head.shard },
    };
    const settled = (answer: () => void): void => {
      this.#stream.credit.release(payload.length);
      if (this.#forget(id)) answer();
    };
    const answering = version > 1 ? handle : handleVersion1;
    const answered = answering(this.#context.handler, identity, action, payload, signal, context);
    answered.then(
      (answer) => settled(() => this.#answer(id, action, answer, linkClass)),
      (error: unknown) => settled(() => this.#fail(id, error)),
    );
  }

  #answer(id: number, action: string, payload: Uint8Array, linkClass: LinkClass): void {
    const { messageBytesMax, queueBytesMax } = LIMITS[linkClass];
    const { outbox } = this.#stream;
    if (payload.length > messageBytesMax) {
      return this.#fail(
        id,
        errors.illegalArgument(
          `answer of [${action}] has [${payload.length}] bytes, at most [${messageBytesMax}] are allowed`,
        ),
      );
    }
    if (outbox.pendingBytes > 0 && outbox.pendingBytes + payload.length > queueBytesMax) {
      return this.#fail(
        id,
        errors.rejectedExecution(`rejected answer of ${action}: [${outbox.pendingBytes}] bytes wait on this link`),
      );
    }
    this.#context.counts.txCount++;
    const message = outbox.send(id, payload, (first) => responseFrame(id, payload.length, first));
    if (payload.length <= FRAGMENT_BYTES) return;
    for (const [
      other,
      {
        sentBytes,
        payload: { length },
      },
    ] of this.#sending)
      if (sentBytes === length) this.#sending.delete(other);
    this.#sending.set(id, message);
  }

  #fail(id: number, error: unknown): void {
    this.#context.counts.txCount++;
    this.#stream.outbox.post(failureFrame(id, Buffer.from(JSON.stringify(encodeError(error)))));
  }

  #cancel(id: number): void {
    this.#stream.inbox.drop(id);
    const sending = this.#sending.get(id);
    if (sending) this.#stream.outbox.drop(sending);
    this.#stop(id, errors.taskCancelled('task cancelled [the caller went away]'));
  }

  /** Aborts a running handler; its answer is not sent. */
  #stop(id: number, reason: Error): void {
    const running = this.#running.get(id);
    if (this.#forget(id)) running!.signal.abort(reason);
  }

  #forget(id: number): boolean {
    this.#running.get(id)?.timer?.cancel();
    return this.#running.delete(id);
  }
}

function isLinkClass(name: string): name is LinkClass {
  return Object.hasOwn(LIMITS, name);
}

/** Calls a handler. An error that it throws before its first `await` becomes its answer too. */
async function handle(handler: TransportHandler, ...request: Parameters<TransportHandler>): Promise<Uint8Array> {
  return handler(...request);
}

/** The same for a peer of version 1, whose messages are rewritten on their way in and out. */
async function handleVersion1(
  handler: TransportHandler,
  ...[from, action, payload, signal, context]: Parameters<TransportHandler>
): Promise<Uint8Array> {
  return answerToVersion1(action, await handler(from, action, requestFromVersion1(action, payload), signal, context));
}
