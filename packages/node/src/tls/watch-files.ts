import fs from 'node:fs';
import type { Clock } from '@shoal/doors';

/** Returns a text that changes when a file is written. */
function stampOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = fs.statSync(file);
    return `${mtimeMs}:${size}:${ino}`;
  } catch (error) {
    // The file is missing or cannot be read now.
    return String((error as NodeJS.ErrnoException).code);
  }
}

/**
 * Calls `changed` after any of the files was written, created or removed, checking each `intervalMs`. File
 * notifications of the system miss files that are mounted or replaced through links, as containers do with new
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
