import { createHash } from 'node:crypto';
import type { ClusterState } from './state.js';

const MASK = (1n << 64n) - 1n;
const SCALARS = ['clusterName', 'clusterUuid', 'stateUuid', 'term', 'version', 'masterNodeId'] as const;
const MAPS = ['nodes', 'indices', 'routing'] as const;

interface CachedHash {
  readonly place: string;
  readonly hash: bigint;
}

/** Entries keep their identity from state to state: their hashes are made once. */
const entryHashes = new WeakMap<object, CachedHash>();
const sectionSums = new WeakMap<object, CachedHash>();

const hashText = (text: string): bigint => createHash('sha1').update(text).digest().readBigUInt64LE(0);

function cached(cache: WeakMap<object, CachedHash>, value: object, place: string, make: () => bigint): bigint {
  const known = cache.get(value);
  if (known?.place === place) return known.hash;
  const hash = make();
  cache.set(value, { place, hash });
  return hash;
}

function hashEntry(place: string, value: unknown): bigint {
  const make = (): bigint => hashText(`${place}\u0000${JSON.stringify(value)}`);
  return typeof value === 'object' && value !== null ? cached(entryHashes, value, place, make) : make();
}

/** The order of entries does not count: a difference may have put them in another one. */
function sumEntries(place: string, container: object, entries: () => Iterable<readonly [string, unknown]>): bigint {
  return cached(sectionSums, container, place, () => {
    let sum = hashText(place);
    for (const [key, value] of entries()) sum = (sum + hashEntry(`${place}/${key}`, value)) & MASK;
    return sum;
  });
}

/**
 * One number for the content of a state: the sum modulo 2^64 of a hash of each entry, as 16 hexadecimal digits. Sender and
 * receiver of a difference compare it, so that states never drift apart. Costs what changed since the last state.
 */
export function stateDigest(state: ClusterState): string {
  let sum = hashText(JSON.stringify(SCALARS.map((name) => state[name])));
  for (const name of MAPS) sum += sumEntries(name, state[name], () => state[name] as ReadonlyMap<string, unknown>);
  for (const [name, entries] of state.customs) sum += sumEntries(`custom:${name}`, entries, () => Object.entries(entries));
  for (const name of ['persistentSettings', 'transientSettings', 'blocks'] as const) sum += hashEntry(name, state[name]);
  return (sum & MASK).toString(16).padStart(16, '0');
}
