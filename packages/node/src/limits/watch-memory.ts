import fs from 'node:fs';
import v8 from 'node:v8';
import { garbageCollector } from './collect-garbage.js';
import { heapGrowthPercent } from './heap-growth.js';
import { MemoryPressure } from './memory-pressure.js';

const PAGE_BYTES = 4096;
/** Milliseconds between two measurements of memory; each takes 15 us. */
const LOOK_MS = 200;

/** Resident bytes without mapped files, which the system takes back at will. Without `/proc` all resident bytes. */
function ownResidentBytes(): number {
  try {
    const [, resident, shared] = fs.readFileSync('/proc/self/statm', 'latin1').split(' ').map(Number);
    return (resident! - shared!) * PAGE_BYTES;
  } catch {
    return process.memoryUsage.rss();
  }
}

/**
 * Returns a setter of V8's heap growth. V8 reads the flag at the end of a collection, to decide when the next one
 * begins.
 */
function growthSetter(): (percent: number) => void {
  let current = 0;
  return (percent) => {
    if (percent === current) return;
    current = percent;
    v8.setFlagsFromString(`--heap-growing-percent=${percent}`);
  };
}

/** Keeps the process within its budget by collecting garbage early. Returns a function that stops it. */
export function watchMemory(budgetBytes: number): () => void {
  const pressure = new MemoryPressure({
    budgetBytes,
    resident: ownResidentBytes,
    now: () => performance.now(),
    collect: garbageCollector(),
  });
  const setGrowth = growthSetter();
  const look = (): void => {
    setGrowth(heapGrowthPercent(budgetBytes, ownResidentBytes(), v8.getHeapStatistics().used_heap_size));
    pressure.look();
  };
  look();
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
