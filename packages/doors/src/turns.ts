import { Fifo } from './fifo.js';

/** Runs work, so many pieces at a time, in the order in which it came. */
export interface Turns {
  /** Runs a piece of work in its turn. Rejects with what `refusal` makes when too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Pieces that wait. */
  readonly waiting: number;
  /** Pieces that were refused so far. */
  readonly refused: number;
}

/** When work is refused. */
export interface TurnsLimits {
  /** Pieces that may wait: a flood of them is refused instead of taking the processor from everything else. */
  readonly waitingMax: number;
  /** The error of a piece that is refused while `running` run and `waiting` wait. */
  refusal(running: number, waiting: number): Error;
}

/** Turns for work of which `runningMax` pieces run at a time. None is refused unless `limits` says when. */
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

/** Results of `work` beside the items; at most `limit` items are worked on at once, in their order. */
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
