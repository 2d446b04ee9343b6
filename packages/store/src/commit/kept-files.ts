import type { KeyValueStore } from '@shoal/doors';
import { createIdentity } from '../copy/identity.js';
import { COMMITTED, IDENTITY_KEY, isBatchKey, numberedRange, numberOfKey } from '../level/keys.js';
import { type VerifiedStore, openTables, removeKeys, removeOtherSegments, removeRange } from '../copy/open-verified.js';
import type { KeptFiles, ShardStoreOptions } from '../shard-store-api.js';
import { witnessPath } from '../shard-paths.js';
import { asStoreError } from '../level/store-errors.js';
import { emptyChain } from '../log/verify-chain.js';
import { openWitness, type WitnessFile } from '../log/witness.js';

/** Headers of batches, and the operations that are not kept. */
async function strayRecords(store: KeyValueStore, operationsBelow: number): Promise<Uint8Array[]> {
  const stray: Uint8Array[] = [];
  for await (const [key] of store.entries(numberedRange('operation', 0))) {
    if (isBatchKey(key) || numberOfKey(key) >= operationsBelow) stray.push(key);
  }
  return stray;
}

/**
 * The identity goes first: a store that is left between is one without identity, which is never opened as if it were
 * whole.
 */
async function strip(store: KeyValueStore, { segments, operationsBelow }: KeptFiles): Promise<void> {
  await removeKeys(store, [IDENTITY_KEY]);
  await removeRange(store, COMMITTED);
  await removeKeys(store, await strayRecords(store, operationsBelow));
  await removeOtherSegments(store, new Set(segments));
}

async function identified(
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
 * Opens a store that begins anew, with a chain of its own, and keeps some of what it had. Nothing refers to that yet:
 * if no commit does by then, the next open removes it, as it does what an interrupted copying of files has left.
 */
export async function openKeepingFiles(options: ShardStoreOptions, kept: KeptFiles): Promise<VerifiedStore> {
  const store = await openTables(options, false);
  let witness: WitnessFile | null = null;
  try {
    await strip(store, kept);
    await options.files.remove(witnessPath(options.path));
    witness = await openWitness(options.files, witnessPath(options.path));
    return { store, othersEnded: async () => undefined, witness, ...(await identified(options, store, witness)) };
  } catch (error) {
    witness?.close();
    await store.close();
    throw asStoreError(error);
  }
}
