import type { KeyValueStore } from '@shoal/doors';
import { ALL_BUT_ANEW, ANEW_KEY, IDENTITY_KEY } from '../level/keys.js';
import { removeKeys, removeOtherSegments, removeRange } from '../level/remove-records.js';
import { openWitness, type WitnessFile } from '../log/witness.js';
import type { ShardStoreOptions } from '../shard-store-api.js';
import { witnessPath } from '../shard-paths.js';

/**
 * A copy that is filled anew from its primary may keep files that both have: its store loses its identity, then what is
 * not kept, and gets another identity. Node n2 may be killed in between. What it has then is neither damaged nor of
 * use, since the primary fills it in any case, and must not be taken for a store whose identity was lost. So a mark
 * stands in the store for as long as it has no identity.
 */
export async function beginAnew(store: KeyValueStore): Promise<void> {
  await store.batch(
    [
      { type: 'del', key: IDENTITY_KEY },
      { type: 'put', key: ANEW_KEY, value: new Uint8Array(0) },
    ],
    { sync: true },
  );
}

/** Whether the store was being made anew when its node ended. */
export const isMadeAnew = (store: KeyValueStore): boolean => store.get(ANEW_KEY) !== undefined;

/**
 * Makes a store that was being made anew an empty one; returns its new witness. The mark goes last: until then the next
 * open begins again. The witness, which may be that of the lost log, is replaced before it.
 */
export async function clearMadeAnew(
  { files, path }: ShardStoreOptions,
  store: KeyValueStore,
  lost: WitnessFile,
): Promise<WitnessFile> {
  lost.close();
  await files.remove(witnessPath(path));
  const witness = await openWitness(files, witnessPath(path));
  await removeOtherSegments(store, new Set());
  for (const range of ALL_BUT_ANEW) await removeRange(store, range);
  await removeKeys(store, [ANEW_KEY]);
  return witness;
}
