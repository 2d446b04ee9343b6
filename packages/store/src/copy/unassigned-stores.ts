import type { TimerHandle } from '@shoal/doors';
import { readAtRest, type StoreAtRest } from './at-rest.js';
import { createDamageRecord, openOrMark, refuseMarked } from './damage.js';
import { closeUnused, type VerifiedStore, openVerified } from './open-verified.js';
import type { ShardStoreOptions } from '../shard-store-api.js';
import { verifiedInfo, type ShardStoreInfo } from './store-info.js';

/**
 * A store that was looked into is expected to be verified by then: after the start of a cluster all that the master
 * chooses are.
 */
const KEPT_OPEN_MS = 300_000;

/**
 * Stores that nobody has open, looked into for the master's choice among copies (docs/internals/cluster.md §4). They
 * stay open for the copy that the master is about to choose: opening and verifying is what a start consists of, and so
 * happens once.
 */
export interface UnassignedStores {
  /**
   * Throws corrupt_index_exception for a damaged store. One that was closed in order is taken at its word. Nobody else
   * may open the store meanwhile.
   */
  inspect(path: string): Promise<ShardStoreInfo>;
  /** What a copy that was closed in order says of itself; null when it has to be verified. */
  atRest(path: string): Promise<StoreAtRest | null>;
  /** The open store, which is the caller's from now on; null when there is none. */
  take(path: string): Promise<VerifiedStore | null>;
  /** Closes one that is about to be removed. */
  drop(path: string): Promise<void>;
  /** Closes all of them, and from now on each as soon as it was looked into. */
  close(): Promise<void>;
}

interface OpenEntry {
  readonly verified: VerifiedStore;
  readonly options: ShardStoreOptions;
  readonly timer: TimerHandle;
}

export type UnassignedStoresOptions = Omit<ShardStoreOptions, 'path' | 'identity' | 'isAlone' | 'onFailure'>;

async function openUnassigned(options: ShardStoreOptions): Promise<VerifiedStore> {
  await refuseMarked(options.files, options.path);
  const damage = createDamageRecord(
    options.files,
    options.log,
    options.path,
    () => options.clock.now(),
    () => undefined,
  );
  return openOrMark(damage, () => openVerified(options));
}

export function createUnassignedStores(doors: UnassignedStoresOptions): UnassignedStores {
  const open = new Map<string, OpenEntry>();
  /** Read for the master's choice, and again at once by the copy that it chooses. */
  const resting = new Map<string, StoreAtRest>();
  const closing = new Map<string, Promise<void>>();
  let isClosed = false;
  const closeEntry = ({ verified, options, timer }: OpenEntry): Promise<void> => {
    open.delete(options.path);
    timer.cancel();
    const closed = closeUnused(options, verified)
      .catch((error: unknown) =>
        doors.log.write('warn', 'a store that was looked into did not close cleanly', {
          path: options.path,
          'error.message': String(error),
        }),
      )
      .finally(() => closing.delete(options.path));
    closing.set(options.path, closed);
    return closed;
  };
  const keep = async (options: ShardStoreOptions, verified: VerifiedStore): Promise<void> => {
    const entry: OpenEntry = {
      options,
      verified,
      timer: doors.clock.after(KEPT_OPEN_MS, () => void closeEntry(entry)),
    };
    open.set(options.path, entry);
    if (isClosed) await closeEntry(entry);
  };
  return {
    async inspect(path) {
      await closing.get(path);
      const entry = open.get(path);
      if (entry) return verifiedInfo(entry.verified);
      const found = await readAtRest(doors.files, path);
      if (found) resting.set(path, found);
      if (found) return found.info;
      const options = { ...doors, path };
      const verified = await openUnassigned(options);
      await keep(options, verified);
      return verifiedInfo(verified);
    },
    async atRest(path) {
      const found = resting.get(path);
      resting.delete(path);
      return found ?? readAtRest(doors.files, path);
    },
    async take(path) {
      resting.delete(path);
      await closing.get(path);
      const entry = open.get(path);
      if (!entry) return null;
      open.delete(path);
      entry.timer.cancel();
      return entry.verified;
    },
    async drop(path) {
      resting.delete(path);
      const entry = open.get(path);
      await (entry ? closeEntry(entry) : closing.get(path));
    },
    async close() {
      isClosed = true;
      for (const entry of [...open.values()]) void closeEntry(entry);
      await Promise.all(closing.values());
    },
  };
}
