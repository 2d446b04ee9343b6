/** Runs works, so many at once; further ones wait in their order. */
export interface LoadQueue {
  /** Runs a work when there is room; a work whose signal is aborted while it waits is left out. */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** Creates a queue for `atOnce` works at once. */
export function createLoadQueue(atOnce: number): LoadQueue {
  let running = 0;
  const waiting: (() => void)[] = [];
  /** A place that is given back goes to whoever waits the longest. */
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  };
  return {
    async run(work, signal) {
      if (running < atOnce) running++;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        signal.throwIfAborted();
        return await work();
      } finally {
        leave();
      }
    },
  };
}
