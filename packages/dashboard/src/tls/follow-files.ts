import fs from 'node:fs';
import type { Clock, TimerHandle } from '@shoal/doors';

/** Pause between looks at files. */
const LOOK_MS = 5_000;

/** Calls `onChange` once one of the files was written since the last look. Returns what ends the looks. */
export function followFiles(files: readonly string[], clock: Clock, onChange: () => void): () => void {
  const stamp = (): string => files.map((file) => stampOf(file)).join();
  let seen = stamp();
  let timer: TimerHandle | null = null;
  const look = (): void => {
    const now = stamp();
    if (now !== seen) {
      seen = now;
      onChange();
    }
    timer = clock.after(LOOK_MS, look);
  };
  timer = clock.after(LOOK_MS, look);
  return () => timer?.cancel();
}

function stampOf(file: string): string {
  try {
    const { mtimeMs, ino } = fs.statSync(file);
    return `${mtimeMs}:${ino}`;
  } catch {
    return 'none';
  }
}
