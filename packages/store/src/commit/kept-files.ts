import type { KeyValueStore } from '@shoal/doors';
import { createIdentity } from '../copy/identity.js';
import { beginAnew } from '../copy/made-anew.js';
import { COMMITTED, isBatchKey, numberedRange, numberOfKey } from '../level/keys.js';
import { type VerifiedStore, openTables } from '../copy/open-verified.js';
import { removeKeys, removeOtherSegments, removeRange } from '../level/remove-records.js';
import type { KeptFiles, ShardStoreOptions } from '../shard-store-api.js';
import { witnessPath } from '../shard-paths.js';
import { asStoreError } from '../level/store-errors.js';
import { emptyChain } from '../log/verify-chain.js';
import { openWitness, type WitnessFile } from '../log/witness.js';

/** Keys of all batch headers and of the operations that are not kept. */
async function strayRecords(store: KeyValueStore, operationsBelow: number): Promise<Uint8Array[]> {
  const stray: Uint8Array[] = [];
  for await (const [key] of store.entries(numberedRange('operation', 0))) {
    if (isBatchKey(key) || numberOfKey(key) >= operationsBelow) stray.push(key);
  }
  return stray;
}

/**
 * Removes everything that is not kept. A mark takes the place of the identity first: after a crash in between, the next
 * open clears the store (`copy/made-anew.ts`) and never takes it for a complete one.
 */
async function strip(store: KeyValueStore, { segments, operationsBelow }: KeptFiles): Promise<void> {
  await beginAnew(store);
  await removeRange(store, COMMITTED);
  await removeKeys(store, await strayRecords(store, operationsBelow));
  await removeOtherSegments(store, new Set(segments));
}

async function newIdentity(
  options: ShardStoreOptions,
  store: KeyValueStore,
  witness: WitnessFile,
): Promise<Pick<VerifiedStore, 'identity' | 'commits' | 'chain'>> {
  const identity = await createIdentity(
    options.random,
    options.identity ?? { allocationId: null },
    store,
    witness,
    null,
  );
  return { identity, commits: [], chain: emptyChain(store) };
}

/**
 * Opens a store that starts anew, with an empty chain, and keeps some of its segments and operations. If no commit
 * point refers to a kept part before the next open, that open removes it, as it removes the rest of an interrupted
 * recovery.
 */
export async function openKeepingFiles(options: ShardStoreOptions, kept: KeptFiles): Promise<VerifiedStore> {
  const store = await openTables(options, false);
  let witness: WitnessFile | null = null;
  try {
    await strip(store, kept);
    await options.files.remove(witnessPath(options.path));
    witness = await openWitness(options.files, witnessPath(options.path));
    return { store, othersEnded: async () => undefined, witness, ...(await newIdentity(options, store, witness)) };
  } catch (error) {
    witness?.close();
    await store.close();
    throw asStoreError(error);
  }
}
