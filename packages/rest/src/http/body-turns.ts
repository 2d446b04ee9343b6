import type { IncomingMessage } from 'node:http';
import type { Clock } from '@shoal/doors';
import { isLargeBody } from './announced-body.js';

/** Most bytes of large bodies read in one turn of the event loop; this takes some milliseconds. */
const TURN_BYTES = 4 * 2 ** 20;
/** Most paused bodies that are resumed in a turn. Few at a time, so that each is complete soon. */
const RESUMED_MAX = 8;
/**
 * Bodies of refused requests are resumed one after the other, for this many bytes each time: 100 MB/s at most, a tenth
 * of what one processor reads.
 */
const REFUSED_BYTES = 2 ** 20;
const REFUSED_EVERY_MS = 10;

/** The part of a request that can be paused. */
export type PausableMessage = Pick<IncomingMessage, 'pause' | 'resume'>;

/**
 * Limits the bytes of large bodies that are read in a turn of the event loop. Without a limit a turn reads up to 2 MB
 * of each socket. With a hundred clients that send large bulks it would last a second, and accepted requests would
 * starve. The remaining bytes wait in the sockets, and TCP slows the senders down. If there is no other work, turns are
 * short and nothing waits.
 */
export interface BodyTurns {
  /**
   * Registers a body that will be read. Call the returned function with the length of each chunk; it may pause the body
   * until a later turn.
   */
  enter(message: PausableMessage): (bytes: number) => void;
  /**
   * Discards the rest of a large body that nobody reads, slowly; called before the answer is written. The client sends
   * the body whether or not it has seen the answer, and its next request follows on the connection. A client that is
   * refused and repeats the request at once must not keep the node busy.
   */
  discard(message: IncomingMessage): void;
}

/** A paused body. */
interface PausedBody {
  readonly message: PausableMessage;
  /** Order of `enter`: the oldest body is resumed first, so that few incomplete bodies occupy memory. */
  readonly ticket: number;
}

/** Inserts behind the bodies that were entered earlier. */
function insert(queue: PausedBody[], waiting: PausedBody): void {
  let at = queue.length;
  while (at > 0 && queue[at - 1]!.ticket > waiting.ticket) at--;
  queue.splice(at, 0, waiting);
}

/** Creates the limit of one server. */
export function createBodyTurns(clock: Pick<Clock, 'yield' | 'after'>): BodyTurns {
  const read: PausedBody[] = [];
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
