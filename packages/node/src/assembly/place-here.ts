import type { Clock } from '@shoal/doors';
import { createJobRoom } from '@shoal/ml';
import { startControlHere, type ControlHereDoors } from '../links/control-here.js';
import { joinByLinks } from '../links/join-by-links.js';
import { clusterFormation } from '../settings/cluster-formation.js';
import { ConfigurationError } from '../settings/load-settings.js';
import type { RoomDoors } from '../threads/open-shard-room.js';
import { openShardsHere, openShardsOverPorts, type OpenRoomDoors, type PartThread } from '../threads/shards-here.js';
import type { Placement } from './placement.js';

/** Effects of a node whose parts all run on the calling thread. */
export interface HereOptions {
  /** Opens the effects of the shards of a thread, for the life of it that begins. */
  readonly shards: (thread: number) => RoomDoors;
  readonly control: ControlHereDoors;
  /** Clock of the rest of the node. */
  readonly clock: Clock;
  /**
   * One thread for each part that the shards are divided into. If empty, messages for shards are passed on directly.
   */
  readonly threads: readonly PartThread[];
}

/**
 * Places all parts of a node on the calling thread, as simulators do. `join` throws ConfigurationError without
 * `discovery.seed_hosts` or `cluster.initial_master_nodes`.
 */
export function placeHere({ shards, control, clock, threads }: HereOptions): Placement {
  const openDoors: OpenRoomDoors = ({ thread }) => ({ ...shards(thread), close: () => Promise.resolve() });
  return {
    shardThreads: threads.length,
    startShards: (options) =>
      threads.length === 0 ? openShardsHere(options, openDoors) : openShardsOverPorts(options, openDoors, threads),
    openModels: () => ({ ...createJobRoom(() => clock.monotonic()), close: () => Promise.resolve() }),
    async join(options) {
      const formation = clusterFormation(options.settings);
      if (formation === null) throw new ConfigurationError('a node on one thread needs [discovery.seed_hosts]');
      return joinByLinks(options, formation, (part) => startControlHere(part, control));
    },
  };
}
