/** Runs work, at most `max` at a time, in the order in which it came. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

export function createTurns(max: number): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  const ended = (): void => {
    const next = waiting.shift();
    if (next) next();
    else running--;
  };
  return async (work) => {
    if (running < max) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      ended();
    }
  };
}
