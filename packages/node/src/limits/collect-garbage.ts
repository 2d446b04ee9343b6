import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Young objects and their buffers at once (some ms), all in small steps from now on, or all at once (100 ms or more).
 */
export type Collection = 'minor' | 'begin' | 'major';

type Collector = (options: { readonly type: 'minor' | 'major' }) => void;

/** V8 gives the function only to contexts that are made after it was asked for. */
function exposed(): Collector {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collector;
}

/** V8 begins to collect everything when buffers outside of its heap have grown by 64 MB since it last did. */
const UNTOUCHED_BYTES = 72 * 2 ** 20;

/**
 * Makes V8 mark what lives in small steps and on its own threads, and collect then: pauses of 5-30 ms where a whole
 * collection at once takes 100-160. It has no call for that; a buffer that is never touched is address space, not
 * memory, and dropped at once.
 */
function beginWhole(): void {
  try {
    void new ArrayBuffer(UNTOUCHED_BYTES);
  } catch {
    // No address space for so much, before V8 says so it has collected everything.
  }
}

/** Frees what nothing uses any more. */
export function garbageCollector(): (kind: Collection) => void {
  let exposedOnce: Collector | null = null;
  const collect: Collector = (options) => (exposedOnce ??= exposed())(options);
  return (kind) => {
    if (kind === 'begin') return beginWhole();
    collect({ type: kind });
    // Buffers of what was freed are counted as in use until the next collection.
    if (kind === 'major') collect({ type: 'minor' });
  };
}
