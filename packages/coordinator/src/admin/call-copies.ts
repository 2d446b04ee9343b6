import type { ShardRouting } from '@shoal/state';
import type { CoordinatorContext } from '../context.js';
import { takeTurns } from '../turns.js';

/**
 * Calls that are under way to one node. It answers them one after the other, on this node often in the same thread: the
 * statistics of 1,000 shards at once held all other requests for more than a second.
 */
const UNDER_WAY_MAX = 16;

/** The calls themselves are not cancelled. */
const NEVER = new AbortController().signal;

/**
 * Calls copies, few of each node at once, and gives the thread back in between. A node that does not answer holds only
 * the calls to itself. Rejects with the first error of `call`.
 */
export async function callCopies<T extends { readonly copy: ShardRouting }>(
  { clock }: Pick<CoordinatorContext, 'clock'>,
  targets: readonly T[],
  call: (target: T) => Promise<void>,
): Promise<void> {
  const nodes = new Map<string | null, T[]>();
  for (const target of targets) {
    const own = nodes.get(target.copy.nodeId);
    if (own) own.push(target);
    else nodes.set(target.copy.nodeId, [target]);
  }
  const turns = takeTurns(clock, NEVER);
  const callNext = async (left: Iterator<T>): Promise<void> => {
    for (let next = left.next(); next.done !== true; next = left.next()) {
      await call(next.value);
      const pause = turns.pause();
      if (pause !== null) await pause;
    }
  };
  await Promise.all(
    [...nodes.values()].flatMap((own) => {
      const left = own.values();
      return Array.from({ length: Math.min(UNDER_WAY_MAX, own.length) }, () => callNext(left));
    }),
  );
}
