import type { Channel, ChannelHandler, RequestOptions } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { createLink, type Link, loopbackChannel, type Port } from '@shoal/transport';
import type { ShardPart, ShardPartOptions } from '../assembly/placement.js';
import { openShardRoom, type RoomDoors } from './open-shard-room.js';
import { createRequestMeters, requestMemory, requestMeter } from './request-meters.js';
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

/** A thread of shards as a simulator has it. */
export interface PartThread {
  /** Begins a life of the thread, and opens the link to it. */
  open(): PortPair;
  /** Calls `ended` when the thread has ended by itself and has nothing open any more, and `again` when to start it. */
  watch(events: { ended(): void; again(): void }): void;
}

/**
 * Opens shards on the calling thread, divided as if among threads. Messages between the parts pass through the ports of
 * `threads`, which decide when a message arrives. A thread that ends by itself is started again, as `ShardWorker` does.
 */
export function openShardsOverPorts(
  { data: given, handler }: ShardPartOptions,
  openDoors: OpenRoomDoors,
  threads: readonly PartThread[],
): ShardPart {
  const requestMeters = createRequestMeters(threads.length);
  let restarted: (thread: number) => void = () => undefined;
  const parts = threads.map((life, thread) => {
    const data = { ...given, requestMeters, thread, threads: threads.length };
    return new ShardPartHere({ data, handler, openDoors, life, onRestart: () => restarted(thread) });
  });
  return {
    threads: parts,
    requestMemory: () => requestMemory(requestMeters),
    threadStats: () => [],
    sample: async () => new Map(),
    onRestart: (listener) => void (restarted = listener),
    searchStats: () => [],
    async close() {
      await Promise.all(parts.map((part) => part.close()));
    },
  };
}

/** Options of a part of the shards. */
interface ShardPartHereOptions {
  readonly data: Omit<ShardThreadData, 'life'>;
  readonly handler: ChannelHandler;
  readonly openDoors: OpenRoomDoors;
  readonly life: PartThread;
  readonly onRestart: () => void;
}

/** A life of a part of the shards. */
interface RunningPart {
  readonly link: Link;
  close(): Promise<void>;
  /** Ends the wait for `close` if the thread ends meanwhile. */
  readonly end: () => void;
}

/** A part of the shards, on what stands for a thread. */
class ShardPartHere implements Channel {
  readonly #options: ShardPartHereOptions;
  #running: RunningPart | null = null;
  #life = 0;
  #isClosed = false;

  constructor(options: ShardPartHereOptions) {
    this.#options = options;
    this.#running = this.#start();
    options.life.watch({ ended: () => this.#lost(), again: () => this.#startAgain() });
  }

  request(action: string, payload: Uint8Array, options?: RequestOptions): Promise<Uint8Array> {
    if (this.#running !== null) return this.#running.link.request(action, payload, options);
    return Promise.reject(errors.noShardAvailable(`shard thread ${this.#options.data.thread} has ended`));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running?.close();
  }

  #start(): RunningPart {
    const { data: given, openDoors, life, handler } = this.#options;
    const { main, shards } = life.open();
    const data = { ...given, life: this.#life++ };
    const doors = openDoors(data);
    const toMain = createLink(shards, (action, payload, signal) => room.handle(action, payload, signal));
    const room = openShardRoom(data, toMain, doors);
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    return {
      link: createLink(main, handler),
      end,
      close: () => Promise.race([ended, room.close().then(() => doors.close())]),
    };
  }

  #lost(): void {
    const { data } = this.#options;
    this.#running?.link.fail(`shard thread ${data.thread} ended`);
    this.#running?.end();
    this.#running = null;
    requestMeter(data.requestMeters, data.thread)[0] = 0;
  }

  #startAgain(): void {
    if (this.#isClosed) return;
    this.#running = this.#start();
    this.#options.onRestart();
  }
}
