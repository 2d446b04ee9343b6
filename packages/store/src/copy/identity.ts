import { decodeValue, encodeValue } from '@shoal/codec';
import type { KeyValueStore, Random } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { FIRST_LINK } from '../log/batch-header.js';
import { verifyRecord, appendChecksum } from '../level/checksum.js';
import { ANEW_KEY, IDENTITY_KEY, WHOLE_STORE } from '../level/keys.js';
import type { Witness, WitnessFile } from '../log/witness.js';

const STORE_FORMAT = 3;

/** Identity of a copy, stored in its store. */
export interface StoreIdentity {
  /** Random id of the log; the witness has it too. */
  readonly chainId: Uint8Array;
  /** History uuid of the shard: only copies with the same one compare by operation numbers and terms. */
  readonly historyUuid: string;
  /** Allocation id for which the copy was opened last; null outside of a cluster. */
  readonly allocationId: string | null;
  /**
   * Allocation id before the current one, until the copy is complete under the current one; else null. The store still
   * has everything that was acknowledged under it.
   */
  readonly previousAllocationId: string | null;
}

/** Identity with which a store is to be opened. */
export interface WantedIdentity {
  /** Null keeps the allocation id of the store. */
  readonly allocationId: string | null;
  /** History uuid of a new store that is recovered from another copy. */
  readonly historyUuid?: string;
  /** The store must exist, with this allocation id (`own`) or with any; it is not created. */
  readonly existing?: 'own' | 'any';
  /** An operator forced this store to become primary: it gets a new history uuid, and other copies recover from it. */
  readonly beginsHistory?: boolean;
  /** Allocation ids that are known to be in sync. */
  readonly inSync?: readonly string[];
}

/** Stores an identity, which ends the making anew of a store; resolves when it is synced. */
export async function writeIdentity(store: KeyValueStore, identity: StoreIdentity): Promise<void> {
  const content = encodeValue({ format: STORE_FORMAT, ...identity });
  await store.batch(
    [
      { type: 'put', key: IDENTITY_KEY, value: appendChecksum(IDENTITY_KEY, content) },
      { type: 'del', key: ANEW_KEY },
    ],
    { sync: true },
  );
}

/** Decodes an identity. Throws illegal_state_exception for a store of another format. */
export function readIdentity(value: Uint8Array): StoreIdentity {
  const read = decodeValue(verifyRecord(IDENTITY_KEY, value, 'identity of the store')) as unknown as StoreIdentity & {
    readonly format: number;
  };
  if (read.format !== STORE_FORMAT)
    throw errors.illegalState(
      `the store has format [${read.format}], which this version does not read: it reads [${STORE_FORMAT}]`,
    );
  return {
    chainId: new Uint8Array(read.chainId),
    historyUuid: read.historyUuid,
    allocationId: read.allocationId ?? null,
    previousAllocationId: read.previousAllocationId ?? null,
  };
}

const newHistoryUuid = (random: Random): string => Buffer.from(random.bytes(16)).toString('base64url');

/**
 * Creates the identity of a new store, first in the witness. `begun`: witness of a creation that a crash interrupted.
 */
export async function createIdentity(
  random: Random,
  wanted: WantedIdentity,
  store: KeyValueStore,
  witness: WitnessFile,
  begun: Witness | null,
): Promise<StoreIdentity> {
  const historyUuid = wanted.historyUuid ?? newHistoryUuid(random);
  const identity = {
    chainId: begun?.chainId ?? random.bytes(16),
    historyUuid,
    allocationId: wanted.allocationId,
    previousAllocationId: null,
  };
  witness.write({ chainId: identity.chainId, batch: 0, link: FIRST_LINK, generation: 0 });
  await witness.sync();
  await writeIdentity(store, identity);
  return identity;
}

async function hasEntries(store: KeyValueStore): Promise<boolean> {
  for await (const _ of store.entries({ ...WHOLE_STORE, limit: 1 })) return true;
  return false;
}

/**
 * The identity under a new allocation id. The previous id is the last one under which the copy was complete. If the
 * copy never became complete under the current id, the previous id stays; but if the master lists the current id as in
 * sync, the copy was complete and only this node did not learn of it. If the previous id is assigned again, it becomes
 * current.
 */
export function reassign(
  identity: StoreIdentity,
  allocationId: string | null,
  inSync: readonly string[] = [],
): StoreIdentity {
  if (allocationId === null || allocationId === identity.allocationId) return identity;
  if (allocationId === identity.previousAllocationId) return { ...identity, allocationId, previousAllocationId: null };
  const isWhole = identity.allocationId !== null && inSync.includes(identity.allocationId);
  return {
    ...identity,
    allocationId,
    previousAllocationId: isWhole ? identity.allocationId : (identity.previousAllocationId ?? identity.allocationId),
  };
}

/** Throws illegal_state_exception if the store is not the one that `wanted` demands. */
export function checkOwn({ allocationId, previousAllocationId }: StoreIdentity, wanted: WantedIdentity): void {
  if (wanted.existing !== 'own' || wanted.allocationId === allocationId || wanted.allocationId === previousAllocationId)
    return;
  throw errors.illegalState(`the store is that of copy [${allocationId}], not of [${wanted.allocationId}]`);
}

/** Assigns an existing store as `wanted` demands; returns its identity, stored if it changed. */
export async function adopt(
  random: Random,
  store: KeyValueStore,
  identity: StoreIdentity,
  wanted: WantedIdentity,
): Promise<StoreIdentity> {
  const assigned = reassign(identity, wanted.allocationId, wanted.inSync);
  const next = wanted.beginsHistory ? { ...assigned, historyUuid: newHistoryUuid(random) } : assigned;
  if (next !== identity) await writeIdentity(store, next);
  return next;
}

/**
 * Reads the identity of a store, or creates it for a new one. Throws corrupt_index_exception if the store and its
 * witness do not belong together.
 */
export async function identify(
  random: Random,
  wanted: WantedIdentity,
  store: KeyValueStore,
  witness: WitnessFile,
): Promise<{ identity: StoreIdentity; seen: Witness; isNew: boolean }> {
  const seen = witness.read();
  const value = store.get(IDENTITY_KEY);
  if (value === undefined) {
    const isNew = (seen === null || seen.batch === 0) && !(await hasEntries(store));
    if (!isNew) throw errors.corruption('identity of the store is missing');
    if (wanted.existing) throw errors.illegalState(`the store of copy [${wanted.allocationId}] is not there`);
    const identity = await createIdentity(random, wanted, store, witness, seen);
    return { identity, seen: { chainId: identity.chainId, batch: 0, link: FIRST_LINK, generation: 0 }, isNew: true };
  }
  const identity = readIdentity(value);
  if (seen === null) throw errors.corruption('the witness of the log is missing');
  if (seen.batch >= 0 && Buffer.compare(seen.chainId, identity.chainId) !== 0)
    throw errors.corruption('the witness belongs to another store');
  checkOwn(identity, wanted);
  return { identity: await adopt(random, store, identity, wanted), seen, isNew: false };
}
