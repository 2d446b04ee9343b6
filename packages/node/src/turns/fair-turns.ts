import { Fifo } from '@shoal/doors';
import { FairShares } from './fair-shares.js';
import { RestOfRequests } from './rest-of-requests.js';
import type { TurnDoors } from './turn-doors.js';
import { WorkMeter } from './work-meter.js';

/**
 * Milliseconds of waiting work in a turn before the event loop looks at its sockets, and of requests that start as they
 * arrive. Longer turns bring no more throughput under overload: with 14 ms the p99 of a refusal was 48-64 ms instead of
 * 29-33.
 */
const TURN_MS = 8;
/**
 * If sockets are busy, work runs this many times as long as they took, up to `TURN_MAX_MS`, and at least as long as
 * they took: on a machine that others use, refusing a hundred requests takes a second, and work would get a thirtieth.
 * But after something that took many seconds, such as a process that was stopped, sockets do not wait as long again.
 */
const WORK_SHARE = 4;
const TURN_MAX_MS = 32;
const TURN_LONGEST_MS = 500;
/**
 * A turn of the event loop accepts one connection. After a long turn the sockets are polled once for each
 * `POLL_EVERY_MS` milliseconds of the turn, at most `POLLS_MAX` times.
 */
const POLL_EVERY_MS = 5;
const POLLS_MAX = 64;
/** Milliseconds of cheap requests that start together, because the time is looked at once for them; most of them. */
const TOGETHER_MS = 0.5;
const TOGETHER_MAX = 32;
/** Weight of the newest measurement in the average cost of a request. */
const NEWEST = 0.2;

/** Kind of calls about the cluster and the node: short, and asked for when something is wrong. */
const CONTROL = 0;
/** How many times as much as another kind it may use before it waits for one. */
const CONTROL_WEIGHT = 4;
/** Kind of all work that no request began: merges, recoveries, timers. */
const BACKGROUND = 1;
/** Kind of what the node reads and writes all the time though nobody has just asked for it, as datafeeds do. */
const ASIDE = 2;
/** How much it may use for each millisecond of another kind that waits. */
const ASIDE_WEIGHT = 0.25;
const NONE = -1;

/** How many requests a span starts that only goes on with what runs, and one that is for a request. */
const NOTHING = (): number => 0;
const ONE = (): number => 1;

/** Requests of a kind that wait for turns. */
export interface WaitingRequests {
  /** Whether a request waits that may start. */
  isReady(): boolean;
  /** Starts the request that has waited longest. */
  start(): void;
}

/** What a kind of requests knows of the turns that it shares with others. */
export interface FairShare {
  /** Whether this turn of the event loop has time left. */
  hasTime(): boolean;
  /**
   * Whether a request that has just arrived starts at once: the turn has time, and no requests wait that could start.
   * What runs until it first waits is charged to its kind.
   */
  mayStart(): boolean;
  /** Whether requests of other kinds wait for a turn now, or to go on. */
  isContested(): boolean;
  /** Called when requests of the kind may have become ready. */
  wake(): void;
  /** Called for each request of the kind that arrives, refused or not. */
  arrived(): void;
}

/** What a kind of work has used of the thread. */
export interface WorkTime {
  readonly kind: string;
  readonly usedMs: number;
  /** The longest time of its work at a stretch. */
  readonly longestMs: number;
}

interface Kind {
  readonly name: string;
  readonly waiting: WaitingRequests | null;
  /** Work of the kind that has given the thread back and waits to go on. */
  readonly paused: Fifo<() => void>;
  /** How many of them may go on in this turn: those that waited when it began. */
  due: number;
  /** Average milliseconds of a request until it first waits. */
  costMs: number;
  usedMs: number;
  longestMs: number;
}

const newKind = (name: string, waiting: WaitingRequests | null): Kind => ({
  name,
  waiting,
  paused: new Fifo(),
  due: 0,
  costMs: TOGETHER_MS,
  usedMs: 0,
  longestMs: 0,
});

