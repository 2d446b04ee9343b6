import { noDatabases } from '@shoal/ingest';
import type { BatchOperation, Random } from '@shoal/doors';
import {
  type AssembledNode,
  assembleNode,
  type HereOptions,
  loadSettings,
  type NodeDoors,
  placeHere,
  protectNode,
} from '@shoal/node';
import { type node as nodeMessages, recovery } from '@shoal/protocol';
import type { SimulatedNetwork, Transport, TransportOptions } from '@shoal/transport';
import { Device } from '../disk/device.js';
import { SimulatedFiles } from '../disk/simulated-files.js';
import { SimulatedStores } from '../disk/simulated-stores.js';
import type { EventLoop, ProcessGate } from '../time/event-loop.js';
import { type MachineClock, nodeClock, nodeTurns, rightClock } from '../time/node-clock.js';
import { type Mutation, mutatedReceiver, type Receive } from '../mutations/mutation.js';
import type { NodeParts } from '../plan/plan.js';
import type { LogTail } from './log-tail.js';
import { SHARED_FOLDER, withRepository } from './repository.js';
import { simulatedCompression, simulatedSecurity } from './simulated-effects.js';
import { EVERY_SEARCH, simulatedSearchThread } from './simulated-search-thread.js';
import { SimulatedThread } from './simulated-thread.js';

/** A process of a node, from start to end. */
export interface SimulatedProcess {
  readonly gate: ProcessGate;
  readonly session: string;
  /** The running node; null until it has started. */
  assembled: AssembledNode | null;
  /** Threads among which the shards are divided; none if the process has one thread. */
  readonly threads: SimulatedThread[];
  /** Whether the process is shutting down. */
  isEnding: boolean;
}

/** Configuration of a simulated node. */
export interface NodePlan {
  readonly index: number;
  readonly roles: readonly string[];
  readonly seedHosts: readonly string[];
  readonly initialMasters: readonly string[];
}

/** Parts of the world that a simulated node uses. */
export interface NodeWorld {
  readonly loop: EventLoop;
  readonly network: SimulatedNetwork;
  readonly tail: LogTail;
  readonly randomFor: (purpose: string) => Random;
  /** Wraps the transport to observe what the node sends. */
  readonly observe: (transport: Transport, node: SimulatedNode) => Transport;
  readonly onStored: (node: SimulatedNode, location: string, batch: readonly BatchOperation[]) => void;
  /** Called when a process failed or could not start. */
  readonly onFatal: (node: SimulatedNode, error: Error) => void;
  /** Share of the requests that arrive twice until `untilMs`. */
  readonly duplicates: { readonly share: number; readonly untilMs: number };
  /** Share of the returning copies that recover by files until `untilMs`. */
  readonly files: { readonly share: number; readonly untilMs: number };
  readonly parts: NodeParts | undefined;
  /** Files of the snapshot repository, shared by all nodes. */
  readonly repository: SimulatedFiles;
  /** A planted bug, or null. */
  readonly mutation: Mutation | null;
}

/** Returns the name of the node at a position. */
export const nameOfNode = (index: number): string => `n${index}`;
/** Returns the address of the node at a position. */
export const hostOfNode = (index: number): string => `10.0.0.${index + 1}`;
const DATA_PATH = 'data';
const CLUSTER_NAME = 'simulated';
const MEGABYTE = 1 << 20;
const BUDGETS = {
  memoryBytes: 256 * MEGABYTE,
  blockCacheBytes: 8 * MEGABYTE,
  snapshotCacheBytes: 8 * MEGABYTE,
  indexBufferBytes: 8 * MEGABYTE,
  requestBytesMax: 64 * MEGABYTE,
  searchThreads: 0,
};
/** Password of `elastic` in a cluster with security. */
export const ELASTIC_PASSWORD = 'simulated-password';
const OPEN: readonly [string, string][] = [['xpack.security.enabled', 'false']];
const SECURED: readonly [string, string][] = [
  ['xpack.security.enabled', 'true'],
  ['bootstrap.password', ELASTIC_PASSWORD],
  // A node that missed the invalidation of a key reads it again before a run ends.
  ['xpack.security.authc.cache.ttl', '20s'],
  ['xpack.security.authc.api_key.doc_cache.ttl', '20s'],
];
/** Limits so low that a few clients reach them. */
const TIGHT: readonly [string, string][] = [
  ['thread_pool.search.size', '1'],
  ['thread_pool.search.queue_size', '2'],
  ['thread_pool.get.queue_size', '3'],
  ['thread_pool.write.queue_size', '4'],
  ['indexing_pressure.memory.limit', '8kb'],
];
/** Empty settings of a keystore. */
const NO_SECRETS = { get: () => null, names: [] };

