import { Fifo } from './fifo.js';

/** Limits how many pieces of work run at a time; the others wait in the order in which they came. */
export interface Turns {
  /** Runs a piece of work in its turn. Rejects with the error of `refusal` if too many pieces wait already. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Number of pieces that wait. */
  readonly waiting: number;
  /** Number of pieces that were refused so far. */
  readonly refused: number;
}

/** When and how `createTurns` refuses work. */
export interface TurnsLimits {
  /** Limit of the pieces that wait; more are refused, so that a flood does not take the processor from other work. */
  readonly waitingMax: number;
  /** Returns the error of a refused piece, given the numbers of pieces that run and wait. */
  refusal(running: number, waiting: number): Error;
}

/** Turns for at most `runningMax` pieces at a time. If `limits` is null, no piece is refused. */
export function createTurns(runningMax: number, limits: TurnsLimits | null = null): Turns {
  const queue = new Fifo<() => void>();
  let running = 0;
  let refused = 0;
  const ended = (): void => {
    const next = queue.shift();
    if (next) next();
    else running--;
  };
  return {
    async run(work) {
      if (running < runningMax) running++;
      else {
        if (limits !== null && queue.length >= limits.waitingMax) {
          refused++;
          throw limits.refusal(running, queue.length);
        }
        await new Promise<void>((resolve) => queue.push(resolve));
      }
      try {
        return await work();
      } finally {
        ended();
      }
    },
    get waiting() {
      return queue.length;
    },
    get refused() {
      return refused;
    },
  };
}

/** Results of `work` for each item, in the order of the items; at most `limit` items are worked on at a time. */
export async function inTurns<T, R>(items: readonly T[], limit: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const workOff = async (): Promise<void> => {
    while (next < items.length) {
      const i = next++;
      results[i] = await work(items[i]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, workOff));
  return results;
}
