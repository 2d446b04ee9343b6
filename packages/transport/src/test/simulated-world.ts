import { fakeClock, seededRandom } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { type SimulatedNetwork, simulatedNetwork } from '../simulated-network.js';
import type { Transport } from '../types.js';
import { echo, factsOfNode, keepingLog, type NodeSpec, type World } from './world.js';

/** Virtual milliseconds after which a test counts as stuck. */
const STUCK_MS = 120_000;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Creates a network in memory; `network` plants faults. */
export function simulatedWorld(seed = 7): World & { readonly network: SimulatedNetwork } {
  const clock = fakeClock();
  const random = seededRandom(seed);
  const network = simulatedNetwork({ clock, random });
  const transports: Transport[] = [];
  const ids: string[] = [];
  const { log, lines } = keepingLog();
  const until = async (condition: () => boolean): Promise<void> => {
    for (let ms = 0; ; ms++) {
      await turn();
      if (condition()) return;
      if (ms > STUCK_MS) throw errors.illegalState('nothing happens any more');
      clock.advance(ms < 100 ? 0.25 : 1);
    }
  };
  const pass = async <T>(promise: Promise<T>): Promise<T> => {
    let isSettled = false;
    const note = (): void => void (isSettled = true);
    promise.then(note, note);
    await until(() => isSettled);
    return promise;
  };
  return {
    clock,
    log,
    lines,
    network,
    async open(node: NodeSpec) {
      const { onPeer, membership } = node;
      const options = {
        clock,
        log,
        local: () => factsOfNode(node),
        bind: { host: node.id, port: '9300-9399' },
        handler: node.handler ?? echo,
        ...(onPeer ? { onPeer } : {}),
        ...(membership ? { membership } : {}),
      };
      const transport = await network.transport(options);
      transports.push(transport);
      ids.push(node.id);
      return transport;
    },
    addressOf: (transport) => transport.boundAddress,
    sever() {
      for (const a of ids) for (const b of ids) network.reset(a, b);
    },
    silence: () => network.partition(ids, ids),
    pass,
    until,
    async close() {
      await pass(Promise.all(transports.map((transport) => transport.close())));
    },
  };
}
