import type { Random } from '@shoal/doors';
import type { PartThread, PortPair } from '@shoal/node';
import { type EventLoop, type ProcessGate, threadGate } from '../time/event-loop.js';
import { simulatedPorts } from './simulated-ports.js';

/** Milliseconds until a thread that ended by itself is started again. */
const RESTART_MS = 100;

/** What a thread needs of its process. */
export interface ThreadWorld {
  readonly loop: EventLoop;
  readonly process: ProcessGate;
  readonly random: Random;
  /** Closes the stores and files that a thread had open. */
  readonly closeAll: (gate: ProcessGate) => void;
}

/** A shard thread of a simulated process. It may end by itself while the process goes on, as of too much memory. */
export class SimulatedThread implements PartThread {
  readonly #world: ThreadWorld;
  #gate: ProcessGate;
  #events: Parameters<PartThread['watch']>[0] | null = null;

  constructor(world: ThreadWorld) {
    this.#world = world;
    this.#gate = threadGate(world.process);
  }

  /** Gate of the life that was opened last. */
  get gate(): ProcessGate {
    return this.#gate;
  }

  open(): PortPair {
    const { loop, process, random } = this.#world;
    this.#gate = threadGate(process);
    return simulatedPorts(loop, process, this.#gate, random);
  }

  watch(events: Parameters<PartThread['watch']>[0]): void {
    this.#events = events;
  }

  /** Ends the thread in the middle of what it does. Returns false if it has ended already. */
  end(): boolean {
    const { loop, process, closeAll } = this.#world;
    if (!this.#gate.isAlive || this.#events === null) return false;
    const { ended, again } = this.#events;
    this.#gate.isAlive = false;
    closeAll(this.#gate);
    loop.at(loop.now, process, ended);
    loop.at(loop.now + RESTART_MS, process, again);
    return true;
  }
}