/** Messages that may be delivered twice: senders repeat them if the answer is lost (docs/internals/cluster.md §7). */
const REPEATABLE = /^(coordination|replication|recovery)\//;
const DUPLICATE_MS_MAX = 300;

/** A machine of the simulated cluster. Its disk and clock persist over its processes. */
export class SimulatedNode {
  readonly index: number;
  readonly name: string;
  readonly host: string;
  readonly id: string;
  readonly device: Device;
  readonly files: SimulatedFiles;
  readonly stores: SimulatedStores;
  readonly clock: MachineClock = rightClock();
  readonly #plan: NodePlan;
  readonly #world: NodeWorld;
  process: SimulatedProcess | null = null;
  starts = 0;

  constructor(plan: NodePlan, world: NodeWorld) {
    this.index = plan.index;
    this.name = nameOfNode(plan.index);
    this.host = hostOfNode(plan.index);
    this.#plan = plan;
    this.#world = world;
    this.id = Buffer.from(world.randomFor(`id/${plan.index}`).bytes(16)).toString('base64url');
    this.device = new Device(world.loop, world.randomFor(`disk/${plan.index}`), world.mutation?.lies ?? {});
    this.files = new SimulatedFiles(this.device);
    this.stores = new SimulatedStores(this.device, world.loop, (location, operations) =>
      world.onStored(this, location, operations),
    );
  }

  get isMasterEligible(): boolean {
    return this.#plan.roles.includes('master');
  }

  /** The running node, once it has started. */
  get running(): AssembledNode | null {
    return this.process?.assembled ?? null;
  }

