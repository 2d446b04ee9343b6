import type { IndexMetadata } from '../state.js';
import { murmur3 } from '@shoal/codec';

type RoutedIndex = Pick<IndexMetadata, 'numberOfShards' | 'numberOfRoutingShards' | 'routingPartitionSize'>;

function floorMod(value: number, divisor: number): number {
  const rest = value % divisor;
  return rest < 0 ? rest + divisor : rest;
}

function shardOfHash(index: RoutedIndex, hash: number): number {
  const factor = index.numberOfRoutingShards / index.numberOfShards;
  return Math.floor(floorMod(hash | 0, index.numberOfRoutingShards) / factor);
}

/**
 * Returns the number of the shard that holds a document. `routing` null: the id is used. In a partitioned index,
 * documents with one routing value are spread over several shards by id.
 */
export function routeDocument(index: RoutedIndex, id: string, routing: string | null): number {
  const offset = index.routingPartitionSize > 1 ? floorMod(murmur3(id), index.routingPartitionSize) : 0;
  return shardOfHash(index, murmur3(routing ?? id) + offset);
}

/** Returns the numbers of the shards that can hold documents with a routing value. */
export function shardsOfRouting(index: RoutedIndex, routing: string): number[] {
  const hash = murmur3(routing);
  const shards = Array.from({ length: index.routingPartitionSize }, (_, offset) => shardOfHash(index, hash + offset));
  return [...new Set(shards)];
}
