import v8 from 'node:v8';

/** Memory of this process in bytes. */
export type ProcessMemory = Pick<NodeJS.MemoryUsage, 'rss' | 'external' | 'arrayBuffers'>;

/**
 * Returns a function that measures the memory of this process. The runtime opens a file for it, which fails where no
 * descriptor is left: what was measured last is returned then, or the heap if nothing was.
 */
export function memoryMeter(read: () => ProcessMemory = () => process.memoryUsage()): () => ProcessMemory {
  let last: ProcessMemory | null = null;
  return () => {
    try {
      last = read();
    } catch {
      last ??= heapMemory();
    }
    return last;
  };
}

function heapMemory(): ProcessMemory {
  const { total_heap_size: heap, external_memory: external } = v8.getHeapStatistics();
  return { rss: heap + external, external, arrayBuffers: 0 };
}