  start(): void {
    if (this.process) return;
    const { loop, tail, randomFor, onFatal } = this.#world;
    const random = randomFor(`node/${this.index}/${this.starts++}`);
    const gate: ProcessGate = { isAlive: true, isPaused: false, deferred: [] };
    const session = Buffer.from(random.bytes(9)).toString('base64url');
    const own: SimulatedProcess = { gate, session, assembled: null, threads: [], isEnding: false };
    this.process = own;
    tail.note(`${this.name} starts`);
    const failed = (error: Error): void => {
      if (this.process === own) onFatal(this, error);
    };
    // Runs in an event of the process itself, not in another process's event.
    loop.at(loop.now, gate, () => {
      this.#assemble(own, random, failed).then(
        (node) => void (own.assembled = node),
        (error: unknown) => failed(error as Error),
      );
    });
  }

  /** Ends the process at once; with `power` the machine loses power too. */
  crash(power: boolean): void {
    const { process } = this;
    if (!process) return;
    this.#world.tail.note(`${this.name} ${power ? 'loses power' : 'is killed'}`);
    this.#ended(process);
    this.files.crash(power);
    this.stores.crash(power);
  }

  /** Shuts the process down as SIGTERM does. `gone` is called when it has ended. */
  terminate(gone: () => void): void {
    const { process } = this;
    if (!process?.assembled || process.isEnding) return;
    process.isEnding = true;
    this.#world.tail.note(`${this.name} is told to end`);
    const over = (how: string): void => {
      if (this.process !== process) return;
      this.#world.tail.note(`${this.name} has ended ${how}`);
      this.#ended(process);
      this.files.crash(false);
      this.stores.crash(false);
      gone();
    };
    const { assembled } = process;
    this.#world.loop.at(
      this.#world.loop.now,
      process.gate,
      () =>
        void assembled.close().then(
          () => over('in order'),
          (error: unknown) => over(`with ${String(error)}`),
        ),
    );
  }

  /** Ends a shard thread, chosen by a number from 0 to 1, while the process goes on. */
  endThread(which: number): void {
    const threads = this.running === null ? [] : this.process!.threads;
    const at = Math.floor(which * threads.length);
    if (threads[at]?.end()) this.#world.tail.note(`${this.name} loses its shard thread ${at}`);
  }

  pause(): void {
    if (!this.process || this.process.gate.isPaused) return;
    this.process.gate.isPaused = true;
    this.#world.network.pause(this.id);
    this.#world.tail.note(`${this.name} is stopped`);
  }

  resume(): void {
    if (!this.process?.gate.isPaused) return;
    this.#world.tail.note(`${this.name} goes on`);
    this.#world.loop.resume(this.process.gate);
    this.#world.network.resume(this.id);
  }

  #ended(process: SimulatedProcess): void {
    process.gate.isAlive = false;
    this.process = null;
    this.#world.network.crash(this.id);
  }

  #settings(): ReturnType<typeof loadSettings> {
    const { parts } = this.#world;
    const overrides: [string, string][] = [
      ['cluster.name', CLUSTER_NAME],
      ['node.name', this.name],
      ['node.roles', this.#plan.roles.join(',')],
      ['path.data', DATA_PATH],
      ['path.repo', SHARED_FOLDER],
      ['network.host', this.host],
      ['transport.port', '9300'],
      ['transport.data_port', '9400'],
      ...(parts?.isSecured === true ? SECURED : OPEN),
      ...(parts?.isTight === true ? TIGHT : []),
      ['discovery.seed_hosts', this.#plan.seedHosts.join(',')],
      // The caches of scripts are those of the process, which has many nodes.
      ['script.disable_max_compilations_rate', 'true'],
      ['cluster.initial_master_nodes', this.#plan.initialMasters.join(',')],
    ];
    return loadSettings({ file: null, environment: {}, overrides, isClusterSetting: () => true });
  }

  async #assemble(
    { gate, session, threads }: SimulatedProcess,
    random: Random,
    onFatal: (error: Error) => void,
  ): Promise<AssembledNode> {
    const { mutation, parts, randomFor } = this.#world;
    const settings = this.#settings();
    const doors = this.#doors(gate, random);
    const { clock, log } = doors;
    for (let i = 0; i < (parts?.shardThreads ?? 0); i++) threads.push(this.#thread(gate, i));
    const threadRandom = randomFor(`search thread/${this.index}/${this.starts}`);
    const placement = placeHere({
      clock,
      threads,
      shards: (thread) => this.#shardDoors(threads[thread]?.gate ?? gate, random, threadRandom),
      control: {
        ...doors,
        health: () => ({ diskOk: true, dataStallMs: 0 }),
        ...(mutation?.guards ? { guards: mutation.guards } : {}),
      },
    });
    const { deriveKey } = doors.security.passwords!;
    const protection = await protectNode({
      settings,
      secure: NO_SECRETS,
      confFolder: DATA_PATH,
      clock,
      log,
      ...(deriveKey ? { deriveKey } : {}),
    });
    const plan = {
      settings,
      budgets: BUDGETS,
      nodeId: this.id,
      session,
      nodeName: this.name,
      clusterName: CLUSTER_NAME,
      dataPath: DATA_PATH,
      host: this.host,
      httpAddress: null,
      protection,
      s3Clients: new SharedArrayBuffer(8),
      onFatal,
    };
    const node = await assembleNode(plan, doors, placement);
    node.serve({});
    return node;
  }

  #thread(process: ProcessGate, i: number): SimulatedThread {
    const { loop, randomFor } = this.#world;
    return new SimulatedThread({
      loop,
      process,
      random: randomFor(`ports/${this.index}/${this.starts}/${i}`),
      closeAll: (gate) => {
        this.stores.endThread(gate);
        this.files.endThread(gate);
      },
    });
  }

  /** Effects of what runs on the thread of `gate`. */
  #effects(
    gate: ProcessGate,
    random: Random,
  ): Pick<NodeDoors, 'clock' | 'random' | 'log' | 'files' | 'repositoryFiles'> {
    const { loop, tail, repository } = this.#world;
    const files = withRepository(this.files.door(gate), repository.door(gate));
    const clock = nodeClock(loop, gate, this.clock);
    return { clock, random, log: tail.logOf(this.name, 'info'), files, repositoryFiles: files };
  }

  /** Effects of the shards of a thread, with a thread beside it that searches what is sealed, and ends with it. */
  #shardDoors(gate: ProcessGate, random: Random, threadRandom: Random): ReturnType<HereOptions['shards']> {
    const effects = this.#effects(gate, random);
    const stores = this.stores.door(gate);
    const viewThreads = [simulatedSearchThread(this.#world.loop, gate, threadRandom, { stores, clock: effects.clock })];
    const compression = simulatedCompression(effects.clock);
    return { ...effects, stores, compression, viewThreads, viewLimits: EVERY_SEARCH };
  }

  #doors(gate: ProcessGate, random: Random): NodeDoors {
    const { loop, network, observe, mutation } = this.#world;
    const effects = this.#effects(gate, random);
    const { clock } = effects;
    return {
      ...effects,
      turns: nodeTurns(loop, gate, clock),
      ingestDatabases: noDatabases(),
      remoteHttp: () => Promise.reject(new Error('there are no other clusters')),
      memory: { inUse: () => 0, collect: () => undefined },
      security: simulatedSecurity(clock),
      createTransport: async (options: TransportOptions) =>
        observe(
          await network.transport(
            this.#receiving(
              this.#givingFiles(mutation?.receive ? mutatedReceiver(options, mutation.receive) : options),
              gate,
            ),
          ),
          this,
        ),
      disk: async () => this.#diskReport(),
    };
  }

  /** Makes some recoveries go by files, as if the primary's log did not reach back far enough. */
  #givingFiles(options: TransportOptions): TransportOptions {
    const { loop, randomFor, files } = this.#world;
    const random = randomFor(`files/${this.index}/${this.starts}`);
    const receive: Receive = (action, payload, next) => {
      if (action !== recovery.methods.start.action || loop.now >= files.untilMs || random.next() >= files.share)
        return next(payload);
      return next(recovery.encodeStartRequest({ ...recovery.decodeStartRequest(payload), filesOnly: true }));
    };
    return files.share > 0 ? mutatedReceiver(options, receive) : options;
  }

  /** Delivers some repeatable requests twice, the second time later. */
  #receiving(options: TransportOptions, gate: ProcessGate): TransportOptions {
    const { loop, randomFor, duplicates } = this.#world;
    const random = randomFor(`duplicates/${this.index}/${this.starts}`);
    return {
      ...options,
      handler: (from, action, payload, signal, context) => {
        if (loop.now < duplicates.untilMs && REPEATABLE.test(action) && random.next() < duplicates.share) {
          const again = new Uint8Array(payload);
          loop.at(
            loop.now + random.next() * DUPLICATE_MS_MAX,
            gate,
            () => void Promise.resolve(options.handler(from, action, again, signal, context)).catch(() => undefined),
          );
        }
        return options.handler(from, action, payload, signal, context);
      },
    };
  }

  #diskReport(): nodeMessages.DiskReport {
    const total = 200 * 2 ** 30;
    const shardBytes: Record<string, number> = {};
    for (const location of this.stores.locations) {
      const [, , indexUuid, shard] = location.split('/');
      shardBytes[`${indexUuid}/${shard}`] = this.stores.bytesOf(location);
    }
    return { totalBytes: total, freeBytes: total / 2, shardBytes };
  }
}
