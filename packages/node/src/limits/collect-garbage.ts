import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collector = (options: { readonly type: 'minor' | 'major' }) => void;

/** V8 gives the function only to contexts that are made after it was asked for. */
function exposed(): Collector {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collector;
}

/** Frees what nothing uses any more: of the young objects and their buffers (some ms), or of all (tens of ms). */
export function garbageCollector(): (kind: 'minor' | 'major') => void {
  let collect: Collector | null = null;
  return (type) => (collect ??= exposed())({ type });
}
