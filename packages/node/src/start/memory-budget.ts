import fs from 'node:fs';

const DEFAULT_BYTES = 512 * 2 ** 20;
const MINIMUM_BYTES = 128 * 2 ** 20;
/** Share of a container's limit that is the budget: peaks of a few moments must not end the process. */
const CONTAINER_SHARE = 0.85;

/** The container's memory limit (cgroup v2, then v1), or null when there is none. */
export function containerLimit(): number | null {
  for (const file of ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes']) {
    try {
      const bytes = Number(fs.readFileSync(file, 'utf8').trim());
      if (Number.isFinite(bytes) && bytes > 0 && bytes < 2 ** 50) return bytes;
    } catch {
      // The file is missing on this system: tries the next one, else there is no limit.
    }
  }
  return null;
}

/** Bytes that the whole process may use: as configured, else 85 % of the container's limit, 512 MB at most. */
export function memoryBudget(configured: number | null): number {
  const wanted = configured ?? Math.min((containerLimit() ?? Infinity) * CONTAINER_SHARE, DEFAULT_BYTES);
  return Math.max(MINIMUM_BYTES, Math.floor(wanted));
}
