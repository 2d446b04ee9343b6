import fs from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import process from 'node:process';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { threadName } from '../threads/thread-names.js';

/** Parameters of `_nodes/hot_threads` for one node. */
export interface HotThreadsCall {
  readonly intervalMs: number;
  /** Threads to show, the busiest first. */
  readonly threads: number;
  readonly ignoreIdle: boolean;
}

/** Processor time that a thread of the process has used so far. */
interface ThreadTime {
  readonly name: string;
  readonly millis: number;
}

const SAMPLE_MICROS = 1_000;
const STACKS_SHOWN = 3;
const FRAMES_SHOWN = 12;
/** Milliseconds of a clock tick in `/proc`: USER_HZ is 100 on Linux. */
const TICK_MS = 10;
/** Longest sampling interval in milliseconds; longer ones only delay the answer. */
const INTERVAL_MS_MAX = 10_000;

/** Fields 14 and 15 of `/proc/…/stat`, behind the name in parentheses. */
function readThread(id: string): ThreadTime | null {
  try {
    const stat = fs.readFileSync(`/proc/self/task/${id}/stat`, 'latin1');
    const close = stat.lastIndexOf(')');
    const fields = stat.slice(close + 2).split(' ');
    const known = threadName(id) ?? stat.slice(stat.indexOf('(') + 1, close);
    const name = id === String(process.pid) ? 'main' : `${known}#${id}`;
    return { name, millis: (Number(fields[11]) + Number(fields[12])) * TICK_MS };
  } catch {
    return null;
  }
}

/** Processor time of each thread by name; without `/proc` the process counts as a single thread. */
function threadTimes(): Map<string, ThreadTime> {
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
    return new Map([['main', { name: 'main', millis: (user + system) / 1000 }]]);
  }
}

async function sampled(intervalMs: number): Promise<Profiler.Profile> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROS });
    await session.post('Profiler.start');
    await sleep(intervalMs);
    return (await session.post('Profiler.stop')).profile;
  } finally {
    session.disconnect();
  }
}

function frameText({ functionName, url, lineNumber }: Profiler.ProfileNode['callFrame']): string {
  return `${functionName || '(anonymous)'} (${url.slice(url.lastIndexOf('/') + 1)}:${lineNumber + 1})`;
}

/** The places where most samples were taken, each with its callers. */
function hotStacks({ nodes }: Profiler.Profile): string[] {
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)));
  const working = nodes.filter(({ hitCount, callFrame }) => (hitCount ?? 0) > 0 && callFrame.functionName !== '(idle)');
  const total = nodes.reduce((sum, { hitCount }) => sum + (hitCount ?? 0), 0);
  return working
    .sort((a, b) => b.hitCount! - a.hitCount!)
    .slice(0, STACKS_SHOWN)
    .map((leaf) => {
      const frames: string[] = [];
      for (
        let at: Profiler.ProfileNode | undefined = leaf;
        at && frames.length < FRAMES_SHOWN;
        at = parents.get(at.id)
      ) {
        if (at.callFrame.functionName !== '(root)') frames.push(`       ${frameText(at.callFrame)}\n`);
      }
      return `     ${leaf.hitCount}/${total} snapshots sharing following ${frames.length} elements\n${frames.join('')}`;
    });
}

const percent = (part: number, whole: number): string => Math.min(100, (part / whole) * 100).toFixed(1);

/**
 * Returns the text of `_nodes/hot_threads` below the node's heading: the busiest threads of this process over the
 * interval, and the stacks of its main thread.
 */
export async function hotThreads(call: HotThreadsCall): Promise<string> {
  const intervalMs = Math.min(Math.max(1, call.intervalMs), INTERVAL_MS_MAX);
  const before = threadTimes();
  const loop = performance.eventLoopUtilization();
  const profile = await sampled(intervalMs);
  const busy = performance.eventLoopUtilization(loop).active;
  const used = [...threadTimes()].map(([id, { name, millis }]) => ({
    name,
    millis: millis - (before.get(id)?.millis ?? millis),
  }));
  const shown = used
    .filter(({ millis }) => millis > 0 || !call.ignoreIdle)
    .sort((a, b) => b.millis - a.millis)
    .slice(0, call.threads);
  const threads = shown.map(({ name, millis }) => {
    const cpu = percent(millis, intervalMs);
    const other = name === 'main' ? percent(Math.max(0, busy - millis), intervalMs) : '0.0';
    const head =
      `   ${cpu}% [cpu=${cpu}%, other=${other}%] (${millis}ms out of ${intervalMs}ms) cpu usage by thread ` +
      `'${name}'\n`;
    return `${head}${name === 'main' ? hotStacks(profile).join('') : ''}   \n`;
  });
  const settings = `interval=${intervalMs}ms, busiestThreads=${call.threads}, ignoreIdleThreads=${call.ignoreIdle}`;
  return `   Hot threads at ${new Date().toISOString()}, ${settings}:\n   \n${threads.join('')}`;
}
