import { createLink, loopbackChannel, type Port } from '@shoal/transport';
import type { ShardPart, ShardPartOptions } from '../assembly/placement.js';
import { openShardRoom, type RoomDoors } from './open-shard-room.js';
import { createRequestMeters, requestMemory } from './request-meters.js';
import type { ShardThreadData } from './shard-thread-data.js';

/** Opens the effects of a thread's shards; `close` ends them. */
export type OpenRoomDoors = (data: ShardThreadData) => RoomDoors & { close(): Promise<void> };

/**
 * Opens the shards on the calling thread, so that requests cross no threads. On two processors that halves the cost of
 * a small request (docs/adr/0001). In return a long search and HTTP share a thread, in slices.
 */
export function openShardsHere({ data: given, handler }: ShardPartOptions, openDoors: OpenRoomDoors): ShardPart {
  const requestMeters = createRequestMeters(1 + given.searchThreads);
  const data = { ...given, requestMeters, thread: 0, threads: 1, life: 0 };
  const doors = openDoors(data);
  const room = openShardRoom(data, loopbackChannel(handler), doors);
  return {
    threads: [loopbackChannel(room.handle)],
    requestMemory: () => requestMemory(requestMeters),
    threadStats: () => [],
    sample: async () => new Map(),
    onRestart: () => undefined,
    searchStats: () => doors.searchStats?.() ?? [],
    async close() {
      await room.close();
      await doors.close();
    },
  };
}

/** Both ends of a link to a part of the shards. */
export interface PortPair {
  readonly main: Port;
  readonly shards: Port;
}

/**
 * Opens shards on the calling thread, divided as if among threads. Messages between the parts pass through `ports`, one
 * pair for each part. The ports decide when a message arrives.
 */
export function openShardsOverPorts(
  { data: given, handler }: ShardPartOptions,
  openDoors: OpenRoomDoors,
  ports: readonly PortPair[],
): ShardPart {
  const requestMeters = createRequestMeters(ports.length);
  const parts = ports.map(({ main, shards }, thread) => {
    const data = { ...given, requestMeters, thread, threads: ports.length, life: 0 };
    const doors = openDoors(data);
    const toMain = createLink(shards, (action, payload, signal) => room.handle(action, payload, signal));
    const room = openShardRoom(data, toMain, doors);
    return { room, doors, channel: createLink(main, handler) };
  });
  return {
    threads: parts.map(({ channel }) => channel),
    requestMemory: () => requestMemory(requestMeters),
    threadStats: () => [],
    sample: async () => new Map(),
    onRestart: () => undefined,
    searchStats: () => parts.flatMap(({ doors }) => doors.searchStats?.() ?? []),
    async close() {
      await Promise.all(parts.map(({ room }) => room.close()));
      await Promise.all(parts.map(({ doors }) => doors.close()));
    },
  };
}
