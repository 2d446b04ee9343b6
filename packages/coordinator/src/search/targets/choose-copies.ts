import { errors } from '@shoal/errors';
import { type ClusterState, type IndexMetadata, isActive, type NodeInfo, type ShardRouting } from '@shoal/state';
import { matchesWildcard } from '@shoal/values';
import { murmur3 } from '@shoal/codec';

/** `preference` of a request, parsed. */
export interface Preference {
  /** Shard numbers of `_shards:`; null for all shards. */
  readonly shards: ReadonlySet<number> | null;
  readonly kind: 'any' | 'local' | 'only_local' | 'only_nodes' | 'prefer_nodes' | 'custom';
  /** The list of nodes as written, or the custom string. */
  readonly text: string;
}

/** How copies are ordered for one request. */
export interface CopyChoice {
  readonly localNodeId: string | null;
  /** Number that changes from request to request, to spread requests over copies if no preference decides. */
  readonly seed: number;
  /** Expected response time of a node, in any unit. Without a preference the lowest is asked first. */
  readonly rank?: (nodeId: string) => number;
}

const SHARDS = '_shards:';

function numbers(list: string): ReadonlySet<number> {
  const texts = list.split(',').filter((text) => text !== '');
  for (const text of texts) if (!/^-?\d+$/.test(text)) throw errors.numberFormat(`For input string: "${text}"`);
  return new Set(texts.map(Number));
}

function parseRest(text: string): Pick<Preference, 'kind' | 'text'> {
  if (text === '') return { kind: 'any', text };
  if (!text.startsWith('_')) return { kind: 'custom', text };
  if (text === '_local') return { kind: 'local', text };
  if (text === '_only_local') return { kind: 'only_local', text };
  const [kind = '', nodes = ''] = [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)];
  if (kind === '_only_nodes') return { kind: 'only_nodes', text: nodes };
  if (kind === '_prefer_nodes') return { kind: 'prefer_nodes', text: nodes };
  throw errors.illegalArgument(`no Preference for [${text}]`);
}

/**
 * Parses `_local`, `_only_local`, `_only_nodes:…`, `_prefer_nodes:…`, `_shards:…` with one of these after `|`, or a
 * custom string.
 */
export function parsePreference(preference: string | null): Preference {
  if (!preference?.startsWith(SHARDS)) return { shards: null, ...parseRest(preference ?? '') };
  const [list = '', rest = ''] = preference.slice(SHARDS.length).split('|', 2);
  return { shards: numbers(list), ...parseRest(rest) };
}

function isNode(node: NodeInfo, pattern: string): boolean {
  const attribute = /^([^:]+):(.+)$/.exec(pattern);
  if (attribute)
    return (
      Object.hasOwn(node.attributes, attribute[1]!) && matchesWildcard(attribute[2]!, node.attributes[attribute[1]!]!)
    );
  return pattern === node.id || [node.name, node.host, node.ip].some((text) => matchesWildcard(pattern, text));
}

function onNodes(state: ClusterState, spec: string): (copy: ShardRouting) => boolean {
  const patterns = spec.split(',');
  return (copy) => {
    const node = state.nodes.get(copy.nodeId ?? '');
    return node !== undefined && patterns.some((pattern) => isNode(node, pattern));
  };
}

function rotate<T>(items: readonly T[], by: number): T[] {
  if (items.length === 0) return [];
  const start = ((by % items.length) + items.length) % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

function first<T>(items: readonly T[], wanted: (item: T) => boolean): T[] {
  return [...items.filter(wanted), ...items.filter((item) => !wanted(item))];
}

/**
 * Factor by which the local node may be slower than another one and is still asked first: a request to another node
 * costs about as much as a small search. Ranks grow with the cube of the queue length, so that 64 is a queue four times
 * as long.
 */
const LOCAL_ADVANTAGE = 64;

/** Sorts copies in the order in which they are asked if no preference decides. */
export function orderCopies(copies: readonly ShardRouting[], { seed, rank, localNodeId }: CopyChoice): ShardRouting[] {
  const rotated = rotate(copies, seed);
  if (!rank || copies.length < 2) return rotated;
  const expected = (copy: ShardRouting): number =>
    rank(copy.nodeId ?? '') / (copy.nodeId === localNodeId ? LOCAL_ADVANTAGE : 1);
  if (rotated.length === 2) return expected(rotated[1]!) < expected(rotated[0]!) ? rotated.reverse() : rotated;
  const order = new Map(rotated.map((copy) => [copy, expected(copy)]));
  return rotated.sort((a, b) => order.get(a)! - order.get(b)!);
}

/**
 * Seed of a custom preference. One string selects the same copy of a shard while the copies stay the same. The shard
 * number is mixed in, so that the shards of an index do not all use the copy at the same position.
 */
function customSeed(text: string, { uuid }: IndexMetadata, shard: number): number {
  return (Math.imul(murmur3(text), 31) + murmur3(`${uuid}/${shard}`)) | 0;
}

/**
 * Returns the active copies of a shard in the order in which they are asked; empty if none can answer. A relocating
 * copy answers until its target has started.
 */
export function chooseCopies(
  state: ClusterState,
  meta: IndexMetadata,
  shard: number,
  { kind, text }: Preference,
  choice: CopyChoice,
): ShardRouting[] {
  const copies = (state.routing.get(meta.uuid)?.[shard] ?? []).filter(isActive);
  const isLocal = (copy: ShardRouting): boolean => copy.nodeId === choice.localNodeId;
  switch (kind) {
    case 'any':
      return orderCopies(copies, choice);
    case 'custom':
      return rotate(copies, customSeed(text, meta, shard));
    case 'local':
      return first(orderCopies(copies, choice), isLocal);
    case 'only_local':
      return copies.filter(isLocal);
    case 'prefer_nodes':
      return first(orderCopies(copies, choice), onNodes(state, text));
    default:
      return onlyNodes(state, meta, shard, copies, text, choice);
  }
}

function onlyNodes(
  state: ClusterState,
  meta: IndexMetadata,
  shard: number,
  copies: readonly ShardRouting[],
  text: string,
  choice: CopyChoice,
): ShardRouting[] {
  const chosen = copies.filter(onNodes(state, text));
  if (chosen.length === 0)
    throw errors.illegalArgument(`no data nodes with criteria [${text}] found for shard: [${meta.name}][${shard}]`);
  return orderCopies(chosen, choice);
}
