import type { IncomingMessage } from 'node:http';
import type { Clock } from '@shoal/doors';
import { isLargeBody } from './announced-body.js';

/** Bytes of large bodies that are taken in a turn of the event loop: some milliseconds of it. */
const TURN_BYTES = 4 * 2 ** 20;
/** Bodies that go on in a turn: few of them at a time, so that they are soon whole. */
const RESUMED_MAX = 8;

/** What turns need of a request. */
export type HeldMessage = Pick<IncomingMessage, 'pause' | 'resume'>;

/**
 * Large bodies arrive in turns. A turn of the event loop reads what has come on all sockets, up to 2 MB of each: with a hundred clients that send
 * large bulks, refused ones included, it would read for a second, and work that was taken gets a few milliseconds in between. So a turn takes so many
 * bytes, the rest waits in the sockets, and senders are slowed down by TCP. Nothing is waited for while there is no other work: turns are short then.
 */
export interface BodyTurns {
  /** A body that will be read; to be told how many bytes have come, after which it may be paused until a later turn. */
  enter(message: HeldMessage): (bytes: number) => void;
  /** Before the answer to a request is written: what is left of a large body that nobody reads is taken when the bodies that are read leave room. */
  discard(message: IncomingMessage): void;
}

/** A paused body. */
interface Waiting {
  readonly message: HeldMessage;
  /** What has begun goes on first, so that many half bodies do not fill the memory. */
  readonly ticket: number;
}

/** After those that began earlier. */
function insert(queue: Waiting[], waiting: Waiting): void {
  let at = queue.length;
  while (at > 0 && queue[at - 1]!.ticket > waiting.ticket) at--;
  queue.splice(at, 0, waiting);
}

/** Turns of which none has begun. */
export function createBodyTurns(clock: Pick<Clock, 'yield'>): BodyTurns {
  const read: Waiting[] = [];
  const refused: Waiting[] = [];
  let [room, isTurning, tickets] = [TURN_BYTES, false, 0];
  const begin = async (): Promise<void> => {
    if (isTurning) return;
    isTurning = true;
    do {
      await clock.yield();
      room = TURN_BYTES;
      for (let i = 0; i < RESUMED_MAX; i++) (read.shift() ?? refused.shift())?.message.resume();
    } while (read.length + refused.length > 0);
    isTurning = false;
  };
  const entered = (message: HeldMessage, queue: Waiting[]): ((bytes: number) => void) => {
    const waiting = { message, ticket: tickets++ };
    return (bytes) => {
      room -= bytes;
      if (room <= 0) {
        message.pause();
        insert(queue, waiting);
      }
      void begin();
    };
  };
  return {
    enter: (message) => entered(message, read),
    discard(message) {
      if (message.readableDidRead || !isLargeBody(message)) return;
      const arrived = entered(message, refused);
      message.on('data', (chunk: Buffer) => arrived(chunk.length));
    },
  };
}
