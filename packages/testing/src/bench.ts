const RUNS = 9;
/** A run repeats the work until it took this long, as the clock of a process's CPU time is coarse. */
const RUN_MICROSECONDS = 20_000;

function cpuMicroseconds(work: () => void, times: number): number {
  const start = process.cpuUsage();
  for (let i = 0; i < times; i++) work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/**
 * Prints the CPU time of `work` in nanoseconds a unit: the median of nine runs, the fastest and slowest in brackets.
 * `units` is how many values, documents or bytes one call of `work` handles. The runs that compile it are left out.
 */
export function bench(what: string, units: number, work: () => void): void {
  let times = 1;
  while (cpuMicroseconds(work, times) < RUN_MICROSECONDS) times *= 2;
  const nanoseconds = Array.from({ length: RUNS }, () => (cpuMicroseconds(work, times) * 1000) / (times * units));
  nanoseconds.sort((a, b) => a - b);
  const [least, median, most] = [0, RUNS >> 1, RUNS - 1].map((i) => nanoseconds[i]!.toFixed(2));
  process.stdout.write(`${what.padEnd(48)} ${median!.padStart(9)} ns  (${least} - ${most})\n`);
}
