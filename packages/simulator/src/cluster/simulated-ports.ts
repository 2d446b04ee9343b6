import type { Random } from '@shoal/doors';
import type { PortPair } from '@shoal/node';
import type { EventLoop, Gate } from '../time/event-loop.js';

/** What a message between two threads takes; now and then the other one is busy. */
const TYPICAL_MS = 0.03;
const BUSY_SHARE = 0.02;
const BUSY_MS_MAX = 10;

type Port = PortPair['main'];

/**
 * The ends of the ports between a node's main thread and those that its shards would have. A message is a copy, comes
 * later, and never before one that was sent earlier the same way.
 */
export function simulatedPorts(count: number, loop: EventLoop, gate: Gate, random: Random): PortPair[] {
  return Array.from({ length: count }, () => {
    const [toMain, toShards] = [oneWay(loop, gate, random), oneWay(loop, gate, random)];
    return {
      main: { post: toShards.post, onMessage: toMain.onMessage },
      shards: { post: toMain.post, onMessage: toShards.onMessage },
    };
  });
}

function oneWay(loop: EventLoop, gate: Gate, random: Random): Port {
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
