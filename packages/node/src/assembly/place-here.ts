import { startControlHere, type ControlHereDoors } from '../links/control-here.js';
import { joinByLinks } from '../links/join-by-links.js';
import { clusterFormation } from '../settings/cluster-formation.js';
import { ConfigurationError } from '../settings/load-settings.js';
import type { RoomDoors } from '../threads/open-shard-room.js';
import { openShardsHere, openShardsOverPorts, type PortPair } from '../threads/shards-here.js';
import type { Placement } from './placement.js';

export interface HereOptions {
  /** Of the shards, whichever part they are in. */
  readonly shards: RoomDoors;
  readonly control: ControlHereDoors;
  /** Divides the shards as among so many threads; empty: messages for shards are handed over as they are. */
  readonly ports: readonly PortPair[];
}

/**
 * All parts of a node on the calling thread: what a simulator runs. The node needs `discovery.seed_hosts` or
 * `cluster.initial_master_nodes`; `join` throws ConfigurationError without.
 */
export function placeHere({ shards, control, ports }: HereOptions): Placement {
  const openDoors = (): RoomDoors & { close(): Promise<void> } => ({ ...shards, close: () => Promise.resolve() });
  return {
    shardThreads: ports.length,
    startShards: (options) =>
      ports.length === 0 ? openShardsHere(options, openDoors) : openShardsOverPorts(options, openDoors, ports),
    async join(options) {
      const formation = clusterFormation(options.settings);
      if (formation === null) throw new ConfigurationError('a node on one thread needs [discovery.seed_hosts]');
      return joinByLinks(options, formation, (part) => startControlHere(part, control));
    },
  };
}
