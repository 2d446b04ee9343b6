import type { Random } from '@shoal/doors';
import type { PortPair } from '@shoal/node';
import type { EventLoop, ProcessGate } from '../time/event-loop.js';

/** Typical milliseconds for a message between two threads; it takes longer if the receiver is busy. */
const TYPICAL_MS = 0.03;
const BUSY_SHARE = 0.02;
const BUSY_MS_MAX = 10;

type Port = PortPair['main'];

/**
 * Creates the ports between a node's main thread and its simulated shard threads. Messages are copied, arrive later,
 * and stay in order in each direction.
 */
export function simulatedPorts(count: number, loop: EventLoop, gate: ProcessGate, random: Random): PortPair[] {
  return Array.from({ length: count }, () => {
    const [toMain, toShards] = [oneWay(loop, gate, random), oneWay(loop, gate, random)];
    return {
      main: { post: toShards.post, onMessage: toMain.onMessage },
      shards: { post: toMain.post, onMessage: toShards.onMessage },
    };
  });
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
