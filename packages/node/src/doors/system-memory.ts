import { getHeapStatistics } from 'node:v8';
import { garbageCollector } from '../limits/collect-garbage.js';

/** The memory of the process, as the breaker `parent` sees it. */
export interface MemoryDoor {
  /** Bytes that the program holds, what waits to be collected included. */
  inUse(): number;
  /** Frees what nothing uses any more; may take a while. */
  collect(): void;
}

/**
 * The heap and the buffers outside of it. Resident memory would also count files that LevelDB maps, which the system
 * takes back when it needs them, and what malloc keeps after it was freed: that made searches fail on a node that was
 * well (459 MB resident of its own with 98 MB of heap and 199 MB of buffers).
 */
export function systemMemory(): MemoryDoor {
  const collect = garbageCollector();
  return {
    inUse() {
      const { used_heap_size: heap, external_memory: buffers } = getHeapStatistics();
      return heap + buffers;
    },
    collect: () => collect('major'),
  };
}
