import { createLink, loopbackChannel, type Port } from '@shoal/transport';
import type { ShardPart, ShardPartOptions } from '../assembly/placement.js';
import { openShardRoom, type RoomDoors } from './open-shard-room.js';
import type { ShardThreadData } from './shard-thread-data.js';

/** Bytes of one thread's entry in the meters of requests: two doubles. */
const METER_BYTES = 16;

/** Shared memory in which `threads` threads count what their searches hold. */
export function createRequestMeters(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(METER_BYTES * threads);
}

/** The sum over all threads. */
export function requestMemory(meters: SharedArrayBuffer): { used: number; tripped: number } {
  const sum = { used: 0, tripped: 0 };
  new Float64Array(meters).forEach((value, i) => (sum[i % 2 === 0 ? 'used' : 'tripped'] += value));
  return sum;
}

/** What the shards of a thread have for effects, and how to end that. */
export type OpenRoomDoors = (data: ShardThreadData) => RoomDoors & { close(): Promise<void> };

/**
 * Shards on the calling thread: a request crosses no threads. On a machine of two processors that halves what a small
 * request costs (docs/adr/0001), at the price that a long search and HTTP share a thread, in slices.
 */
export function openShardsHere({ data: given, handler }: ShardPartOptions, openDoors: OpenRoomDoors): ShardPart {
  const requestMeters = createRequestMeters(1);
  const data = { ...given, requestMeters, thread: 0, threads: 1 };
  const doors = openDoors(data);
  const room = openShardRoom(data, loopbackChannel(handler), doors);
  return {
    threads: [loopbackChannel(room.handle)],
    requestMemory: () => requestMemory(requestMeters),
    async close() {
      await room.close();
      await doors.close();
    },
  };
}

/** The two ends of what a thread of shards would be reached by. */
export interface PortPair {
  readonly main: Port;
  readonly shards: Port;
}

/**
 * Shards divided as among threads, all of them on the calling one: what crosses threads elsewhere passes through
 * `ports`, one pair for each part. The ports decide when a message arrives.
 */
export function openShardsOverPorts(
  { data: given, handler }: ShardPartOptions,
  openDoors: OpenRoomDoors,
  ports: readonly PortPair[],
): ShardPart {
  const requestMeters = createRequestMeters(ports.length);
  const parts = ports.map(({ main, shards }, thread) => {
    const data = { ...given, requestMeters, thread, threads: ports.length };
    const doors = openDoors(data);
    const toMain = createLink(shards, (action, payload, signal) => room.handle(action, payload, signal));
    const room = openShardRoom(data, toMain, doors);
    return { room, doors, channel: createLink(main, handler) };
  });
  return {
    threads: parts.map(({ channel }) => channel),
    requestMemory: () => requestMemory(requestMeters),
    async close() {
      await Promise.all(parts.map(({ room }) => room.close()));
      await Promise.all(parts.map(({ doors }) => doors.close()));
    },
  };
}
