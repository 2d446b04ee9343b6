import { decodeValue, encodeValue } from '@shoal/codec';
import type { KeyValueStore, Random } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { FIRST_LINK } from './batch-header.js';
import { opened, sealed } from './checksum.js';
import { IDENTITY_KEY, WHOLE_STORE } from './keys.js';
import type { Witness, WitnessFile } from './witness.js';

/** Who the copy is. */
export interface StoreIdentity {
  readonly chainId: Uint8Array;
  /** Lineage of the shard: copies of one lineage compare by numbers and terms. */
  readonly historyUuid: string;
  /** The assignment that the copy was opened for last; null outside of a cluster. */
  readonly allocationId: string | null;
  /** The assignment before it, until the copy is whole under the new one: all that was acknowledged under it is here still. */
  readonly previousAllocationId: string | null;
}

/** What an opening copy is told of itself. */
export interface WantedIdentity {
  /** Null keeps what the store says. */
  readonly allocationId: string | null;
  /** For a new store that takes over the history of another copy. */
  readonly historyUuid?: string;
}

export async function writeIdentity(store: KeyValueStore, identity: StoreIdentity): Promise<void> {
  const content = encodeValue({ format: 2, ...identity });
  await store.batch([{ type: 'put', key: IDENTITY_KEY, value: sealed(IDENTITY_KEY, content) }], { sync: true });
}

export function readIdentity(value: Uint8Array): StoreIdentity {
  const read = decodeValue(opened(IDENTITY_KEY, value, 'identity of the store')) as unknown as StoreIdentity;
  return { chainId: new Uint8Array(read.chainId), historyUuid: read.historyUuid, allocationId: read.allocationId ?? null, previousAllocationId: read.previousAllocationId ?? null };
}

/** A creation that did not come to its end is gone on with: its chain has no batch. */
async function createIdentity(random: Random, wanted: WantedIdentity, store: KeyValueStore, witness: WitnessFile, begun: Witness | null): Promise<StoreIdentity> {
  const historyUuid = wanted.historyUuid ?? Buffer.from(random.bytes(16)).toString('base64url');
  const identity = { chainId: begun?.chainId ?? random.bytes(16), historyUuid, allocationId: wanted.allocationId, previousAllocationId: null };
  witness.write({ chainId: identity.chainId, batch: 0, link: FIRST_LINK, generation: 0 });
  await witness.sync();
  await writeIdentity(store, identity);
  return identity;
}

async function hasEntries(store: KeyValueStore): Promise<boolean> {
  for await (const _ of store.entries({ ...WHOLE_STORE, limit: 1 })) return true;
  return false;
}

/** The identity under a new assignment. One that was never confirmed leaves the one before it in place; a return to that one ends the attempt. */
export function reassigned(identity: StoreIdentity, allocationId: string | null): StoreIdentity {
  if (allocationId === null || allocationId === identity.allocationId) return identity;
  if (allocationId === identity.previousAllocationId) return { ...identity, allocationId, previousAllocationId: null };
  return { ...identity, allocationId, previousAllocationId: identity.previousAllocationId ?? identity.allocationId };
}

async function adopt(store: KeyValueStore, identity: StoreIdentity, wanted: WantedIdentity): Promise<StoreIdentity> {
  const next = reassigned(identity, wanted.allocationId);
  if (next !== identity) await writeIdentity(store, next);
  return next;
}

/** Reads the identity, or gives a new store its own. Throws corrupt_index_exception when store and witness do not belong together. */
export async function identify(random: Random, wanted: WantedIdentity, store: KeyValueStore, witness: WitnessFile): Promise<{ identity: StoreIdentity; seen: Witness }> {
  const seen = witness.read();
  const value = store.get(IDENTITY_KEY);
  if (value === undefined) {
    const isNew = (seen === null || seen.batch === 0) && !(await hasEntries(store));
    if (!isNew) throw errors.corruption('identity of the store is missing');
    const identity = await createIdentity(random, wanted, store, witness, seen);
    return { identity, seen: { chainId: identity.chainId, batch: 0, link: FIRST_LINK, generation: 0 } };
  }
  const identity = readIdentity(value);
  if (seen === null) throw errors.corruption('the witness of the log is missing');
  if (seen.batch >= 0 && Buffer.compare(seen.chainId, identity.chainId) !== 0) throw errors.corruption('the witness belongs to another store');
  return { identity: await adopt(store, identity, wanted), seen };
}
