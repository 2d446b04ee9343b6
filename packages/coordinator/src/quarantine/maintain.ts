import { type ClusterState, clusterSetting, type IndexMetadata } from '@shoal/state';
import { parseByteSize, parseTimeValue } from '@shoal/values';
import { broadcast } from '../admin/broadcast.js';
import { startByQuery } from '../by-query/run-by-query.js';
import type { CoordinatorContext } from '../context.js';
import { copyRequest } from '../enrich/copy-request.js';
import { ownCall } from '../enrich/execute-policy.js';
import { countEntries } from './find-entries.js';
import { fateOf } from './fate.js';
import { BLOCK, type Quarantine, quarantines, rollQuarantine, writeIndexOfQuarantine } from './quarantine-index.js';

/** What a round of maintenance does, from the settings of the cluster. */
interface Limits {
  readonly bytesMax: number;
  /** Milliseconds; negative for ever. */
  readonly retentionMs: number;
}

function limitsOf(state: ClusterState): Limits {
  const text = (name: string): string => String(clusterSetting(state, `shoal.quarantine.${name}`));
  return {
    bytesMax: parseByteSize(text('max_bytes'), 'shoal.quarantine.max_bytes'),
    retentionMs: parseTimeValue(text('retention'), 'shoal.quarantine.retention'),
  };
}

/**
 * Rolls quarantines that are large enough, deletes entries that are old enough, and drops indices without entries. To
 * be called again and again, on the master.
 */
export async function maintainQuarantines(context: CoordinatorContext, signal: AbortSignal): Promise<void> {
  const state = context.cluster.state();
  const found = quarantines(state);
  if (found.length === 0) return;
  const limits = limitsOf(state);
  await roll(context, found, limits);
  if (limits.retentionMs >= 0) await expire(context, limits, signal);
  await dropEmpty(context, limits, signal);
}

async function roll(context: CoordinatorContext, found: readonly Quarantine[], { bytesMax }: Limits): Promise<void> {
  const written = new Map(found.map((one) => [writeIndexOfQuarantine(one), one]));
  const { shards } = await broadcast(context, [...written.keys()], 'stats', {}, 'primaries');
  for (const { indexUuid, body } of shards) {
    const { store } = body as { store?: { size_in_bytes?: number } };
    if ((store?.size_in_bytes ?? 0) < bytesMax) continue;
    const [, quarantine] = [...written].find(([index]) => index.uuid === indexUuid)!;
    await rollQuarantine(context, quarantine.alias);
  }
}

const openIndices = ({ indices }: Quarantine): IndexMetadata[] => indices.filter(({ state }) => state === 'open');

async function expire(context: CoordinatorContext, { retentionMs }: Limits, signal: AbortSignal): Promise<void> {
  const names = quarantines(context.cluster.state()).flatMap((one) => openIndices(one).map(({ name }) => name));
  if (names.length === 0) return;
  const query = { range: { '@timestamp': { lt: context.clock.now() - retentionMs, format: 'epoch_millis' } } };
  const request = { ...copyRequest(names, { query }, null), kind: 'delete', proceedsOnConflict: true } as const;
  await startByQuery(context, request, ownCall(signal)).done;
}

/** Drops indices that hold nothing; see `fateOf`. */
async function dropEmpty(context: CoordinatorContext, { retentionMs }: Limits, signal: AbortSignal): Promise<void> {
  const { cluster, clock } = context;
  const found = quarantines(cluster.state());
  const counted = await countEntries(context, found.flatMap(openIndices), ownCall(signal));
  for (const quarantine of found)
    for (const index of openIndices(quarantine)) {
      const entries = counted.get(index.name)?.doc_count ?? 0;
      const uuids = [index.uuid];
      const fate = fateOf(quarantine, index, entries, retentionMs, clock.now());
      if (fate === 'drop') await cluster.submit('delete-index', { uuids });
      else if (fate === 'block') await cluster.submit('add-block', { uuids, block: 'write' });
      else if (fate === 'unblock') await cluster.submit('update-settings', { uuids, settings: { [BLOCK]: null } });
    }
}
