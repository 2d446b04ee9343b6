import type { Random } from '@shoal/doors';
import type { EventLoop, ProcessGate } from '../time/event-loop.js';

/** How a disk behaves now. Times in milliseconds. */
export interface DeviceFaults {
  slowFactor: number;
  /** Virtual time until which syncs hang. */
  stalledUntil: number;
  /** Virtual time until which the disk is full. */
  fullUntil: number;
  /** Number of synced writes that will fail with an input/output error. */
  failures: number;
}

/** Defects of a disk that a mutation plants: it reports success without having written. */
export interface Lies {
  /** Stores report a sync without doing it. */
  readonly storeSync?: boolean;
  /** Plain files report a sync without doing it. */
  readonly fileSync?: boolean;
  /** Every n-th batch of a store is dropped. */
  readonly dropsBatch?: number;
}

/** One node's disk as a device: how long it takes, and when it fails. Outlives the node's processes. */
export class Device {
  readonly faults: DeviceFaults = { slowFactor: 1, stalledUntil: 0, fullUntil: 0, failures: 0 };
  readonly #loop: EventLoop;
  readonly #random: Random;

  readonly lies: Lies;
  /** Virtual time at which all begun operations are done. */
  lastDoneAt = 0;

  constructor(loop: EventLoop, random: Random, lies: Lies) {
    this.#loop = loop;
    this.#random = random;
    this.lies = lies;
  }

  get random(): Random {
    return this.#random;
  }

  get isFull(): boolean {
    return this.#loop.now < this.faults.fullUntil;
  }

  heal(): void {
    this.faults.slowFactor = 1;
    this.faults.stalledUntil = 0;
    this.faults.fullUntil = 0;
    this.faults.failures = 0;
  }

  /** Uses up one pending failure; false if there is none. */
  takeFailure(): boolean {
    if (this.faults.failures === 0) return false;
    this.faults.failures--;
    return true;
  }

  /** Returns the virtual time at which an operation that begins now, or at `notBefore`, is done. */
  doneAt(kind: 'read' | 'write' | 'sync', notBefore: number = 0): number {
    const typicalMs = kind === 'sync' ? 1 : 0.1;
    const tail = this.#random.next() < 0.01 ? 20 : 1;
    const took = typicalMs * (0.3 + this.#random.next()) * this.faults.slowFactor * tail;
    const start = Math.max(this.#loop.now, notBefore, kind === 'sync' ? this.faults.stalledUntil : 0);
    this.lastDoneAt = Math.max(this.lastDoneAt, start + took);
    return start + took;
  }

  /** Resolves at `at`, unless the process has died by then. */
  wait(gate: ProcessGate, at: number): Promise<void> {
    return new Promise((resolve) => void this.#loop.at(at, gate, resolve));
  }
}

/** Errors in the words of LevelDB and Node. */
export const noSpace = (): Error =>
  Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
/** The input/output error of a failed sync. */
export const ioFailure = (): Error => Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
