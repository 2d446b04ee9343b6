import type { Clock } from '@shoal/doors';

const SWEEP_MS = 5_000;

/** A body that is on its way. */
export interface ArrivingBody {
  /** Bytes so far. */
  received: number;
  /** Bytes at the last sweep; -1 before the first. */
  seen: number;
  /** Gives it up. */
  readonly giveUp: () => void;
}

/** Bodies that are read, so that those which hardly come do not hold connections and memory for ever. */
export interface SlowBodies {
  add(body: ArrivingBody): void;
  remove(body: ArrivingBody): void;
}

/** Looks at all of them now and then: one timer for all, none while there are none. `bytesPerSecond` 0 gives nobody up. */
export function createSlowBodies(clock: Pick<Clock, 'after'>, bytesPerSecond: number): SlowBodies {
  const arriving = new Set<ArrivingBody>();
  const bytesMin = (bytesPerSecond * SWEEP_MS) / 1000;
  let isSweeping = false;
  const sweep = (): void => {
    for (const body of arriving) {
      if (body.seen >= 0 && body.received - body.seen < bytesMin) body.giveUp();
      else body.seen = body.received;
    }
    isSweeping = arriving.size > 0;
    if (isSweeping) clock.after(SWEEP_MS, sweep);
  };
  return {
    add(body) {
      arriving.add(body);
      if (isSweeping || bytesPerSecond === 0) return;
      isSweeping = true;
      clock.after(SWEEP_MS, sweep);
    },
    remove: (body) => void arriving.delete(body),
  };
}
