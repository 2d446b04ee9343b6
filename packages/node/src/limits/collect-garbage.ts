import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collector = (options: { readonly type: 'minor' }) => void;

/** V8 gives the function only to contexts that are made after it was asked for. */
function exposed(): Collector {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collector;
}

/** V8 begins to collect everything when buffers outside of its heap have grown by 64 MB since it last did. */
const UNTOUCHED_BYTES = 72 * 2 ** 20;

/**
 * Makes V8 mark what lives in small steps and on its own threads, and collect then: pauses of 5-30 ms where a whole collection at once takes 100-160. It
 * has no call for that; a buffer that is never touched is address space, not memory, and dropped at once.
 */
function beginWhole(): void {
  void new ArrayBuffer(UNTOUCHED_BYTES);
}

/** Frees what nothing uses any more: of the young objects and their buffers at once (some ms), or begins to free all. */
export function garbageCollector(): (kind: 'minor' | 'major') => void {
  let collect: Collector | null = null;
  return (type) => (type === 'major' ? beginWhole() : (collect ??= exposed())({ type }));
}
