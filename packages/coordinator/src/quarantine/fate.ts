import { type IndexMetadata, isTrue } from '@shoal/state';
import { BLOCK, type Quarantine, writeIndexOfQuarantine } from './quarantine-index.js';

/**
 * An index that is no longer written to is dropped only so long after: writes that were on their way when it was rolled
 * wait 10 s at most for their shard.
 */
const ROLLED_MS_MIN = 60_000;

/** What becomes of an index of a quarantine. */
export type Fate = 'keep' | 'block' | 'unblock' | 'drop';

/**
 * Decides what becomes of an index with so many entries. Entries that were answered are never dropped with it. One that
 * was rolled goes when it is empty. The one that is written to goes when it has had no entry for as long as entries are
 * kept, so that indices named by the day leave nothing behind: it is blocked first, and dropped in a later round, when
 * no write to it can be on its way any more. A refused document that comes meanwhile rolls the quarantine
 * (`ensureQuarantine`); an entry that came before lifts the block.
 */
export function fateOf(
  quarantine: Quarantine,
  index: IndexMetadata,
  entries: number,
  retentionMs: number,
  nowMs: number,
): Fate {
  const isEmpty = entries === 0;
  if (index !== writeIndexOfQuarantine(quarantine)) {
    const rolled = index.rolloverInfo?.[quarantine.alias] as { readonly time?: number } | undefined;
    return isEmpty && nowMs - (rolled?.time ?? nowMs) > ROLLED_MS_MIN ? 'drop' : 'keep';
  }
  if (isTrue(index.settings, BLOCK)) return isEmpty ? 'drop' : 'unblock';
  const ageMs = nowMs - Number(index.settings['index.creation_date']);
  return isEmpty && retentionMs >= 0 && ageMs > Math.max(retentionMs, ROLLED_MS_MIN) ? 'block' : 'keep';
}
