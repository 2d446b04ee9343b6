import type { IndexMetadata } from '../state.js';
import { murmur3 } from '@shoal/codec';
import { isTimeSeries, refuseRouting, routingHashOf } from './time-series-routing.js';

type RoutedIndex = Pick<IndexMetadata, 'numberOfShards' | 'numberOfRoutingShards' | 'routingPartitionSize'> &
  Partial<Pick<IndexMetadata, 'name' | 'settings'>>;

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
 * documents with one routing value are spread over several shards by id. Ids of an index of time series contain the
 * hash of their routing; other ids are refused there (404).
 */
export function routeDocument(index: RoutedIndex, id: string, routing: string | null): number {
  if (isTimeSeries(index)) {
    if (routing !== null) throw refuseRouting(index, 'specifying routing');
    return shardOfHash(index, routingHashOf(index, id));
  }
  const offset = index.routingPartitionSize > 1 ? floorMod(murmur3(id), index.routingPartitionSize) : 0;
  return shardOfHash(index, murmur3(routing ?? id) + offset);
}

/** Returns the numbers of the shards that can hold documents with a routing value. */
export function shardsOfRouting(index: RoutedIndex, routing: string): number[] {
  if (isTimeSeries(index)) throw refuseRouting(index, 'searching with a specified routing');
  const hash = murmur3(routing);
  const shards = Array.from({ length: index.routingPartitionSize }, (_, offset) => shardOfHash(index, hash + offset));
  return [...new Set(shards)];
}
