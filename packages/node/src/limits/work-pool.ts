import { Fifo } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { FairShare, FairTurns } from '../turns/fair-turns.js';
import { createRate, type Rate } from './work-rate.js';

/** This many requests may wait whatever the delay: a burst is no overload. */
const FREE_BACKLOG = 64;
/**
 * Only this many once the queue stands while other kinds of work wait too: 51 clients, each of which asks for an
 * aggregation of 20 ms as soon as it has the last one, are never more than a burst, and with a quarter of the processor
 * wait four seconds for each. Where nobody else wants the processor a few dozen clients are not refused: they wait for
 * each other alone.
 */
const STANDING_BACKLOG = 16;
/**
 * A queue stands when all requests that have begun for `STANDING_MS` had waited for this share of the longest expected
 * wait; newcomers then may wait for `STANDING_DELAY` of it. As in CoDel (Nichols and Jacobson, "Controlling Queue
 * Delay", ACM Queue 10, 2012), only the shortest waits tell a queue that stands from one that a burst has made.
 */
const STANDING_WAIT = 0.25;
const STANDING_DELAY = 0.5;
const STANDING_MS = 500;
/** Refusals within this many milliseconds share an error: creating it costs more than the rest of a refusal. */
const SHARED_MS = 100;

/** Name, sizes and clock of a pool. */
export interface WorkPoolOptions {
  /** Elasticsearch's name of the pool, such as `search`. */
  readonly name: string;
  /** Kind of work whose requests they are; the name of the pool if absent. */
  readonly kind?: string;
  readonly nodeName: string;
  /** Requests worked on at once; Infinity for kinds that only count. */
  readonly size: number;
  /** Number of requests that may wait. */
  readonly queueMax: number;
  /** Longest expected wait in milliseconds; beyond it new requests are refused. */
  readonly delayMaxMs: number;
  /** Turns that this pool shares with others; null for one that only counts. */
  readonly turns: FairTurns | null;
  readonly now: () => number;
}

/** Counters of a pool, as `_nodes/stats` shows them. */
export interface PoolCounts {
  readonly active: number;
  readonly queue: number;
  /** Highest `active` so far. */
  readonly largest: number;
  readonly completed: number;
  readonly rejected: number;
}

/**
 * Bounds the number of running requests and the queue before them. New requests are refused if the queue is full, or if
 * their expected wait is too long: backlog divided by throughput (Little's law). A refusal is cheap and immediate. So
 * accepted requests are answered in time at many times the load that the node can handle.
 */
export interface WorkPool {
  readonly counts: PoolCounts;
  /** Whether a new request must be refused now. */
  readonly isOver: boolean;
  /** Counts a rejection and returns its es_rejected_execution_exception, with the current figures. */
  reject(): Error;
  /**
   * Waits until a client's request may begin: null if at once. Beginning parses the request and spreads it over shards,
   * before its parts `enter` the pool. It is delayed until the pool has room, so that turns of the event loop stay
   * short and waiting requests need little memory. A request that is no longer `isWanted` costs no turn. Throws the
   * refusal if the queue has filled since admission.
   */
  begin(isWanted?: () => boolean): Promise<void> | null;
  /**
   * Takes a place in the pool: null if at once, else resolves when there is one. `isOwn`: part of a request that
   * already waited in `begin` on this node. Throws the refusal.
   */
  enter(isOwn?: boolean): Promise<void> | null;
  /** Releases the place. */
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

/** The turns of a pool that only counts: all may start at once. */
const UNSHARED: FairShare = {
  hasTime: () => true,
  mayStart: () => true,
  isContested: () => false,
  wake: () => undefined,
  arrived: () => undefined,
};

const ALWAYS = (): boolean => true;

/** Creates a pool without work. */
export const createWorkPool = (options: WorkPoolOptions): WorkPool => new TurningPool(options);

class TurningPool implements WorkPool {
  readonly #refusal: () => Error;
  readonly #options: WorkPoolOptions;
  readonly #waiting = new Fifo<Waiting>();
  readonly #beginning = new Fifo<Beginning>();
  readonly #rate: Rate;
  readonly #beginRate: Rate;
  readonly #share: FairShare;
  #active = 0;
  #largest = 0;
  #completed = 0;
  #rejected = 0;
  #ownWaiting = 0;
  /** Number of places given to waiting work since the last request began. */
  #startsSinceBegin = 0;
  /** When the first of the requests began that have all waited long; Infinity if the last one has not. */
  #longWaitsSinceMs = Infinity;

