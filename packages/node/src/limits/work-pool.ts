import { errors } from '@shoal/errors';

/** So many requests may wait whatever the delay: a burst is no overload. */
const FREE_BACKLOG = 64;
/** The rate is measured over windows of this length, while there is a backlog. */
const WINDOW_MS = 100;
/** Weight of the newest window. */
const NEWEST = 0.3;
/** After so long in one turn of the event loop the rest waits for the next turn of the event loop: what arrived meanwhile has to be seen to be refused in time. */
const RUN_MS = 8;
/** Refusing many takes time too: work that waits gets this many times what the rest of the turn before has taken, so that it keeps four fifths. */
const WORK_SHARE = 4;
/** It gets no more than this at a time: a refusal must not be late either. */
const RUN_MAX_MS = 14;
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
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Runs a callback in a later turn of the event loop. */
  readonly later: (callback: () => void) => void;
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
  /** Takes a place: null at once, else when it is its turn. Throws the refusal. */
  enter(): Promise<void> | null;
  /** Gives the place back. */
  leave(): void;
}

/** A pool without work. */
export function createWorkPool({ name, nodeName, size, queueMax, delayMaxMs, now, later }: WorkPoolOptions): WorkPool {
  const waiting = createQueue<() => void>();
  let [active, largest, completed, rejected] = [0, 0, 0, 0];
  const rate = createRate(now);
  let [shared, sharedAt]: [Error | null, number] = [null, 0];

  const start = (): void => {
    active++;
    if (active > largest) largest = active;
  };
  const turn = createTurn(now, later, () => pump());
  const pump = (): void => {
    if (waiting.length === 0 || active >= size || !turn.hasTime()) return;
    start();
    waiting.shift()!();
  };
  const isOver = (): boolean => {
    const backlog = active + waiting.length;
    if (backlog <= FREE_BACKLOG) return backlog >= size + queueMax;
    return backlog >= size + queueMax || backlog - FREE_BACKLOG >= queueMax || (rate.perMs > 0 && backlog / rate.perMs > delayMaxMs);
  };
  const pool: WorkPool = {
    get counts() {
      return { active, queue: waiting.length, largest, completed, rejected };
    },
    refuses() {
      if (!isOver()) return false;
      rejected++;
      return true;
    },
    refusal() {
      if (shared !== null && now() - sharedAt < SHARED_MS) return shared;
      sharedAt = now();
      const state = `pool size = ${Math.min(size, largest)}, active threads = ${active}, queued tasks = ${waiting.length}, completed tasks = ${completed}`;
      shared = errors.rejectedExecution(`rejected execution of [${name}] on EsThreadPoolExecutor[name = ${nodeName}/${name}, queue capacity = ${queueMax}, [Running, ${state}]]`);
      return shared;
    },
    reject() {
      rejected++;
      return pool.refusal();
    },
    enter() {
      if (pool.refuses()) throw pool.refusal();
      if (size !== Infinity && (!turn.hasTime() || active >= size || waiting.length > 0)) return new Promise((resolve) => waiting.push(resolve));
      start();
      return null;
    },
    leave() {
      completed++;
      active--;
      rate.count(active + waiting.length > FREE_BACKLOG);
      pump();
    },
  };
  return pool;
}

/** A turn of the event loop. */
interface Turn {
  /** Whether work may begin in this one; the first that asks begins it. */
  hasTime(): boolean;
}

function createTurn(now: () => number, later: (callback: () => void) => void, atEnd: () => void): Turn {
  let [since, isOpen, runMs] = [0, false, RUN_MS];
  /** When the work of the last turn had to stop; null while it does not. */
  let stoppedAt: number | null = null;
  return {
    hasTime() {
      const at = now();
      if (isOpen) {
        if (at - since < runMs) return true;
        stoppedAt ??= at;
        return false;
      }
      runMs = stoppedAt === null ? RUN_MS : Math.min(RUN_MAX_MS, Math.max(RUN_MS, WORK_SHARE * (at - stoppedAt)));
      stoppedAt = null;
      [since, isOpen] = [at, true];
      later(() => {
        isOpen = false;
        atEnd();
      });
      return true;
    },
  };
}

/** How fast a backlog is worked off. */
interface Rate {
  /** Of the last windows with a backlog; 0 before there was one. */
  readonly perMs: number;
  /** One more is done. */
  count(hasBacklog: boolean): void;
}

/** Without a backlog the rate says how much is asked for, not how much can be done: it is not measured then. */
function createRate(now: () => number): Rate {
  let [perMs, start, done] = [0, 0, 0];
  return {
    get perMs() {
      return perMs;
    },
    count(hasBacklog) {
      if (!hasBacklog) return void (start = 0);
      const at = now();
      if (start === 0) [start, done] = [at, 0];
      else done++;
      if (at - start < WINDOW_MS) return;
      const sample = done / (at - start);
      perMs = perMs === 0 ? sample : (1 - NEWEST) * perMs + NEWEST * sample;
      [start, done] = [at, 0];
    },
  };
}

/** First in, first out, without moving the rest at each step. */
function createQueue<T>(): { readonly length: number; push(item: T): void; shift(): T | undefined } {
  let items: (T | undefined)[] = [];
  let head = 0;
  return {
    get length() {
      return items.length - head;
    },
    push: (item) => void items.push(item),
    shift() {
      if (head === items.length) return undefined;
      const item = items[head];
      items[head++] = undefined;
      if (head > 256 && head * 2 > items.length) {
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
  };
}
