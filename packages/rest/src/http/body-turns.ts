import type { IncomingMessage } from 'node:http';
import type { Clock } from '@shoal/doors';
import { isLargeBody } from './announced-body.js';

/** Bytes of large bodies that are taken in a turn of the event loop: some milliseconds of it. */
const TURN_BYTES = 4 * 2 ** 20;
/** Bodies that go on in a turn: few of them at a time, so that they are soon whole. */
const RESUMED_MAX = 8;
/**
 * Refused bodies go on one after the other, so many bytes so often: 100 MB/s at most, a tenth of what a processor
 * reads.
 */
const REFUSED_BYTES = 2 ** 20;
const REFUSED_EVERY_MS = 10;

/** What turns need of a request. */
export type HeldMessage = Pick<IncomingMessage, 'pause' | 'resume'>;

/**
 * Large bodies arrive in turns. A turn of the event loop reads what has come on all sockets, up to 2 MB of each: with a
 * hundred clients that send large bulks, refused ones included, it would read for a second, and work that was taken
 * gets a few milliseconds in between. So a turn takes so many bytes, the rest waits in the sockets, and senders are
 * slowed down by TCP. Nothing is waited for while there is no other work: turns are short then.
 */
export interface BodyTurns {
  /** A body that will be read; to be told how many bytes have come, after which it may be paused until a later turn. */
  enter(message: HeldMessage): (bytes: number) => void;
  /**
   * Before the answer to a request is written: what is left of a large body that nobody reads is taken slowly. The
   * client sends it whether or not it has seen the answer, and its next request comes behind it; but who is refused and
   * sends the same again at once must not keep the node from its work.
   */
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
export function createBodyTurns(clock: Pick<Clock, 'yield' | 'after'>): BodyTurns {
  const read: Waiting[] = [];
  const refused: IncomingMessage[] = [];
  let [room, isTurning, tickets] = [TURN_BYTES, false, 0];
  const begin = async (): Promise<void> => {
    if (isTurning) return;
    isTurning = true;
    do {
      await clock.yield();
      room = TURN_BYTES;
      for (let i = 0; i < RESUMED_MAX; i++) read.shift()?.message.resume();
    } while (read.length > 0);
    isTurning = false;
  };
  const goOn = (): void => {
    refused.shift()!.resume();
    if (refused.length > 0) clock.after(REFUSED_EVERY_MS, goOn);
  };
  const putOff = (message: IncomingMessage): void => {
    message.pause();
    if (refused.push(message) === 1) clock.after(REFUSED_EVERY_MS, goOn);
  };
  return {
    enter(message) {
      const waiting = { message, ticket: tickets++ };
      return (bytes) => {
        room -= bytes;
        if (room <= 0) {
          message.pause();
          insert(read, waiting);
        }
        void begin();
      };
    },
    discard(message) {
      if (message.readableDidRead || !isLargeBody(message)) return;
      let left = REFUSED_BYTES;
      message.on('data', (chunk: Buffer) => {
        left -= chunk.length;
        if (left > 0) return;
        left = REFUSED_BYTES;
        putOff(message);
      });
      putOff(message);
    },
  };
}
