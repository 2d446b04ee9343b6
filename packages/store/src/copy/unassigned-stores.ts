import type { TimerHandle } from '@shoal/doors';
import { readAtRest, type StoreAtRest } from './at-rest.js';
import { createDamageRecord, openOrMark, refuseMarked } from './damage.js';
import { closeUnused, type VerifiedStore, openVerified } from './open-verified.js';
import type { ShardStoreOptions } from '../shard-store-api.js';
import { verifiedInfo, type ShardStoreInfo } from './store-info.js';

/**
 * Time for which an inspected store stays open. After the start of a cluster the master has assigned every copy that it
 * chooses by then.
 */
const KEPT_OPEN_MS = 300_000;

/**
 * Stores of copies that are not assigned, opened for the master's choice among copies (docs/internals/cluster.md §4).
 * They stay open for the copy that the master chooses: opening and verifying is most of the work of a start, and so it
 * is done once.
 */
export interface UnassignedStores {
  /**
   * Describes the store at `path`. Opens and verifies it unless it was closed cleanly. No other code may open it at the
   * same time. Throws corrupt_index_exception if it is damaged.
   */
  inspect(path: string): Promise<ShardStoreInfo>;
  /** Description of a cleanly closed store; null if the store has to be opened. */
  atRest(path: string): Promise<StoreAtRest | null>;
  /** Hands an open store over to the caller; null if it is not open here. */
  take(path: string): Promise<VerifiedStore | null>;
  /** Closes a store that is about to be deleted. */
  drop(path: string): Promise<void>;
  /** Closes all stores; a store that is inspected afterwards is closed at once. */
  close(): Promise<void>;
}

interface OpenEntry {
  readonly verified: VerifiedStore;
  readonly options: ShardStoreOptions;
  readonly timer: TimerHandle;
}

/** Options with which unassigned stores are opened. */
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

/** A set of unassigned stores, at first empty. */
export function createUnassignedStores(doors: UnassignedStoresOptions): UnassignedStores {
  const open = new Map<string, OpenEntry>();
  /**
   * Descriptions of cleanly closed stores: read for the master's choice, and soon again by the copy that it chooses.
   */
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