const hasWaiting = ({ waiting, paused }: Kind): boolean => paused.length > 0 || waiting?.isReady() === true;

/**
 * Shares the turns of an event loop among kinds of work by the processor time that they use (`FairShares`). Requests
 * start, and work that has given the thread back goes on, one after the other for some milliseconds; each such span,
 * until nothing more can run at once, is charged to its kind by the processor time that it took. Then the sockets are
 * looked at, so that newcomers are refused in time. Work of long requests belongs to the kind of the span in which it
 * pauses, or waits for a disk (`follow`), or to the one in which it took a lane.
 */
export class FairTurns {
  readonly #doors: TurnDoors;
  readonly #shares = new FairShares();
  readonly #rest: RestOfRequests;
  readonly #meter: WorkMeter;
  readonly #kinds: Kind[] = [];
  /** Kind of the span that runs now. */
  #current = NONE;
  /** Whether a turn is asked for or runs. */
  #isScheduled = false;
  #isRunning = false;
  #sinceMs = 0;
  #endMs = 0;
  /** End of the time in which requests that arrive between two turns start at once; 0 if none has arrived. */
  #arrivalsEndMs = 0;

  constructor(doors: TurnDoors) {
    this.#doors = doors;
    this.#meter = new WorkMeter(doors.now, doors.processorMs);
    this.#rest = new RestOfRequests(doors);
    this.#add('control', null, CONTROL_WEIGHT);
    this.#add('background', null, 1);
    this.#add('aside', null, ASIDE_WEIGHT);
  }

  /** Adds a kind of requests, whose share is as large as that of each other kind. */
  join(waiting: WaitingRequests, name: string): FairShare {
    const kind = this.#add(name, waiting, 1);
    return {
      hasTime: () => this.#hasTime(),
      mayStart: () => this.#mayStart(kind),
      isContested: () => this.#kinds.some((other, number) => number > ASIDE && number !== kind && hasWaiting(other)),
      wake: () => this.#schedule(),
      arrived: () => this.#rest.arrived(),
    };
  }

  /** Time that each kind has used, the largest part of what this thread has done. */
  times(): readonly WorkTime[] {
    return this.#kinds.map(({ name, usedMs, longestMs }) => ({ kind: name, usedMs, longestMs }));
  }

  /** What runs from now on, until it first waits, is a call about the cluster: it waits for no other kind. */
  startControl(): void {
    if (this.#current === NONE) this.#span(CONTROL, NOTHING);
  }

  /** Runs work that no request began. */
  inBackground(work: () => void): void {
    if (this.#current !== NONE) return work();
    this.#span(BACKGROUND, () => {
      work();
      return 0;
    });
  }

  /**
   * Returns a promise for the same, of a disk or another thread; what comes after it is charged to the kind that asks.
   * Without it, what a bulk does when the log is written would be nobody's, and divided among all requests.
   */
  readonly follow = async <T>(promise: Promise<T>): Promise<T> => {
    const kind = this.#kindNow();
    try {
      return await promise;
    } finally {
      if (this.#current === NONE) this.#span(kind, NOTHING);
    }
  };

  /** Resolves in a later turn of the event loop, when it is the turn of the kind whose work calls this. */
  readonly pause = (): Promise<void> => this.#pauseAs(this.#kindNow());

  /**
   * Returns a `pause` whose work goes on in the kind that calls this. What a call awaits may be of another kind, and
   * its own work, which that one resolves, runs in the span of the other until it pauses so.
   */
  readonly lane = (): (() => Promise<void>) => {
    const kind = this.#kindNow();
    return () => this.#pauseAs(kind);
  };

  /** Resolves in a later turn; what comes after it is work that waits for requests. */
  readonly aside = (): Promise<void> => this.#pauseAs(ASIDE);

  #add(name: string, waiting: WaitingRequests | null, weight: number): number {
    this.#kinds.push(newKind(name, waiting));
    return this.#shares.join(weight);
  }

