import { errors } from '@shoal/errors';
import type { TurnDoors } from '../doors/fair-yield.js';
import { createFifo } from './fifo.js';
import { createRate, type Rate } from './work-rate.js';
import { createTurn, type Turn } from './work-turn.js';

/** So many requests may wait whatever the delay: a burst is no overload. */
const FREE_BACKLOG = 64;
/** Refusals of this time share an error: making one costs more than all else of a refusal. */
const SHARED_MS = 100;

export interface WorkPoolOptions {
  /** `search`. */
  readonly name: string;
  readonly nodeName: string;
  /** Requests worked on at once; Infinity for kinds that only count. */
  readonly size: number;
  /** Requests that may wait. */
  readonly queueMax: number;
  /** Milliseconds that a request may be expected to wait; beyond it newcomers are refused. */
  readonly delayMaxMs: number;
  readonly turns: TurnDoors;
}

/** What a pool has done. */
export interface PoolCounts {
  readonly active: number;
  readonly queue: number;
  /** Highest `active` so far. */
  readonly largest: number;
  readonly completed: number;
  readonly rejected: number;
}

/**
 * A bounded number of requests at once and a bounded queue before it. Newcomers are refused when the queue is full, or when they would
 * wait too long: the backlog divided by the rate at which the pool works backlogs off (Little's law). A refusal costs next to nothing and comes at
 * once, so that what was taken is still answered in time at many times the load that the node can do.
 */
export interface WorkPool {
  readonly counts: PoolCounts;
  /** Whether a newcomer would be refused now; counts it as such. */
  refuses(): boolean;
  /** es_rejected_execution_exception with the figures of now. */
  refusal(): Error;
  /** The refusal of a newcomer for a reason of the caller's, counted. */
  reject(): Error;
  /**
   * Whether a client's request may be begun: null at once, else when it is its turn. Before it takes places of the pool a request is parsed and spread over
   * shards; that is done no sooner than the pool gets to it, so that a turn of the event loop that brings many is short and those who wait take little memory.
   */
  begin(): Promise<void> | null;
  /** Takes a place: null at once, else when it is its turn. `isOwn`: for a request that was begun here. Throws the refusal. */
  enter(isOwn?: boolean): Promise<void> | null;
  /** Gives the place back. */
  leave(): void;
}

interface Waiting {
  readonly start: () => void;
  readonly isOwn: boolean;
}

/** A pool without work. */
export const createWorkPool = (options: WorkPoolOptions): WorkPool => new TurningPool(options);

class TurningPool implements WorkPool {
  readonly refusal: () => Error;
  readonly #options: WorkPoolOptions;
  readonly #waiting = createFifo<Waiting>();
  readonly #beginning = createFifo<() => void>();
  readonly #rate: Rate;
  readonly #beginRate: Rate;
  readonly #turn: Turn;
  #active = 0;
  #largest = 0;
  #completed = 0;
  #rejected = 0;
  #ownWaiting = 0;
  #isPumpDue = false;

  constructor(options: WorkPoolOptions) {
    const { name, nodeName, size, queueMax, turns } = options;
    this.#options = options;
    [this.#rate, this.#beginRate] = [createRate(turns.now), createRate(turns.now)];
    this.#turn = createTurn(turns, () => this.#pump());
    this.refusal = sharedFor(SHARED_MS, turns.now, () => {
      const state = `pool size = ${Math.min(size, this.#largest)}, active threads = ${this.#active}, queued tasks = ${this.counts.queue}, completed tasks = ${this.#completed}`;
      return errors.rejectedExecution(`rejected execution of [${name}] on EsThreadPoolExecutor[name = ${nodeName}/${name}, queue capacity = ${queueMax}, [Running, ${state}]]`);
    });
  }

  get counts(): PoolCounts {
    return { active: this.#active, queue: this.#waiting.length + this.#beginning.length, largest: this.#largest, completed: this.#completed, rejected: this.#rejected };
  }

  refuses(): boolean {
    if (!this.#isOver()) return false;
    this.#rejected++;
    return true;
  }

  reject(): Error {
    this.#rejected++;
    return this.refusal();
  }

  begin(): Promise<void> | null {
    if (this.#beginning.length === 0 && this.#mayBegin()) return null;
    return new Promise((resolve) => this.#beginning.push(resolve));
  }

  enter(isOwn = false): Promise<void> | null {
    const { size, queueMax } = this.#options;
    // What was begun here has waited before.
    if (isOwn && this.#waiting.length >= size + queueMax) throw this.reject();
    if (!isOwn && this.refuses()) throw this.refusal();
    if (size !== Infinity && (!this.#turn.hasTime() || this.#active >= size || this.#waiting.length > 0)) return this.#wait(isOwn);
    this.#start();
    return null;
  }

  leave(): void {
    this.#completed++;
    this.#active--;
    this.#rate.count(this.#active + this.#waiting.length > FREE_BACKLOG);
    if (this.#waiting.length > 0) this.#pump();
    else this.#pumpSoon();
  }

  #wait(isOwn: boolean): Promise<void> {
    if (isOwn) this.#ownWaiting++;
    return new Promise((start) => this.#waiting.push({ start, isOwn }));
  }

  #start(): void {
    this.#active++;
    if (this.#active > this.#largest) this.#largest = this.#active;
  }

  #pump(): void {
    if (this.#active >= this.#options.size || this.#waiting.length === 0 || !this.#turn.hasTime()) return this.#beginNext();
    this.#start();
    const { start, isOwn } = this.#waiting.shift()!;
    if (isOwn) this.#ownWaiting--;
    start();
  }

  /** Others' requests are no reason not to begin any here: about as many of each kind wait. */
  #mayBegin(): boolean {
    return this.#ownWaiting <= Math.max(this.#options.size, this.#waiting.length - this.#ownWaiting) && this.#turn.hasTime();
  }

  #beginNext(): void {
    if (this.#beginning.length === 0 || !this.#mayBegin()) return;
    this.#beginning.shift()!();
    this.#beginRate.count(this.#beginning.length > 0);
    this.#pumpSoon();
  }

  /** Once what was begun has come as far as it does at once: not all of it takes a place. */
  #pumpSoon(): void {
    if (this.#isPumpDue || this.#beginning.length === 0) return;
    this.#isPumpDue = true;
    this.#options.turns.settled(() => {
      this.#isPumpDue = false;
      this.#pump();
    });
  }

  #isOver(): boolean {
    const { size, queueMax, delayMaxMs } = this.#options;
    const [here, newcomers] = [this.#active + this.#waiting.length, this.#beginning.length];
    const backlog = here + newcomers;
    if (backlog <= FREE_BACKLOG) return backlog >= size + queueMax;
    return backlog >= size + queueMax || backlog - FREE_BACKLOG >= queueMax || waitMs(here, this.#rate.perMs) + waitMs(newcomers, this.#beginRate.perMs) > delayMaxMs;
  }
}

/** The same error again for so many milliseconds. */
function sharedFor(sharedMs: number, now: () => number, make: () => Error): () => Error {
  let [shared, sharedAt]: [Error | null, number] = [null, 0];
  return () => {
    if (shared !== null && now() - sharedAt < sharedMs) return shared;
    sharedAt = now();
    shared = make();
    return shared;
  };
}

/** 0 while the rate is not known. */
function waitMs(backlog: number, perMs: number): number {
  return perMs > 0 ? backlog / perMs : 0;
}
