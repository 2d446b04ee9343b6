import type { Clock } from '@shoal/doors';

const SWEEP_MS = 5_000;

/** A body that is being received. */
export interface ArrivingBody {
  /** Bytes received. */
  received: number;
  /** Value of `received` at the last check; -1 before the first check. */
  seen: number;
  /** Its index in the list of bodies. */
  slot: number;
  /** Whether this node has paused it. */
  readonly isHeld: () => boolean;
  /** Stops waiting for the body. */
  readonly giveUp: () => void;
}

/**
 * Bodies that are being received. Those that arrive too slowly are given up, because they occupy a connection and
 * memory.
 */
export interface SlowBodies {
  add(body: ArrivingBody): void;
  remove(body: ArrivingBody): void;
}

/**
 * Request bodies being received, unordered. An array with slot numbers in place of a `Set`: V8 keeps old hash tables of
 * a busy `Set` reachable until a major collection, and with them every request in it (ADR 0010).
 */
class ArrivingBodies {
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
 * Checks all bodies every five seconds; the timer runs only while there are any. With `bytesPerSecond` 0 no body is
 * given up.
 */
export function createSlowBodies(clock: Pick<Clock, 'after'>, bytesPerSecond: number): SlowBodies {
  const arriving = new ArrivingBodies();
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
