import { performance } from 'node:perf_hooks';
import { hotStacks } from './hot-stacks.js';
import { threadTimes } from './thread-times.js';

/** Parameters of `_nodes/hot_threads` for one node. */
export interface HotThreadsCall {
  readonly intervalMs: number;
  /** Threads to show, the busiest first. */
  readonly threads: number;
  readonly ignoreIdle: boolean;
}

/** Samples other threads than the calling one; resolves with the text of `hotStacks` by the name of the thread. */
export type SampleOthers = (intervalMs: number) => Promise<ReadonlyMap<string, string>>;

/** Longest sampling interval in milliseconds; longer ones only delay the answer. */
const INTERVAL_MS_MAX = 10_000;

const percent = (part: number, whole: number): string => Math.min(100, (part / whole) * 100).toFixed(1);

/**
 * Returns the text of `_nodes/hot_threads` below the node's heading: the busiest threads of this process over the
 * interval, with the stacks of the main thread, which calls this, and of those that `others` samples.
 */
export async function hotThreads(call: HotThreadsCall, others: SampleOthers): Promise<string> {
  const intervalMs = Math.min(Math.max(1, call.intervalMs), INTERVAL_MS_MAX);
  const before = threadTimes();
  const loop = performance.eventLoopUtilization();
  const [own, stacks] = await Promise.all([hotStacks(intervalMs), others(intervalMs)]);
  const busy = performance.eventLoopUtilization(loop).active;
  const used = [...threadTimes()].map(([id, { name, millis }]) => ({
    name,
    label: name === 'main' ? name : `${name}#${id}`,
    millis: millis - (before.get(id)?.millis ?? millis),
  }));
  const shown = used
    .filter(({ millis }) => millis > 0 || !call.ignoreIdle)
    .sort((a, b) => b.millis - a.millis)
    .slice(0, call.threads);
  const threads = shown.map(({ name, label, millis }) => {
    const cpu = percent(millis, intervalMs);
    const other = name === 'main' ? percent(Math.max(0, busy - millis), intervalMs) : '0.0';
    const head =
      `   ${cpu}% [cpu=${cpu}%, other=${other}%] (${millis}ms out of ${intervalMs}ms) cpu usage by thread ` +
      `'${label}'\n`;
    return `${head}${name === 'main' ? own : (stacks.get(name) ?? '')}   \n`;
  });
  const settings = `interval=${intervalMs}ms, busiestThreads=${call.threads}, ignoreIdleThreads=${call.ignoreIdle}`;
  return `   Hot threads at ${new Date().toISOString()}, ${settings}:\n   \n${threads.join('')}`;
}
