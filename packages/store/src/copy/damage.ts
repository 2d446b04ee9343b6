import { type Files, isSpaceError, type Log } from '@shoal/doors';
import { type ApiError, errors, toApiError } from '@shoal/errors';
import { markerPath } from '../shard-paths.js';
import { isCorruption } from '../level/store-errors.js';

/** Failure of a store. A damaged store gets a marker file, so that it is never opened again as if it were complete. */
export interface DamageRecord {
  /** The first error that ended the store, or null. */
  readonly failure: ApiError | null;
  /** Ends the store: logs the error and, if `isDamaged`, writes the marker. Returns the first error. */
  fail(error: unknown, isDamaged: boolean): ApiError;
  /** Throws the error if the store has failed. */
  check(): void;
  /** Resolves when the marker is on disk. */
  settled(): Promise<void>;
}

/** A record without a failure. `onFailure` is called once. */
export function createDamageRecord(
  files: Files,
  log: Log,
  path: string,
  now: () => number,
  onFailure: (error: ApiError) => void,
): DamageRecord {
  let failure: ApiError | null = null;
  let marking: Promise<void> = Promise.resolve();
  const mark = async (reason: string): Promise<void> => {
    try {
      await files.replace(markerPath(path), Buffer.from(JSON.stringify({ reason, at: new Date(now()).toISOString() })));
    } catch (error) {
      log.write('error', 'marker of a damaged shard store could not be written', {
        path,
        'error.message': String(error),
      });
    }
  };
  return {
    get failure() {
      return failure;
    },
    fail(error, isDamaged) {
      if (failure) return failure;
      failure = toApiError(error);
      log.write('error', isDamaged ? 'shard store is damaged' : 'shard store failed', {
        path,
        'error.message': failure.message,
      });
      if (isDamaged) marking = mark(failure.message);
      onFailure(failure);
      return failure;
    },
    check() {
      if (failure) throw failure;
    },
    settled: () => marking,
  };
}

/**
 * Runs `open`; if it fails, records the failure, writes the marker if the store is damaged, and throws the error. A
 * store that found no space is no failed store: who opens it tries again when there is space, and the master does not
 * count it among the failures after which it gives up allocating the copy.
 */
export async function openOrMark<T>(damage: DamageRecord, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (isSpaceError(error)) throw error;
    damage.fail(error, isCorruption(error));
    await damage.settled();
    throw error;
  }
}

/** Throws corrupt_index_exception if the store has a marker of damage. */
export async function refuseMarked(files: Files, path: string): Promise<void> {
  const marker = await files.read(markerPath(path));
  if (marker)
    throw errors.corruption(`shard store is marked as damaged: ${reasonOf(Buffer.from(marker).toString('utf8'))}`);
}

function reasonOf(marker: string): string {
  try {
    const { reason, at } = JSON.parse(marker) as { reason?: unknown; at?: unknown };
    return `${String(reason)} (${String(at)})`;
  } catch {
    return marker;
  }
}
