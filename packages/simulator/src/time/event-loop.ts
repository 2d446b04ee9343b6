import { microtaskDrain } from './drain-microtasks.js';

/**
 * A process of the simulated cluster as the event loop sees it. Events of a dead process never run, those of a paused
 * one run later.
 */
export interface ProcessGate {
  isAlive: boolean;
  isPaused: boolean;
  /** Events that fell due during a pause, in order. */
  readonly deferred: Scheduled[];
}

/** Creates the gate of a thread: it is paused and ends with its process, and may end before it. */
export function threadGate(process: ProcessGate): ProcessGate {
  let isAlive = true;
  return {
    get isAlive() {
      return isAlive && process.isAlive;
    },
    set isAlive(alive) {
      isAlive = alive;
    },
    get isPaused() {
      return process.isPaused;
    },
    set isPaused(paused) {
      process.isPaused = paused;
    },
    deferred: process.deferred,
  };
}

/** An event that is due at a virtual time. */
export interface Scheduled {
  readonly at: number;
  readonly seq: number;
  readonly run: () => void;
  readonly gate: ProcessGate | null;
  isCancelled: boolean;
}

const isBefore = (a: Scheduled, b: Scheduled): boolean => a.at < b.at || (a.at === b.at && a.seq < b.seq);

/** Virtual time: runs one event after the other, each with all microtasks that follow from it. */
export class EventLoop {
  readonly #heap: Scheduled[] = [];
  readonly #drain = microtaskDrain();
  readonly #onError: (error: unknown, gate: ProcessGate | null) => void;
  #seq = 0;
  #hash = 0x811c9dc5;
  /** Milliseconds since the run began. */
  now = 0;
  /** Number of events so far. */
  count = 0;

  constructor(onError: (error: unknown, gate: ProcessGate | null) => void) {
    this.#onError = onError;
  }

  get traceHash(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, '0');
  }

  /** Mixes a number into the trace hash: equal runs have equal hashes. */
  trace(value: number): void {
    this.#hash = Math.imul(this.#hash ^ (value | 0), 0x01000193);
    this.#hash ^= this.#hash >>> 15;
  }

  at(timeMs: number, gate: ProcessGate | null, run: () => void): Scheduled {
    const scheduled: Scheduled = { at: Math.max(timeMs, this.now), seq: this.#seq++, run, gate, isCancelled: false };
    this.#push(scheduled);
    return scheduled;
  }

  /** Runs events until none is left before `untilMs`, or until `isOver` returns true after an event. */
  run(untilMs: number, isOver: () => boolean): void {
    this.#drain();
    for (;;) {
      const next = this.#heap[0];
      if (!next || next.at > untilMs) break;
      this.#pop();
      if (next.isCancelled) continue;
      this.now = next.at;
      if (this.#occur(next) && isOver()) return;
    }
    this.now = Math.max(this.now, untilMs);
  }

  /** Ends a pause: runs the deferred events. */
  resume(gate: ProcessGate): void {
    gate.isPaused = false;
    for (const event of gate.deferred.splice(0)) this.at(this.now, event.gate, event.run);
  }

  #occur(event: Scheduled): boolean {
    const { gate } = event;
    if (gate && !gate.isAlive) return false;
    if (gate?.isPaused) {
      gate.deferred.push(event);
      return false;
    }
    this.count++;
    this.trace(event.at * 1000);
    try {
      event.run();
    } catch (error) {
      this.#onError(error, gate);
    }
    this.#drain();
    return true;
  }

  #push(item: Scheduled): void {
    const heap = this.#heap;
    let i = heap.push(item) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!isBefore(item, heap[parent]!)) break;
      heap[i] = heap[parent]!;
      i = parent;
    }
    heap[i] = item;
  }

  #pop(): void {
    const heap = this.#heap;
    const item = heap.pop()!;
    if (heap.length === 0) return;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!isBefore(heap[child]!, item)) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = item;
  }
}
