import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * `minor`: young objects and their buffers at once (some ms). `begin`: starts an incremental collection of everything.
 * `major`: everything at once (100 ms or more).
 */
export type Collection = 'minor' | 'begin' | 'major';

type Collector = (options: { readonly type: 'minor' | 'major' }) => void;

/** Returns V8's `gc`. V8 gives it only to contexts that are created after the flag is set. */
function exposeCollector(): Collector {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collector;
}

/**
 * Size of an allocation that makes V8 begin an incremental collection: V8 does so when external buffers have grown by
 * 64 MB.
 */
const UNTOUCHED_BYTES = 72 * 2 ** 20;

/**
 * Makes V8 begin an incremental collection of everything: pauses of 5-30 ms instead of 100-160 ms. V8 has no call for
 * it, so this allocates a large buffer and drops it. The buffer is never touched: it costs address space, not memory.
 */
function beginWhole(): void {
  try {
    void new ArrayBuffer(UNTOUCHED_BYTES);
  } catch {
    // Out of address space: V8 has then already collected everything before it threw.
  }
}

/** Returns a function that collects garbage in one of three ways. */
export function garbageCollector(): (kind: Collection) => void {
  let exposed: Collector | null = null;
  const collect: Collector = (options) => (exposed ??= exposeCollector())(options);
  return (kind) => {
    if (kind === 'begin') return beginWhole();
    collect({ type: kind });
    // Buffers of freed objects count as in use until the next collection.
    if (kind === 'major') collect({ type: 'minor' });
  };
}