  #pauseAs(kind: number): Promise<void> {
    const { paused } = this.#kinds[kind]!;
    return new Promise((resolve) => {
      paused.push(resolve);
      this.#schedule();
    });
  }

  #kindNow(): number {
    return this.#current === NONE ? BACKGROUND : this.#current;
  }

  #mayStart(kind: number): boolean {
    if (this.#kinds.some(({ waiting }) => waiting?.isReady() === true) || !this.#hasTime()) return false;
    if (this.#current === NONE) this.#span(kind, ONE);
    return true;
  }

  #hasTime(): boolean {
    const now = this.#doors.now();
    if (this.#isRunning) return now < this.#endMs;
    if (this.#arrivalsEndMs === 0) {
      this.#arrivalsEndMs = now + TURN_MS;
      this.#doors.later(() => (this.#arrivalsEndMs = 0));
    }
    return now < this.#arrivalsEndMs;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#doors.later(() => this.#begin(0));
  }

  /** Begins a turn; `idleMs`: time since the last one, if work has waited since. */
  #begin(idleMs: number): void {
    this.#sinceMs = this.#doors.now();
    const mostMs = Math.min(TURN_LONGEST_MS, Math.max(TURN_MAX_MS, idleMs));
    this.#endMs = this.#sinceMs + Math.min(mostMs, Math.max(TURN_MS, WORK_SHARE * idleMs));
    this.#isRunning = true;
    for (const kind of this.#kinds) kind.due = kind.paused.length;
    this.#next();
  }

  #next(): void {
    const kind = this.#doors.now() < this.#endMs ? this.#shares.next((other) => this.#mayGoOn(other)) : NONE;
    if (kind === NONE) this.#end();
    else
      this.#span(
        kind,
        () => this.#run(this.#kinds[kind]!),
        () => this.#next(),
      );
  }

  #mayGoOn(number: number): boolean {
    const kind = this.#kinds[number]!;
    return kind.due > 0 || kind.waiting?.isReady() === true;
  }

  /** Runs `work` and all that it causes at once, and charges it to a kind. `work` returns how many requests start. */
  #span(number: number, work: () => number, after?: () => void): void {
    const kind = this.#kinds[number]!;
    this.#meter.begin();
    this.#current = number;
    const started = work();
    this.#doors.settled(() => {
      this.#current = NONE;
      const ms = this.#meter.end();
      kind.usedMs += ms;
      kind.longestMs = Math.max(kind.longestMs, ms);
      this.#rest.spent(ms);
      this.#shares.charge(number, ms + started * this.#rest.averageMs);
      if (started > 0) kind.costMs += NEWEST * (ms / started - kind.costMs);
      after?.();
    });
  }

  /** Lets work of a kind go on, or starts as many requests as take about `TOGETHER_MS`. */
  #run(kind: Kind): number {
    if (kind.due > 0) {
      kind.due--;
      kind.paused.shift()!();
      return 0;
    }
    const together = Math.min(TOGETHER_MAX, Math.floor(TOGETHER_MS / Math.max(0.01, kind.costMs)));
    let started = 0;
    do {
      kind.waiting!.start();
      started++;
    } while (started < together && kind.waiting!.isReady());
    return started;
  }

  #end(): void {
    this.#isRunning = false;
    this.#isScheduled = this.#kinds.some(hasWaiting);
    const at = this.#doors.now();
    if (this.#isScheduled) this.#poll(at, Math.min(POLLS_MAX, Math.floor((at - this.#sinceMs) / POLL_EVERY_MS)));
  }

  #poll(from: number, more: number): void {
    const { now, later } = this.#doors;
    later(() => {
      if (more > 1 && (now() - from) * WORK_SHARE < from - this.#sinceMs) this.#poll(from, more - 1);
      else this.#begin(now() - from);
    });
  }
}
