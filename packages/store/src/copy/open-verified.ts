import type { KeyValueStore } from '@shoal/doors';
import { checksumOf, verifyRecord } from '../level/checksum.js';
import { type Commit, decodeCommit } from '../commit/commit.js';
import { keptCommits, keysOfDropped } from '../commit/commit-batch.js';
import { adopt, checkOwn, type StoreIdentity, identify } from './identity.js';
import { clearMadeAnew, isMadeAnew } from './made-anew.js';
import { batchOfKey, isBatchKey, numberedKey, numberedRange, numberOfKey } from '../level/keys.js';
import { removeKeys, removeOtherSegments, removeRange } from '../level/remove-records.js';
import { openFlag, restPath, witnessPath } from '../shard-paths.js';
import { poisonable, type PoisonableStore } from '../level/poisonable-store.js';
import type { ShardStoreOptions } from '../shard-store-api.js';
import { asStoreError } from '../level/store-errors.js';
import { emptyChain, type FoundCommit, type VerifiedChain, verifyChain } from '../log/verify-chain.js';
import { verifyTables } from '../level/verify-tables.js';
import { openWitness, type Witness, type WitnessFile } from '../log/witness.js';

/** Up to this size all tables of a store are checked at every open, which takes 0.2 s at most. */
const ALWAYS_VERIFIED_BYTES = 128 * 1024 * 1024;

/** An open store with everything that was found and verified at open. */
export interface VerifiedStore {
  store: PoisonableStore;
  /** Resolves when no other handle of the store is open. */
  othersEnded: () => Promise<void>;
  readonly witness: WitnessFile;
  readonly identity: StoreIdentity;
  /** Oldest first. */
  readonly commits: readonly Commit[];
  readonly chain: VerifiedChain;
}

async function findCommits(store: KeyValueStore): Promise<FoundCommit[]> {
  const found: FoundCommit[] = [];
  for await (const [key, value] of store.entries(numberedRange('commit', 0))) {
    const content = verifyRecord(key, value, `commit point [${numberOfKey(key)}]`);
    found.push({ commit: decodeCommit(content), checksum: checksumOf(key, content) });
  }
  return found;
}

/** Number of the first batch that an open may have to verify: 1 as long as no commit point is safe. */
export function oldestBatchNeeded(commits: readonly Commit[], globalCheckpoint: number): number {
  const oldest = commits[0];
  return oldest && oldest.maxSeqNo <= globalCheckpoint ? oldest.chainStart : 1;
}

/** Keys of batch headers that the commit point does not need, and that a trim after it may have left behind. */
async function leftHeaders(
  store: KeyValueStore,
  { headersFrom, chainPosition, chainStart }: Commit,
): Promise<Uint8Array[]> {
  const left: Uint8Array[] = [];
  for await (const [key] of store.entries({
    gte: numberedKey('operation', headersFrom),
    lt: numberedKey('operation', chainPosition),
  })) {
    if (isBatchKey(key) && batchOfKey(key) < chainStart) left.push(key);
  }
  return left;
}

/** Removes what an interrupted merge, flush, trim or import left behind; returns the commit points that are kept. */
async function removeLeftovers(
  store: KeyValueStore,
  found: readonly Commit[],
  { globalCheckpoint, head, batches, staleHeaders }: VerifiedChain,
  endedBadly: boolean,
): Promise<readonly Commit[]> {
  // Without a batch the store has no operations of its own: these are from an import that was interrupted.
  if (head.batch === 0) await removeRange(store, numberedRange('operation', 0));
  const commits = keptCommits(found, globalCheckpoint);
  const dropped = found.slice(0, found.length - commits.length);
  await removeKeys(store, keysOfDropped(dropped, commits));
  await removeOtherSegments(
    store,
    new Set(commits.flatMap(({ segments }) => segments.map((segment) => segment.segment))),
  );
  const until = oldestBatchNeeded(commits, globalCheckpoint);
  const isSafe = until > 1;
  await removeKeys(store, [
    ...(isSafe && endedBadly ? await leftHeaders(store, commits[0]!) : []),
    ...staleHeaders,
    ...batches.keysBelow(until),
  ]);
  batches.forget(until);
  return commits;
}

