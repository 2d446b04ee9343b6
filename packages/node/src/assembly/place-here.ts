import { createJobRoom } from '@shoal/ml';
import { startControlHere, type ControlHereDoors } from '../links/control-here.js';
import { joinByLinks } from '../links/join-by-links.js';
import { clusterFormation } from '../settings/cluster-formation.js';
import { ConfigurationError } from '../settings/load-settings.js';
import type { RoomDoors } from '../threads/open-shard-room.js';
import { openShardsHere, openShardsOverPorts, type PortPair } from '../threads/shards-here.js';
import type { Placement } from './placement.js';

/** Effects of a node whose parts all run on the calling thread. */
export interface HereOptions {
  /** Effects of the shards, used by each part of them. */
  readonly shards: RoomDoors;
  readonly control: ControlHereDoors;
  /**
   * One pair of ports for each part that the shards are divided into, as if among threads. If empty, messages for
   * shards are passed on directly.
   */
  readonly ports: readonly PortPair[];
}

/**
 * Places all parts of a node on the calling thread, as simulators do. `join` throws ConfigurationError without
 * `discovery.seed_hosts` or `cluster.initial_master_nodes`.
 */
export function placeHere({ shards, control, ports }: HereOptions): Placement {
  const openDoors = (): RoomDoors & { close(): Promise<void> } => ({ ...shards, close: () => Promise.resolve() });
  return {
    shardThreads: ports.length,
    startShards: (options) =>
      ports.length === 0 ? openShardsHere(options, openDoors) : openShardsOverPorts(options, openDoors, ports),
    openModels: () => ({ ...createJobRoom(() => shards.clock.monotonic()), close: () => Promise.resolve() }),
    async join(options) {
      const formation = clusterFormation(options.settings);
      if (formation === null) throw new ConfigurationError('a node on one thread needs [discovery.seed_hosts]');
      return joinByLinks(options, formation, (part) => startControlHere(part, control));
    },
  };
}
