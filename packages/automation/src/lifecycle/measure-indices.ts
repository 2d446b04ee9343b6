import { rolloverFacts, type SizedShard } from '@shoal/cluster';
import type { Coordinator } from '@shoal/coordinator';
import type { IndexMetadata } from '@shoal/state';
import type { Measurements } from './step.js';

interface ShardStatistics {
  readonly docs: { readonly count: number; readonly deleted: number };
  readonly store: { readonly size_in_bytes: number };
}

/** Measures indices on their shards, by uuid. An index whose primaries do not all answer is left out. */
export async function measureIndices(
  coordinator: Pick<Coordinator, 'broadcast'>,
  metas: readonly IndexMetadata[],
  nowMs: number,
): Promise<ReadonlyMap<string, Measurements>> {
  const answer = await coordinator.broadcast(metas, 'stats', {});
  const byIndex = new Map<string, SizedShard[]>();
  for (const { indexUuid, primary, body } of answer.shards) {
    const { docs, store } = body as ShardStatistics;
    const known = byIndex.get(indexUuid) ?? [];
    known.push({ primary, docs: docs.count, deleted: docs.deleted, bytes: store.size_in_bytes });
    byIndex.set(indexUuid, known);
  }
  const measured = metas.flatMap((meta): [string, Measurements][] => {
    const shards = byIndex.get(meta.uuid) ?? [];
    if (shards.filter(({ primary }) => primary).length < meta.numberOfShards) return [];
    return [[meta.uuid, rolloverFacts(meta, shards, nowMs)]];
  });
  return new Map(measured);
}
