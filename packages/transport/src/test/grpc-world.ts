import net from 'node:net';
import type { Clock } from '@shoal/doors';
import { createTransport } from '../create-transport.js';
import type { Transport } from '../types.js';
import { echo, factsOfNode, keepingLog, type NodeSpec, type World } from './world.js';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Real time, for tests over sockets. */
export const realClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
  yield: nextTurn,
  lane: () => nextTurn,
  aside: nextTurn,
  turnEnd: (callback) => void setImmediate(callback),
};

/** A TCP relay in front of a transport that can break or silence its connections. */
interface Relay {
  readonly address: string;
  readonly sockets: Set<net.Socket>;
  isSilent: boolean;
  close(): void;
}

async function relayTo(target: string): Promise<Relay> {
  const sockets = new Set<net.Socket>();
  const [host, port] = [target.slice(0, target.lastIndexOf(':')), Number(target.slice(target.lastIndexOf(':') + 1))];
  const server = net.createServer((near) => {
    const far = net.connect(port, host);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => relay.isSilent || to.write(bytes));
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const relay: Relay = {
    address: `127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    sockets,
    isSilent: false,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return relay;
}

/** Creates a network of real sockets on the loopback interface. */
export function grpcWorld(): World {
  const relays = new Map<Transport, Relay>();
  const { log, lines } = keepingLog();
  return {
    clock: realClock,
    log,
    lines,
    async open(node: NodeSpec) {
      const { onPeer, membership } = node;
      const transport = await createTransport({
        clock: realClock,
        log,
        local: () => factsOfNode(node),
        bind: { host: '127.0.0.1', port: 0 },
        handler: node.handler ?? echo,
        ...(onPeer ? { onPeer } : {}),
        ...(membership ? { membership } : {}),
      });
      relays.set(transport, await relayTo(transport.boundAddress));
      return transport;
    },
    addressOf: (transport) => relays.get(transport)!.address,
    sever() {
      for (const relay of relays.values()) for (const socket of relay.sockets) socket.destroy();
    },
    silence() {
      for (const relay of relays.values()) relay.isSilent = true;
    },
    pass: (promise) => promise,
    async until(condition) {
      while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
    },
    async close() {
      await Promise.all([...relays.keys()].map((transport) => transport.close()));
      for (const relay of relays.values()) relay.close();
    },
  };
}
