import { type Profiler, Session } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const SAMPLE_MICROS = 1_000;
const STACKS_SHOWN = 3;
const FRAMES_SHOWN = 12;

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

/**
 * Samples the calling thread for `intervalMs` milliseconds. Returns, as text, the places where most samples were taken,
 * each with its callers.
 */
export async function hotStacks(intervalMs: number): Promise<string> {
  const { nodes } = await sampled(intervalMs);
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)));
  const working = nodes.filter(({ hitCount, callFrame }) => (hitCount ?? 0) > 0 && callFrame.functionName !== '(idle)');
  const total = nodes.reduce((sum, { hitCount }) => sum + (hitCount ?? 0), 0);
  const stacks = working
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
  return stacks.join('');
}
