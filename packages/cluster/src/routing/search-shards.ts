import { errors } from '@shoal/errors';
import type { SearchTarget } from '../resolve/search-targets.js';
import type { ClusterState, ShardRouting } from '../state.js';
import { matchesWildcard } from '../names/wildcards.js';
import { murmur3Utf16 } from './murmur3.kernel.js';
import { shardsOfRouting } from './route-document.js';

/** A shard to ask, with its copies in the order to try. Empty: none can answer. */
export interface SearchShard {
  readonly target: SearchTarget;
  readonly shard: number;
  readonly copies: readonly ShardRouting[];
}

export interface SearchShardsOptions {
  readonly preference: string | null;
  readonly localNodeId: string | null;
  /** Spreads requests over copies where no preference does; any number that changes from request to request. */
  readonly seed: number;
}

function rotate<T>(items: readonly T[], by: number): T[] {
  if (items.length === 0) return [];
  const start = ((by % items.length) + items.length) % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

function first<T>(items: readonly T[], wanted: (item: T) => boolean): T[] {
  return [...items.filter(wanted), ...items.filter((item) => !wanted(item))];
}

/** `_shards:2,3` or `_shards:2,3|_local`: the shard numbers and what remains of the preference. */
function splitShards(preference: string | null): { shards: ReadonlySet<number> | null; rest: string | null } {
  if (!preference?.startsWith('_shards:')) return { shards: null, rest: preference };
  const [list = '', rest = null] = preference.slice('_shards:'.length).split('|', 2);
  return { shards: new Set(list.split(',').map(Number)), rest };
}

function nodeMatcher(state: ClusterState, spec: string): (copy: ShardRouting) => boolean {
  const patterns = spec.split(',');
  return (copy) => {
    const node = state.nodes.get(copy.nodeId ?? '');
    return node !== undefined && patterns.some((pattern) => pattern === node.id || matchesWildcard(pattern, node.name));
  };
}

function refusePreference(preference: string): never {
  throw errors.illegalArgument(`no Preference for [${preference}]`);
}

function orderCopies(state: ClusterState, copies: readonly ShardRouting[], preference: string | null, options: SearchShardsOptions): ShardRouting[] {
  const local = (copy: ShardRouting): boolean => copy.nodeId === options.localNodeId;
  if (preference === null || preference === '') return first(rotate(copies, options.seed), local);
  if (!preference.startsWith('_')) return rotate(copies, murmur3Utf16(preference));
  if (preference === '_local') return first(rotate(copies, options.seed), local);
  if (preference === '_only_local') return copies.filter(local);
  const [kind = '', spec = ''] = [preference.slice(0, preference.indexOf(':')), preference.slice(preference.indexOf(':') + 1)];
  if (kind === '_only_nodes') return copies.filter(nodeMatcher(state, spec));
  if (kind === '_prefer_nodes') return first(rotate(copies, options.seed), nodeMatcher(state, spec));
  return refusePreference(preference);
}

function shardNumbers(target: SearchTarget): readonly number[] {
  if (!target.routings) return Array.from({ length: target.index.numberOfShards }, (_, shard) => shard);
  const shards = target.routings.flatMap((routing) => shardsOfRouting(target.index, routing));
  return [...new Set(shards)].sort((a, b) => a - b);
}

/** The shards of a search in order of target and number, each with its started copies in the order that preference asks for. */
export function searchShards(state: ClusterState, targets: readonly SearchTarget[], options: SearchShardsOptions): SearchShard[] {
  const { shards: wanted, rest } = splitShards(options.preference);
  return targets.flatMap((target) => {
    const table = state.routing.get(target.index.uuid) ?? [];
    return shardNumbers(target)
      .filter((shard) => !wanted || wanted.has(shard))
      .map((shard) => {
        const active = (table[shard] ?? []).filter((copy) => copy.state === 'STARTED' || copy.state === 'RELOCATING');
        return { target, shard, copies: orderCopies(state, active, rest, options) };
      });
  });
}
