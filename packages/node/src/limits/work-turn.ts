import type { TurnDoors } from '../doors/fair-yield.js';

/**
 * After so long in one turn of the event loop the rest waits for the next one: what arrived meanwhile has to be seen to
 * be refused in time. Longer turns bring no more work about where many are refused, since as many of them come however
 * late they are answered: with 14 ms p99 of a refusal was 48-64 ms instead of 29-33.
 */
const RUN_MS = 8;

/** A turn of the event loop. */
export interface Turn {
  /** Whether work may begin in this one; the first that asks begins it. */
  hasTime(): boolean;
}

/** Turns of which none has begun. `atEnd` is called after each of them. */
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
