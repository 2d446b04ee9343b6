import type { Clock } from '@shoal/doors';

const SWEEP_MS = 5_000;

/** A body that is on its way. */
export interface ArrivingBody {
  /** Bytes so far. */
  received: number;
  /** Bytes at the last sweep; -1 before the first. */
  seen: number;
  /** Where it stands among those that are read. */
  slot: number;
  /** Whether it waits for this node to read on. */
  readonly isHeld: () => boolean;
  /** Gives it up. */
  readonly giveUp: () => void;
}

/** Bodies that are read, so that those which hardly come do not hold connections and memory for ever. */
export interface SlowBodies {
  add(body: ArrivingBody): void;
  remove(body: ArrivingBody): void;
}

/**
 * Bodies under way, in no order. Not a set: one that everything enters and leaves is laid out anew for every few of
 * them, and what it was before leads to what it is, so that once one is old all that ever stood in a later one survives
 * until the whole heap is collected.
 */
class Arriving {
  readonly #bodies: ArrivingBody[] = [];

  get all(): readonly ArrivingBody[] {
    return this.#bodies;
  }

  add(body: ArrivingBody): void {
    body.slot = this.#bodies.push(body) - 1;
  }

  remove(body: ArrivingBody): void {
    if (this.#bodies[body.slot] !== body) return;
    const last = this.#bodies.pop()!;
    if (last === body) return;
    last.slot = body.slot;
    this.#bodies[last.slot] = last;
  }
}

/**
 * Looks at all of them now and then: one timer for all, none while there are none. `bytesPerSecond` 0 gives nobody up.
 */
export function createSlowBodies(clock: Pick<Clock, 'after'>, bytesPerSecond: number): SlowBodies {
  const arriving = new Arriving();
  const bytesMin = (bytesPerSecond * SWEEP_MS) / 1000;
  let isSweeping = false;
  const sweep = (): void => {
    for (const body of [...arriving.all]) {
      if (body.seen >= 0 && !body.isHeld() && body.received - body.seen < bytesMin) body.giveUp();
      else body.seen = body.received;
    }
    isSweeping = arriving.all.length > 0;
    if (isSweeping) clock.after(SWEEP_MS, sweep);
  };
  return {
    add(body) {
      arriving.add(body);
      if (isSweeping || bytesPerSecond === 0) return;
      isSweeping = true;
      clock.after(SWEEP_MS, sweep);
    },
    remove: (body) => arriving.remove(body),
  };
}