  constructor(options: WorkPoolOptions) {
    const { name, kind = name, nodeName, size, queueMax, turns, now } = options;
    this.#options = options;
    [this.#rate, this.#beginRate] = [createRate(now), createRate(now)];
    const waiting = { isReady: () => this.#isReady(), start: () => this.#startReady() };
    this.#share = turns?.join(waiting, kind) ?? UNSHARED;
    this.#refusal = sharedFor(SHARED_MS, now, () => {
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

  get isOver(): boolean {
    return this.#isFull();
  }

  reject(): Error {
    this.#share.arrived();
    return this.#refuse();
  }

  begin(isWanted = ALWAYS): Promise<void> | null {
    this.#share.arrived();
    if (this.#beginning.length === 0 && this.#hasFewOwn() && this.#share.mayStart()) {
      this.#longWaitsSinceMs = Infinity;
      return null;
    }
    if (this.#isFull()) throw this.#refuse();
    return new Promise((begin) => {
      this.#beginning.push({ begin, isWanted, sinceMs: this.#options.now() });
      this.#share.wake();
    });
  }

  enter(isOwn = false): Promise<void> | null {
    const { size, queueMax } = this.#options;
    if (!isOwn) this.#share.arrived();
    if (isOwn ? this.#waiting.length >= size + queueMax : this.#isOver(0, 0)) throw this.#refuse();
    if (this.#active >= size || this.#waiting.length > 0 || !(isOwn ? this.#hasTime() : this.#share.mayStart()))
      return this.#wait(isOwn);
    this.#start();
    return null;
  }

  #refuse(): Error {
    this.#rejected++;
    return this.#refusal();
  }

  leave(): void {
    this.#completed++;
    this.#active--;
    this.#rate.count(this.#active + this.#waiting.length + this.#beginning.length > STANDING_BACKLOG);
    if (this.#beginning.length + this.#waiting.length > 0) this.#share.wake();
  }

  /** Work without a limit of places has had its turn when its request began. */
  #hasTime(): boolean {
    return this.#options.size === Infinity || this.#share.hasTime();
  }

  #wait(isOwn: boolean): Promise<void> {
    if (isOwn) this.#ownWaiting++;
    return new Promise((start) => {
      this.#waiting.push({ start, isOwn });
      this.#share.wake();
    });
  }

  #start(): void {
    this.#active++;
    if (this.#active > this.#largest) this.#largest = this.#active;
  }

  #isReady(): boolean {
    if (this.#waiting.length > 0 && this.#active < this.#options.size) return true;
    return this.#beginning.length > 0 && (this.#hasFewOwn() || this.#isBeginDue());
  }

  #startReady(): void {
    if (this.#isBeginDue()) this.#beginNext();
    else if (this.#active < this.#options.size && this.#waiting.length > 0) this.#startNext();
    else this.#beginNext();
  }

  #startNext(): void {
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
   * Whether the next client request begins before waiting work starts. Work of other nodes and client requests
   * alternate, so that neither starves. If much work begun here still waits, requests begin less often, but never stop:
   * the work may be many searches of one request.
   */
  #isBeginDue(): boolean {
    return this.#beginning.length > 0 && this.#startsSinceBegin >= (this.#hasFewOwn() ? 1 : this.#options.size);
  }

  #beginNext(): void {
    let next = this.#beginning.shift()!;
    while (!next.isWanted() && this.#beginning.length > 0) {
      next.begin();
      next = this.#beginning.shift()!;
    }
    this.#startsSinceBegin = 0;
    this.#noteWait(next.sinceMs);
    next.begin();
    this.#beginRate.count(this.#beginning.length > 0);
  }

  #noteWait(sinceMs: number): void {
    const now = this.#options.now();
    const isLong = now - sinceMs > STANDING_WAIT * this.#options.delayMaxMs;
    this.#longWaitsSinceMs = isLong ? Math.min(this.#longWaitsSinceMs, now) : Infinity;
  }

  get #isStanding(): boolean {
    const isLong = this.#beginning.length > 0 && this.#options.now() - this.#longWaitsSinceMs > STANDING_MS;
    return isLong && this.#share.isContested();
  }

  /** Whether a client's request would wait behind too many, or too long. */
  #isFull(): boolean {
    const beginning = this.#beginning.length;
    if (beginning === 0) return this.#isOver(0, 0);
    // The first has already waited this long, whatever the measured rate says.
    const sinceFirstMs = this.#options.now() - this.#beginning.first!.sinceMs;
    return this.#isOver(beginning, Math.max(waitMs(beginning, this.#beginRate.perMs), sinceFirstMs));
  }

  /**
   * Whether new work would wait too long behind `beginning` requests that begin within `beginMs` milliseconds, and
   * behind the work in the pool.
   */
  #isOver(beginning: number, beginMs: number): boolean {
    const { size, queueMax, delayMaxMs } = this.#options;
    const here = this.#active + this.#waiting.length;
    const backlog = here + beginning;
    const isStanding = this.#isStanding;
    // Not the other searches of a request that has begun: few clients are few, however many searches each asks for.
    const apart = backlog - this.#ownWaiting;
    if (apart <= (isStanding ? STANDING_BACKLOG : FREE_BACKLOG)) return backlog >= size + queueMax;
    return (
      backlog >= size + queueMax ||
      backlog - FREE_BACKLOG >= queueMax ||
      waitMs(here, this.#rate.perMs) + beginMs > (isStanding ? STANDING_DELAY * delayMaxMs : delayMaxMs)
    );
  }
}

/** Returns a function that makes an error, and returns the same one for `sharedMs` milliseconds. */
function sharedFor(sharedMs: number, now: () => number, make: () => Error): () => Error {
  let [shared, sharedAt]: [Error | null, number] = [null, 0];
  return () => {
    if (shared !== null && now() - sharedAt < sharedMs) return shared;
    sharedAt = now();
    shared = make();
    return shared;
  };
}

/** Expected wait in milliseconds; 0 if the rate is not known. */
function waitMs(backlog: number, perMs: number): number {
  return perMs > 0 ? backlog / perMs : 0;
}
