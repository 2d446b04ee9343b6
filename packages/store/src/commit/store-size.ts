import type { Clock, Files } from '@shoal/doors';
import { WHOLE_STORE } from '../level/keys.js';
import type { PoisonableStore } from '../level/poisonable-store.js';

/** A size is read again after so long while changes may still go on behind it: LevelDB compacts after its writes. */
const SETTLING_MS = 10_000;

/** Where a store is, and what tells the time. */
interface StorePlace {
  readonly path: string;
  readonly files: Pick<Files, 'folderSize'>;
  readonly clock: Clock;
}

/** What was measured. */
interface Measured {
  readonly bytes: number;
  /** `changes` of the store when the measuring began, and the time then. */
  readonly changes: number;
  readonly atMs: number;
  /** Whether the store had been without a change for SETTLING_MS. */
  readonly isSettled: boolean;
}

/**
 * Bytes of a store on disk. Adding them up takes a call of the system for each file, so they are measured again only
 * when something was written since, and once more 10 s after that: statistics of a thousand idle shards read no folder.
 */
export function createStoreSize(
  { path, files, clock }: StorePlace,
  store: () => Pick<PoisonableStore, 'sizeOf' | 'changes'>,
): () => Promise<number> {
  let known: Measured | null = null;
  return async () => {
    const atMs = clock.monotonic();
    const changes = store().changes();
    const isSame = known?.changes === changes;
    if (known !== null && isSame && (known.isSettled || atMs - known.atMs < SETTLING_MS)) return known.bytes;
    const sizes = await Promise.all([files.folderSize(path), store().sizeOf(WHOLE_STORE)]);
    known = { bytes: Math.max(...sizes), changes, atMs, isSettled: isSame };
    return known.bytes;
  };
}
