import type { Pause } from '@shoal/query';

/** Takes all steps, and between them gives the thread to others when it is due to them. */
export async function inTurns<T>(steps: Generator<void, T>, pause: Pause | undefined): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    const wait = pause?.() ?? null;
    if (wait !== null) await wait;
  }
}
