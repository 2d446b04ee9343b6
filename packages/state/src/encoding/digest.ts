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

/** Hashes of objects that never change, by identity. */
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

/** Fields that are objects are remembered each by itself: a new version of an index costs what changed in it. */
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

/** The sum of a map that differs from `base` in few entries. */
function sumFrom<T>(
  sumOfBase: Hash64,
  base: ReadonlyMap<string, T>,
  map: ReadonlyMap<string, T>,
  hash: (value: T) => Hash64,
): Hash64 {
  let sum = sumOfBase;
  let common = 0;
  for (const [key, value] of map) {
    const before = base.get(key);
    if (before !== undefined) common++;
    if (before === value) continue;
    if (before !== undefined) sum = subtractHash(sum, entrySum(key, before, hash));
    sum = addHash(sum, entrySum(key, value, hash));
  }
  if (common === base.size) return sum;
  for (const [key, value] of base) if (!map.has(key)) sum = subtractHash(sum, entrySum(key, value, hash));
  return sum;
}

/** Keeps equal entries of different parts apart. */
function ofPart(name: string, sum: Hash64): Hash64 {
  return chainHash(hashText(name, 8), sum);
}

/** Sums of whole parts are remembered too: a part that did not change costs one look-up. */
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

/** As `sumPart`, of a map whose predecessor's sum is known as a rule: only what changed is hashed. */
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
 * Sum modulo 2^64 of one hash an entry: its names and numbers, nodes, index metadata, routing tables, settings,
 * sections, blocks; 16 hexadecimal digits. Sender and receiver of a difference compare it, so that an error in between
 * shows. Entries that keep their identity are hashed once; with the state before as `base`, whose digest was taken,
 * those that both have are only compared.
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
