import type { Random } from '@shoal/doors';
import type { PortPair } from '@shoal/node';
import type { EventLoop, ProcessGate } from '../time/event-loop.js';

/** Typical milliseconds for a message between two threads; it takes longer if the receiver is busy. */
const TYPICAL_MS = 0.03;
const BUSY_SHARE = 0.02;
const BUSY_MS_MAX = 10;

type Port = PortPair['main'];

/**
 * Creates the ports between two threads of a node, given by their gates. Messages are copied, arrive later, and stay in
 * order in each direction.
 */
export function simulatedPorts(loop: EventLoop, main: ProcessGate, thread: ProcessGate, random: Random): PortPair {
  const [toMain, toThread] = [oneWay(loop, main, random), oneWay(loop, thread, random)];
  return {
    main: { post: toThread.post, onMessage: toMain.onMessage },
    shards: { post: toMain.post, onMessage: toThread.onMessage },
  };
}

function oneWay(loop: EventLoop, gate: ProcessGate, random: Random): Port {
  let lastAt = 0;
  let deliver: (message: unknown) => void = () => undefined;
  return {
    post(message) {
      const copy: unknown = structuredClone(message);
      const tookMs = random.next() < BUSY_SHARE ? random.next() * BUSY_MS_MAX : TYPICAL_MS * (0.5 + random.next());
      lastAt = Math.max(lastAt, loop.now + tookMs);
      loop.at(lastAt, gate, () => deliver(copy));
    },
    onMessage: (listener) => void (deliver = listener),
  };
}
