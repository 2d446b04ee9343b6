import fs from 'node:fs';
import v8 from 'node:v8';
import { memoryMeter } from '../facts/process-memory.js';
import { garbageCollector } from './collect-garbage.js';
import { heapGrowthPercent } from './heap-growth.js';
import { MemoryPressure } from './memory-pressure.js';

const PAGE_BYTES = 4096;
/** Milliseconds between two measurements of memory; each takes 15 us. */
const LOOK_MS = 200;

/** Room for the seven numbers of `/proc/self/statm`. */
const STATM_BYTES = 128;

/**
 * Returns a function that measures resident bytes without mapped files, which the system takes back at will. The file
 * is opened once: a process that has no descriptor left must still see its memory, and reading it must not end it.
 */
function residentMeter(): { bytes(): number; close(): void } {
  const buffer = Buffer.alloc(STATM_BYTES);
  let file: number;
  try {
    file = fs.openSync('/proc/self/statm', 'r');
  } catch {
    // Not Linux, or no descriptor is left: all resident bytes.
    const meter = memoryMeter();
    return { bytes: () => meter().rss, close: () => undefined };
  }
  return {
    bytes() {
      const length = fs.readSync(file, buffer, 0, STATM_BYTES, 0);
      const [, resident, shared] = buffer.toString('latin1', 0, length).split(' ').map(Number);
      return (resident! - shared!) * PAGE_BYTES;
    },
    close: () => fs.closeSync(file),
  };
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
  const resident = residentMeter();
  const pressure = new MemoryPressure({
    budgetBytes,
    resident: resident.bytes,
    now: () => performance.now(),
    collect: garbageCollector(),
  });
  const setGrowth = growthSetter();
  const look = (): void => {
    setGrowth(heapGrowthPercent(budgetBytes, resident.bytes(), v8.getHeapStatistics().used_heap_size));
    pressure.look();
  };
  look();
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    resident.close();
  };
}
