import { useState } from 'preact/hooks';

/** Steps that can be taken back. */
const STEPS_MAX = 50;

/** A value that is changed step by step. */
export interface Draft<T> {
  readonly value: T;
  /** Makes the next value of the present one: steps may follow each other faster than the page is drawn. */
  readonly change: (next: (value: T) => T) => void;
  /** Takes the last step back. */
  readonly undo: () => void;
  readonly canUndo: boolean;
  /** Takes a value that was read or saved; there is nothing to undo then. */
  readonly reset: (value: T) => void;
  readonly isChanged: boolean;
}

/** Keeps a value with the steps that led to it. */
export function useDraft<T>(first: T): Draft<T> {
  const [{ saved, steps }, setState] = useState<{ readonly saved: T; readonly steps: readonly T[] }>({
    saved: first,
    steps: [],
  });
  const value = steps.at(-1) ?? saved;
  return {
    value,
    change: (next) =>
      setState((before) => {
        const made = next(before.steps.at(-1) ?? before.saved);
        return { ...before, steps: [...before.steps, made].slice(-STEPS_MAX) };
      }),
    undo: () => setState((before) => ({ ...before, steps: before.steps.slice(0, -1) })),
    canUndo: steps.length > 0,
    reset: (next) => setState({ saved: next, steps: [] }),
    isChanged: steps.length > 0,
  };
}
