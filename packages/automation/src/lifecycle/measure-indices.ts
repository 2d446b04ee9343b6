import { rolloverFacts, type SizedShard } from '@shoal/cluster';
import type { Coordinator } from '@shoal/coordinator';
import type { IndexMetadata } from '@shoal/state';
import type { Measurements } from './step.js';

interface ShardStatistics {
  readonly docs: { readonly count: number; readonly deleted: number };
  readonly store: { readonly size_in_bytes: number };
  readonly segments: { readonly count: number };
}

/** Measures indices on their shards, by uuid. An index whose primaries do not all answer is left out. */
export async function measureIndices(
  coordinator: Pick<Coordinator, 'broadcast'>,
  metas: readonly IndexMetadata[],
  nowMs: number,
): Promise<ReadonlyMap<string, Measurements>> {
  const answer = await coordinator.broadcast(metas, 'stats', {});
  const byIndex = new Map<string, { readonly sized: SizedShard; readonly segments: number }[]>();
  for (const { indexUuid, primary, body } of answer.shards) {
    const { docs, store, segments } = body as ShardStatistics;
    const sized = { primary, docs: docs.count, deleted: docs.deleted, bytes: store.size_in_bytes };
    const known = byIndex.get(indexUuid) ?? [];
    known.push({ sized, segments: segments.count });
    byIndex.set(indexUuid, known);
  }
  const measured = metas.flatMap((meta): [string, Measurements][] => {
    const shards = byIndex.get(meta.uuid) ?? [];
    if (shards.filter(({ sized }) => sized.primary).length < meta.numberOfShards) return [];
    const facts = rolloverFacts(
      meta,
      shards.map(({ sized }) => sized),
      nowMs,
    );
    return [[meta.uuid, { ...facts, segments: Math.max(...shards.map(({ segments }) => segments)) }]];
  });
  return new Map(measured);
}
