import type { Pause } from '../searcher.js';

/** Work on a text of any length, done in steps: between two of them other requests may have their turn. */
export type Steps<T> = Generator<void, T>;

/** Number of tokens or matches that are looked at in one step. */
export const STEP_ITEMS = 4096;

/** Does the work, with a pause after each step. */
export async function inTurns<T>(steps: Steps<T>, pause: Pause): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    const waiting = pause();
    if (waiting !== null) await waiting;
  }
}

/** Items that are sorted at a stretch. */
const SORTED_ITEMS = 8192;

/** Returns the items in order: a merge sort over parts that are sorted at a stretch. Equal items keep their order. */
export function* sortedInSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let from = 0; from < items.length; from += SORTED_ITEMS) {
    runs.push(items.slice(from, from + SORTED_ITEMS).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let i = 0; i < runs.length; i += 2)
      merged.push(i + 1 < runs.length ? yield* mergedRuns(runs[i]!, runs[i + 1]!, compare) : runs[i]!);
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergedRuns<T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  const merged: T[] = [];
  for (let i = 0, k = 0; i < left.length || k < right.length; ) {
    const takesLeft = k === right.length || (i < left.length && compare(left[i]!, right[k]!) <= 0);
    merged.push(takesLeft ? left[i++]! : right[k++]!);
    if (merged.length % STEP_ITEMS === 0) yield;
  }
  return merged;
}
