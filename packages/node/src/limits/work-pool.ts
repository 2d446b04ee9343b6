import { Fifo } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { TurnDoors } from '../doors/fair-yield.js';
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
 * A bounded number of requests at once and a bounded queue before it. Newcomers are refused when the queue is full, or
 * when they would wait too long: the backlog divided by the rate at which the pool works backlogs off (Little's law). A
 * refusal costs next to nothing and comes at once, so that what was taken is still answered in time at many times the
 * load that the node can do.
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
   * Whether a client's request may be begun: null at once, else when it is its turn. Before it takes places of the pool
   * a request is parsed and spread over shards; that is done no sooner than the pool gets to it, so that a turn of the
   * event loop that brings many is short and those who wait take little memory. What is not `isWanted` any more costs
   * no turn. Throws the refusal: others may have come since this one was admitted.
   */
  begin(isWanted?: () => boolean): Promise<void> | null;
  /**
   * Takes a place: null at once, else when it is its turn. `isOwn`: for a request that was begun here, which has waited
   * before. Throws the refusal.
   */
  enter(isOwn?: boolean): Promise<void> | null;
  /** Gives the place back. */
  leave(): void;
}

interface Waiting {
  readonly start: () => void;
  readonly isOwn: boolean;
}

interface Beginning {
  readonly begin: () => void;
  readonly isWanted: () => boolean;
  readonly sinceMs: number;
}

const ALWAYS = (): boolean => true;

/** A pool without work. */
export const createWorkPool = (options: WorkPoolOptions): WorkPool => new TurningPool(options);

class TurningPool implements WorkPool {
  readonly refusal: () => Error;
  readonly #options: WorkPoolOptions;
  readonly #waiting = new Fifo<Waiting>();
  readonly #beginning = new Fifo<Beginning>();
  readonly #rate: Rate;
  readonly #beginRate: Rate;
  readonly #turn: Turn;
  #active = 0;
  #largest = 0;
  #completed = 0;
  #rejected = 0;
  #ownWaiting = 0;
  /** Places given to those that wait since a request was begun. */
  #startsSinceBegin = 0;
  #isPumpDue = false;

  constructor(options: WorkPoolOptions) {
    const { name, nodeName, size, queueMax, turns } = options;
    this.#options = options;
    [this.#rate, this.#beginRate] = [createRate(turns.now), createRate(turns.now)];
    this.#turn = createTurn(turns, () => this.#pump());
    this.refusal = sharedFor(SHARED_MS, turns.now, () => {
      const state =
        `pool size = ${Math.min(size, this.#largest)}, active threads = ${this.#active}, queued tasks = ` +
        `${this.counts.queue}, completed tasks = ${this.#completed}`;
      return errors.rejectedExecution(
        `rejected execution of [${name}] on EsThreadPoolExecutor[name = ${nodeName}/${name}, queue capacity = ` +
          `${queueMax}, [Running, ${state}]]`,
      );
    });
  }

  get counts(): PoolCounts {
    return {
      active: this.#active,
      queue: this.#waiting.length + this.#beginning.length,
      largest: this.#largest,
      completed: this.#completed,
      rejected: this.#rejected,
    };
  }

  refuses(): boolean {
    if (!this.#isFull()) return false;
    this.#rejected++;
    return true;
  }

  reject(): Error {
    this.#rejected++;
    return this.refusal();
  }

  begin(isWanted = ALWAYS): Promise<void> | null {
    if (this.#beginning.length === 0 && this.#hasFewOwn() && this.#turn.hasTime()) return null;
    if (this.refuses()) throw this.refusal();
    return new Promise((begin) => this.#beginning.push({ begin, isWanted, sinceMs: this.#options.turns.now() }));
  }

  enter(isOwn = false): Promise<void> | null {
    const { size, queueMax } = this.#options;
    if (isOwn ? this.#waiting.length >= size + queueMax : this.#isOver(0, 0)) throw this.reject();
    if (size !== Infinity && (!this.#turn.hasTime() || this.#active >= size || this.#waiting.length > 0))
      return this.#wait(isOwn);
    this.#start();
    return null;
  }

  leave(): void {
    this.#completed++;
    this.#active--;
    this.#rate.count(this.#active + this.#waiting.length + this.#beginning.length > FREE_BACKLOG);
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
    if (this.#isBeginDue()) this.#beginNext();
    else if (this.#active < this.#options.size && this.#waiting.length > 0) this.#startNext();
    else if (this.#beginning.length > 0 && this.#hasFewOwn()) this.#beginNext();
  }

  #startNext(): void {
    if (!this.#turn.hasTime()) return;
    this.#start();
    this.#startsSinceBegin++;
    const { start, isOwn } = this.#waiting.shift()!;
    if (isOwn) this.#ownWaiting--;
    start();
  }

  #hasFewOwn(): boolean {
    return this.#ownWaiting <= this.#options.size;
  }

  /**
   * Neither keeps the other waiting: what other nodes ask for and what clients ask for take turns. Where what was begun
   * here still waits, fewer begin: but they do, since it may be many searches of one request.
   */
  #isBeginDue(): boolean {
    return this.#beginning.length > 0 && this.#startsSinceBegin >= (this.#hasFewOwn() ? 1 : this.#options.size);
  }

  #beginNext(): void {
    if (!this.#turn.hasTime()) return;
    let next = this.#beginning.shift()!;
    while (!next.isWanted() && this.#beginning.length > 0) {
      next.begin();
      next = this.#beginning.shift()!;
    }
    this.#startsSinceBegin = 0;
    next.begin();
    this.#beginRate.count(this.#beginning.length > 0);
    this.#pumpSoon();
  }

  /** Once what was begun has come as far as it does at once: not all of it takes a place. */
  #pumpSoon(): void {
    if (this.#isPumpDue || this.#beginning.length + this.#waiting.length === 0) return;
    this.#isPumpDue = true;
    this.#options.turns.settled(() => {
      this.#isPumpDue = false;
      this.#pump();
    });
  }

  /** Whether a client's request would wait behind too many, or too long. */
  #isFull(): boolean {
    const beginning = this.#beginning.length;
    if (beginning === 0) return this.#isOver(0, 0);
    // However fast they began before: the first of them has waited for so long.
    const sinceFirstMs = this.#options.turns.now() - this.#beginning.first!.sinceMs;
    return this.#isOver(beginning, Math.max(waitMs(beginning, this.#beginRate.perMs), sinceFirstMs));
  }

  /** The same for what comes to wait for a place, behind so many more that take so long to come to that. */
  #isOver(beginning: number, beginMs: number): boolean {
    const { size, queueMax, delayMaxMs } = this.#options;
    const here = this.#active + this.#waiting.length;
    const backlog = here + beginning;
    if (backlog <= FREE_BACKLOG) return backlog >= size + queueMax;
    return (
      backlog >= size + queueMax ||
      backlog - FREE_BACKLOG >= queueMax ||
      waitMs(here, this.#rate.perMs) + beginMs > delayMaxMs
    );
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
