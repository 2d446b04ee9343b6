import { encodeValue } from '@shoal/codec';
import { callShard } from '../../admin/broadcast.js';
import type { CoordinatorContext } from '../../context.js';
import type { RunningSearch } from '../running-search.js';

/** Answer of a shard to the call `statistics`. */
interface ShardStatistics {
  readonly fields: Readonly<Record<string, readonly number[]>>;
  readonly terms: Readonly<Record<string, number>>;
}

function add(into: Map<string, number[]>, name: string, counts: readonly number[]): void {
  const known = into.get(name) ?? counts.map(() => 0);
  into.set(
    name,
    known.map((count, i) => count + (counts[i] ?? 0)),
  );
}

/**
 * Returns the statistics of the fields and terms that a query scores, summed over all shards (`dfs_query_then_fetch`).
 * Null if the search has no query.
 */
export async function globalStatistics(context: CoordinatorContext, search: RunningSearch): Promise<Uint8Array | null> {
  const { query } = search.plan.json;
  if (query === undefined) return null;
  const { indices } = context.cluster.state();
  const asked = search.targets.flatMap((target) => {
    const index = indices.get(target.indexUuid);
    return index
      ? [callShard(context, index, target.shard, 'statistics', { query, nowMs: context.clock.now() }, target.access)]
      : [];
  });
  const fields = new Map<string, number[]>();
  const terms = new Map<string, number>();
  for (const settled of await Promise.allSettled(asked)) {
    if (settled.status === 'rejected') continue;
    const counts = settled.value as ShardStatistics;
    for (const [name, values] of Object.entries(counts.fields)) add(fields, name, values);
    for (const [term, count] of Object.entries(counts.terms)) terms.set(term, (terms.get(term) ?? 0) + count);
  }
  return encodeValue({ fields: Object.fromEntries(fields), terms: Object.fromEntries(terms) });
}
