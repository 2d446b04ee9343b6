import { changedKeys } from '../edited-map.js';
import { addHash, chainHash, type Hash64, hashText, hashValue, subtractHash } from './hash-value.js';
import type { ClusterState, IndexMetadata, ShardRouting } from '../state.js';

const SCALARS = [
  'clusterName',
  'clusterUuid',
  'stateUuid',
  'term',
  'version',
  'masterNodeId',
  'votingConfiguration',
] as const;

const NOTHING: Hash64 = { high: 0, low: 0 };

/** Hashes of immutable objects, by identity. */
const hashes = new WeakMap<object, Hash64>();

function remembered(value: object, compute: () => Hash64): Hash64 {
  let hash = hashes.get(value);
  if (!hash) {
    hash = compute();
    hashes.set(value, hash);
  }
  return hash;
}

const hashObject = (value: object): Hash64 => remembered(value, () => hashValue(value));

/**
 * Hashes index metadata as a sum over its fields. Each field that is an object is cached by itself, so that a new
 * version of an index costs only its changed fields.
 */
function hashIndex(meta: IndexMetadata): Hash64 {
  return remembered(meta, () => {
    let sum = NOTHING;
    for (const [key, field] of Object.entries(meta)) {
      if (field === undefined) continue;
      sum = addHash(
        sum,
        chainHash(hashText(key, 6), typeof field === 'object' && field !== null ? hashObject(field) : hashValue(field)),
      );
    }
    return sum;
  });
}

function hashTable(table: readonly (readonly ShardRouting[])[]): Hash64 {
  return remembered(table, () =>
    table.reduce<Hash64>((sum, copies) => chainHash(sum, hashObject(copies)), hashText('', 7)),
  );
}

const entrySum = <T>(key: string, value: T, hash: (value: T) => Hash64): Hash64 =>
  chainHash(hashText(key, 9), hash(value));

function sumEntries<T>(entries: Iterable<readonly [string, T]>, hash: (value: T) => Hash64): Hash64 {
  let sum = NOTHING;
  for (const [key, value] of entries) sum = addHash(sum, entrySum(key, value, hash));
  return sum;
}

/** Computes the sum of a map from the sum of `base`, which differs in few entries. */
function sumFrom<T>(
  sumOfBase: Hash64,
  base: ReadonlyMap<string, T>,
  map: ReadonlyMap<string, T>,
  hash: (value: T) => Hash64,
): Hash64 {
  let sum = sumOfBase;
  for (const key of changedKeys(base, map)) {
    const [before, value] = [base.get(key), map.get(key)];
    if (before === value) continue;
    if (before !== undefined) sum = subtractHash(sum, entrySum(key, before, hash));
    if (value !== undefined) sum = addHash(sum, entrySum(key, value, hash));
  }
  return sum;
}

/** Mixes the name of a part into its sum, so that equal entries of different parts have different hashes. */
function ofPart(name: string, sum: Hash64): Hash64 {
  return chainHash(hashText(name, 8), sum);
}

/** Sums the entries of a part. The sum is cached, so that an unchanged part costs one look-up. */
function sumPart<T>(
  name: string,
  part: object,
  entries: () => Iterable<readonly [string, T]>,
  hash: (value: T) => Hash64,
): Hash64 {
  return ofPart(
    name,
    remembered(part, () => sumEntries(entries(), hash)),
  );
}

/** As `sumPart`, for a map. If the sum of its predecessor `base` is cached, only changed entries are hashed. */
function sumMap<T>(
  name: string,
  map: ReadonlyMap<string, T>,
  base: ReadonlyMap<string, T> | undefined,
  hash: (value: T) => Hash64,
): Hash64 {
  const sumOfBase = base && hashes.get(base);
  return ofPart(
    name,
    remembered(map, () => (base && sumOfBase ? sumFrom(sumOfBase, base, map, hash) : sumEntries(map, hash))),
  );
}

function hashCustoms(state: ClusterState): Hash64 {
  const sections = [...state.customs].map(([name, section]) =>
    sumPart(`customs.${name}`, section, () => Object.entries(section), entryHash),
  );
  return sections.reduce(addHash, NOTHING);
}

function entryHash(value: unknown): Hash64 {
  return typeof value === 'object' && value !== null ? hashObject(value) : hashValue(value);
}

const hex = (half: number): string => half.toString(16).padStart(8, '0');

/**
 * Digest of a state as 16 hexadecimal digits: the sum modulo 2^64 of one hash for each entry (names and numbers, nodes,
 * index metadata, routing tables, settings, sections, blocks). Sender and receiver of a difference compare digests to
 * detect errors. Hashes are cached by identity. With the previous state as `base`, whose digest must have been
 * computed, entries that both states share are only compared.
 */
export function stateDigest(state: ClusterState, base?: ClusterState): string {
  const parts = [
    hashValue(SCALARS.map((name) => state[name])),
    sumPart('nodes', state.nodes, () => state.nodes, entryHash),
    sumMap('indices', state.indices, base?.indices, hashIndex),
    sumMap('routing', state.routing, base?.routing, hashTable),
    sumPart('persistent', state.persistentSettings, () => Object.entries(state.persistentSettings), hashValue),
    sumPart('transient', state.transientSettings, () => Object.entries(state.transientSettings), hashValue),
    hashCustoms(state),
    sumPart('blocks', state.blocks, () => state.blocks.map((block, i) => [String(i), block] as const), entryHash),
  ];
  const { high, low } = parts.reduce(addHash, NOTHING);
  return hex(high) + hex(low);
}
