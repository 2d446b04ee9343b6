import { errors } from '@shoal/errors';

/** Runs at most so many pieces of work at once; the others wait in order. */
export interface BoundedWork {
  /** Rejects with es_rejected_execution_exception (429) when too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Pieces that wait. */
  readonly waiting: number;
  /** Pieces that were refused so far. */
  readonly refused: number;
}

/** A queue before expensive work: a flood of it is refused instead of taking the processor from everything else. */
export function boundedWork({ runningMax, waitingMax }: { runningMax: number; waitingMax: number }): BoundedWork {
  const queue: (() => void)[] = [];
  let running = 0;
  let refused = 0;
  const turn = (): Promise<void> => {
    if (running < runningMax) {
      running++;
      return Promise.resolve();
    }
    return new Promise((resolve) => queue.push(resolve));
  };
  const leave = (): void => {
    const next = queue.shift();
    if (next) next();
    else running--;
  };
  return {
    async run(work) {
      if (running >= runningMax && queue.length >= waitingMax) {
        refused++;
        throw errors.rejectedExecution(
          `rejected execution of a password check: ${running} run and ${queue.length} wait`,
        );
      }
      await turn();
      try {
        return await work();
      } finally {
        leave();
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