/**
 * A large store is checked only if it was not closed cleanly; a crash by a damaged block leaves it in that state, too.
 */
async function mustVerifyTables(options: ShardStoreOptions, endedBadly: boolean): Promise<boolean> {
  return endedBadly || (await options.files.folderSize(`${options.path}/db`)) <= ALWAYS_VERIFIED_BYTES;
}

/**
 * Creates the open flag, a file that exists while the store is open. It is not synced: LevelDB syncs its own new files
 * next, and file systems make new files durable in the order of their creation.
 */
async function raiseOpenFlag({ files, path }: ShardStoreOptions): Promise<void> {
  (await files.open(openFlag(path), { syncsFolder: false })).close();
  await files.remove(restPath(path));
}

/** Closes a verified store that was not used, and removes its open flag. */
export async function closeUnused(options: ShardStoreOptions, { witness, store }: VerifiedStore): Promise<void> {
  witness.close();
  await store.close();
  await options.files.remove(openFlag(options.path));
}

/**
 * Verifies the content of the store and removes what interrupted work left behind. A new store has no content.
 */
async function contentsOf(
  store: KeyValueStore,
  { seen, isNew }: { seen: Witness; isNew: boolean },
  endedBadly: boolean,
): Promise<Pick<VerifiedStore, 'commits' | 'chain'>> {
  if (isNew) return { commits: [], chain: emptyChain(store) };
  const found = await findCommits(store);
  const chain = await verifyChain(store, found, seen);
  return {
    commits: await removeLeftovers(
      store,
      found.map(({ commit }) => commit),
      chain,
      endedBadly,
    ),
    chain,
  };
}

const endedBadlyBefore = async ({ files, path }: ShardStoreOptions): Promise<boolean> =>
  (await files.read(openFlag(path))) !== null;

/** Opens the key-value store, after its tables are checked if necessary and the open flag is set. */
export async function openTables(options: ShardStoreOptions, endedBadly: boolean): Promise<PoisonableStore> {
  if (!options.isJustFilled && (await mustVerifyTables(options, endedBadly)))
    await verifyTables(options.files, `${options.path}/db`);
  await raiseOpenFlag(options);
  return poisonable(await options.stores.open(`${options.path}/db`));
}

/**
 * Opens the store of a copy and verifies that everything acknowledged is there. Throws corrupt_index_exception if not.
 */
export async function openVerified(options: ShardStoreOptions): Promise<VerifiedStore> {
  let witness = await openWitness(options.files, witnessPath(options.path));
  let store: PoisonableStore | null = null;
  try {
    const endedBadly = await endedBadlyBefore(options);
    store = await openTables(options, endedBadly);
    if (isMadeAnew(store)) witness = await clearMadeAnew(options, store, witness);
    const identified = await identify(options.random, options.identity ?? { allocationId: null }, store, witness);
    const contents = await contentsOf(store, identified, endedBadly);
    return { store, othersEnded: async () => undefined, witness, identity: identified.identity, ...contents };
  } catch (error) {
    witness.close();
    await store?.close();
    throw asStoreError(error);
  }
}

/** Assigns a verified, unused store the identity of `options`; closes it if that is refused. */
export async function adoptVerified(options: ShardStoreOptions, verified: VerifiedStore): Promise<VerifiedStore> {
  const wanted = options.identity ?? { allocationId: null };
  try {
    checkOwn(verified.identity, wanted);
    return { ...verified, identity: await adopt(options.random, verified.store, verified.identity, wanted) };
  } catch (error) {
    await closeUnused(options, verified);
    throw asStoreError(error);
  }
}
