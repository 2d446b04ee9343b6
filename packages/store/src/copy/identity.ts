import { decodeValue, encodeValue } from '@shoal/codec';
import type { KeyValueStore, Random } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { FIRST_LINK } from '../log/batch-header.js';
import { verifyRecord, appendChecksum } from '../level/checksum.js';
import { IDENTITY_KEY, WHOLE_STORE } from '../level/keys.js';
import type { Witness, WitnessFile } from '../log/witness.js';

const STORE_FORMAT = 3;

/** Who the copy is. */
export interface StoreIdentity {
  readonly chainId: Uint8Array;
  /** Lineage of the shard: copies of one lineage compare by numbers and terms. */
  readonly historyUuid: string;
  /** The assignment that the copy was opened for last; null outside of a cluster. */
  readonly allocationId: string | null;
  /**
   * The assignment before it, until the copy is whole under the new one: all that was acknowledged under it is here
   * still.
   */
  readonly previousAllocationId: string | null;
}

/** What an opening copy is told of itself. */
export interface WantedIdentity {
  /** Null keeps what the store says. */
  readonly allocationId: string | null;
  /** For a new store that takes over the history of another copy. */
  readonly historyUuid?: string;
  /** The store has to be there: the copy's own, or one of any assignment. None is made in its place. */
  readonly existing?: 'own' | 'any';
  /** Operators chose the store, whatever it lacks: copies with the history until now have to give theirs up. */
  readonly beginsHistory?: boolean;
  /** Assignments that have all that was acknowledged, as far as is known. */
  readonly inSync?: readonly string[];
}

export async function writeIdentity(store: KeyValueStore, identity: StoreIdentity): Promise<void> {
  const content = encodeValue({ format: STORE_FORMAT, ...identity });
  await store.batch([{ type: 'put', key: IDENTITY_KEY, value: appendChecksum(IDENTITY_KEY, content) }], { sync: true });
}

/** Throws illegal_state_exception for a store of another format, which is left as it is. */
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

/** A creation that did not come to its end is gone on with (`begun`): its chain has no batch. */
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
 * The identity under a new assignment. One that was never confirmed leaves the one before it in place, unless the
 * master has it in sync and only this node did not learn of it; a return to that one ends the attempt.
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

/** Throws when the store is not the one that is wanted. */
export function checkOwn({ allocationId, previousAllocationId }: StoreIdentity, wanted: WantedIdentity): void {
  if (wanted.existing !== 'own' || wanted.allocationId === allocationId || wanted.allocationId === previousAllocationId)
    return;
  throw errors.illegalState(`the store is that of copy [${allocationId}], not of [${wanted.allocationId}]`);
}

/** The identity of a store that is there, under the wanted assignment. */
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
 * Reads the identity, or gives a new store its own. Throws corrupt_index_exception when store and witness do not belong
 * together.
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
