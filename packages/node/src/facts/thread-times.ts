import fs from 'node:fs';
import process from 'node:process';

/** Processor time that a thread of the process has used so far. */
export interface ThreadTime {
  /** `main`, or as the thread has named itself (`nameThisThread`). */
  readonly name: string;
  readonly millis: number;
}

/** Milliseconds of a clock tick in `/proc`: USER_HZ is 100 on Linux. */
const TICK_MS = 10;

/** Fields 14 and 15 of `/proc/…/stat`, behind the name in parentheses. */
function readThread(id: string): ThreadTime | null {
  try {
    const stat = fs.readFileSync(`/proc/self/task/${id}/stat`, 'latin1');
    const close = stat.lastIndexOf(')');
    const fields = stat.slice(close + 2).split(' ');
    const name = id === String(process.pid) ? 'main' : stat.slice(stat.indexOf('(') + 1, close);
    return { name, millis: (Number(fields[11]) + Number(fields[12])) * TICK_MS };
  } catch {
    return null;
  }
}

/** Processor time of each thread by its number; without `/proc` the process counts as a single thread. */
export function threadTimes(): Map<string, ThreadTime> {
  try {
    const ids = fs.readdirSync('/proc/self/task');
    return new Map(
      ids.flatMap((id) => {
        const time = readThread(id);
        return time ? [[id, time] as const] : [];
      }),
    );
  } catch {
    const { user, system } = process.cpuUsage();
    return new Map([[String(process.pid), { name: 'main', millis: (user + system) / 1000 }]]);
  }
}

/**
 * Processor time in milliseconds by what threads are for: those of the node by their names, and all others, which are
 * the pool of disk operations, the collector of garbage and the compiler, together as `runtime`. Threads of a name
 * count together; time of threads that have ended is not in it.
 */
export function timesByName(): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { name, millis } of threadTimes().values()) {
    const key = name === 'main' || name.startsWith('shoal-') ? name.replace(/^shoal-/, '') : 'runtime';
    sums.set(key, (sums.get(key) ?? 0) + millis);
  }
  return sums;
}
