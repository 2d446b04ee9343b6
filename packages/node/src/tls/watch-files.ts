import fs from 'node:fs';
import type { Clock } from '@shoal/doors';

/** What of a file tells that it was written. */
function stampOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = fs.statSync(file);
    return `${mtimeMs}:${size}:${ino}`;
  } catch (error) {
    // Absent, or for the moment not to be looked at.
    return String((error as NodeJS.ErrnoException).code);
  }
}

/**
 * Calls `changed` after any of the files was written, made or removed, looking each `intervalMs`. Not the system's
 * notifications: they miss files that are mounted or replaced through links, which is how containers get new
 * certificates.
 */
export function watchFiles(
  clock: Clock,
  files: readonly string[],
  intervalMs: number,
  changed: () => void,
): { close(): void } {
  const stamps = (): string => files.map(stampOf).join(' ');
  let seen = stamps();
  const look = (): void => {
    const now = stamps();
    if (now !== seen) {
      seen = now;
      changed();
    }
    timer = clock.after(intervalMs, look);
  };
  let timer = clock.after(intervalMs, look);
  return { close: () => timer.cancel() };
}
