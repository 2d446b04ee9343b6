import fs from 'node:fs';
import { garbageCollector } from './collect-garbage.js';
import { MemoryPressure } from './memory-pressure.js';

const PAGE_BYTES = 4096;
/** The memory is looked at again after so long: 15 us each. */
const LOOK_MS = 200;

/** Resident bytes that only this process has: mapped files, which the system takes back at will, do not count. All resident ones where that is not told. */
function ownResidentBytes(): number {
  try {
    const [, resident, shared] = fs.readFileSync('/proc/self/statm', 'latin1').split(' ').map(Number);
    return (resident! - shared!) * PAGE_BYTES;
  } catch {
    return process.memoryUsage.rss();
  }
}

/** Keeps the process within its budget as far as garbage is what it holds. Returns how to end it. */
export function watchMemory(budgetBytes: number): () => void {
  const pressure = new MemoryPressure({ budgetBytes, resident: ownResidentBytes, now: () => performance.now(), collect: garbageCollector() });
  const timer = setInterval(() => pressure.look(), LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
