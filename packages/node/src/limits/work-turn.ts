import type { TurnDoors } from '../doors/fair-yield.js';

/**
 * Milliseconds of work in one turn of the event loop; the rest waits for the next turn. Requests must be read from
 * sockets to be refused in time. Longer turns bring no more throughput under overload: with 14 ms the p99 of a refusal
 * was 48-64 ms instead of 29-33.
 */
const RUN_MS = 8;

/** A turn of the event loop. */
export interface Turn {
  /** Whether work may begin in this turn. The first call begins the turn. */
  hasTime(): boolean;
}

/** Creates turns, none of which has begun. `atEnd` is called after each. */
export function createTurn({ now, later }: Pick<TurnDoors, 'now' | 'later'>, atEnd: () => void): Turn {
  let [since, isOpen] = [0, false];
  return {
    hasTime() {
      if (isOpen) return now() - since < RUN_MS;
      [since, isOpen] = [now(), true];
      later(() => {
        isOpen = false;
        atEnd();
      });
      return true;
    },
  };
}
