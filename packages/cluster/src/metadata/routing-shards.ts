/**
 * Default of `index.number_of_routing_shards`: the number of shards doubled at least once, and as often as the result
 * is at most 1024.
 */
export function defaultRoutingShards(shards: number): number {
  const splits = Math.max(1, 10 - Math.ceil(Math.log2(shards)));
  return shards * 2 ** splits;
}
