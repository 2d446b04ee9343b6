import fs from 'node:fs';

/** Name of a thread that holds shards, as the system and the API show it. */
export const shardThreadName = (thread: number): string => `shoal-shards-${thread}`;

/**
 * Names the calling thread for the system, so that `_nodes/hot_threads`, `_nodes/stats` and tools like `top` tell what
 * it is. The system keeps 15 bytes. Without `/proc` it stays without a name.
 */
export function nameThisThread(name: string): void {
  try {
    fs.writeFileSync('/proc/thread-self/comm', name);
  } catch {
    // A name is a convenience.
  }
}
