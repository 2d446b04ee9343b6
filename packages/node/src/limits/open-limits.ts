import { clusterSetting, type ClusterState } from '@shoal/state';
import type { CoordinatorMemory } from '@shoal/coordinator';
import type { Clock } from '@shoal/doors';
import type { HttpLimits, WorkKind } from '@shoal/rest';
import { parseByteSize } from '@shoal/values';
import type { PoolSizes } from '../facts/node-info.js';
import type { NodeSettings } from '../settings/load-settings.js';
import type { FairTurns, WorkTime } from '../turns/fair-turns.js';
import type { MemoryDoor } from '../doors/system-memory.js';
import { createIndexingPressure, type IndexingPressure } from './indexing-pressure.js';
import { createLoopLoad } from './loop-load.js';
import { createParentBreaker, type ParentBreaker } from './parent-breaker.js';
import { createRateBudget } from './rate-budget.js';
import { createWorkPool, type WorkPool } from './work-pool.js';

/** Searches that run in turns on one thread. With slices of up to 8 ms a turn of the event loop stays below 50 ms. */
const SEARCHES_PER_THREAD = 4;
/** Share of the memory budget for request bodies, unless the setting gives another. */
const IN_FLIGHT_SHARE = 0.25;

/** Settings and budgets from which limits are computed. */
export interface LimitsOptions {
  readonly settings: NodeSettings;
  readonly clock: Clock;
  readonly turns: FairTurns;
  readonly memory: MemoryDoor;
  readonly nodeName: string;
  readonly memoryBytes: number;
  readonly shardThreads: number;
}

/** Cluster state, and bytes that other breakers of the node count. */
export interface CountedElsewhere {
  readonly state: () => ClusterState;
  readonly usages: () => Readonly<Record<string, number>>;
}

/** The limits of a node. */
export interface Limits {
  readonly search: WorkPool;
  /** Searches that aggregate; the pool `search` of Elasticsearch is both. */
  readonly aggregation: WorkPool;
  readonly get: WorkPool;
  readonly write: WorkPool;
  /** Sizes of pools and queues, as `_nodes` shows them. */
  readonly queues: PoolSizes;
  readonly pressure: IndexingPressure;
  readonly parent: ParentBreaker;
  readonly memory: CoordinatorMemory;
  readonly http: HttpLimits;
  /** Time that each kind of work has used of the main thread. */
  readonly workTimes: () => readonly WorkTime[];
  /** Creates a pool that counts requests and refuses none. */
  countingPool(name: string): WorkPool;
  /** Makes limits follow the cluster's settings. */
  follow(counted: CountedElsewhere): void;
}

/** Parses a size in bytes, or a percentage of `total`. */
function bytesOf(text: unknown, name: string, total: number): number {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(String(text))?.[1];
  return percent === undefined ? parseByteSize(String(text), name) : Math.floor((Number(percent) / 100) * total);
}

/** A limit from a dynamic cluster setting; parsed again after the settings have changed. */
function changing(
  state: () => ClusterState | null,
  nodeSettings: Readonly<Record<string, string>>,
  name: string,
  read: (text: unknown) => number,
): () => number {
  let seen: ClusterState | null = null;
  let limit = read(nodeSettings[name] ?? null);
  return () => {
    const now = state();
    if (
      now !== null &&
      (now.transientSettings !== seen?.transientSettings || now.persistentSettings !== seen.persistentSettings)
    )
      limit = read(now.transientSettings[name] ?? now.persistentSettings[name] ?? nodeSettings[name] ?? null);
    seen = now;
    return limit;
  };
}

/** Opens the limits that a node's settings ask for. */
export function openLimits(options: LimitsOptions): Limits {
  const { settings, clock, turns, memory, nodeName, memoryBytes, shardThreads } = options;
  let counted: CountedElsewhere | null = null;
  const now = (): number => clock.monotonic();
  const state = (): ClusterState | null => counted?.state() ?? null;
  const explicit = Object.fromEntries(settings.explicit);
  const limit = (name: string, fallback: number): (() => number) =>
    changing(state, explicit, name, (text) => (text === null ? fallback : bytesOf(text, name, memoryBytes)));
  const pool = (name: string, size: number, queueMax: number, delayMaxMs = Infinity, kind = name): WorkPool =>
    createWorkPool({ name, kind, nodeName, size, queueMax, delayMaxMs, turns, now });
  const queue = (name: string): number => settings.integer(`thread_pool.${name}.queue_size`)!;
  const size = Math.max(1, settings.integer('thread_pool.search.size') ?? SEARCHES_PER_THREAD * shardThreads);
  const queues = { search: size, searchQueue: queue('search'), getQueue: queue('get'), writeQueue: queue('write') };
  const delayMaxMs = settings.milliseconds('shoal.overload.delay');
  const search = pool('search', size, queues.searchQueue, delayMaxMs);
  const aggregation = pool('search', size, queues.searchQueue, delayMaxMs, 'aggregation');
  const get = pool('get', Infinity, queues.getQueue, delayMaxMs);
  const write = pool('write', Infinity, queues.writeQueue);
  const pressure = createIndexingPressure(settings.share('indexing_pressure.memory.limit', memoryBytes), {
    alone: !settings.explicit.has('indexing_pressure.memory.limit'),
  });
  const total = limit(
    'indices.breaker.total.limit',
    bytesOf(clusterSettingDefault('indices.breaker.total.limit'), 'indices.breaker.total.limit', memoryBytes),
  );
  const parent = createParentBreaker({
    limit: total,
    inUse: () => memory.inUse(),
    usages: () => counted?.usages() ?? {},
    now,
    collect: () => memory.collect(),
  });
  return {
    search,
    aggregation,
    get,
    write,
    queues,
    pressure,
    parent,
    memory: {
      inFlightBytesMax: limit('network.breaker.inflight_requests.limit', Math.floor(memoryBytes * IN_FLIGHT_SHARE)),
      checkParent: parent.check,
      checkWrite: pressure.checkCoordinating,
      takeWrite: pressure.takeCoordinating,
    },
    http: httpLimits({ search, aggregation, get, write }, pressure, settings, { clock, turns }),
    workTimes: () => turns.times(),
    countingPool: (name) =>
      createWorkPool({
        name,
        nodeName,
        size: Infinity,
        queueMax: Infinity,
        delayMaxMs: Infinity,
        turns: null,
        now,
      }),
    follow: (others) => void (counted = others),
  };
}

function clusterSettingDefault(name: string): unknown {
  return clusterSetting({ transientSettings: {}, persistentSettings: {} } as unknown as ClusterState, name);
}

function httpLimits(
  pools: Readonly<Record<Exclude<WorkKind, 'management'>, WorkPool>>,
  pressure: IndexingPressure,
  settings: NodeSettings,
  { clock, turns }: Pick<LimitsOptions, 'clock' | 'turns'>,
): HttpLimits {
  const load = createLoopLoad(clock);
  const perSecond = settings.integer('shoal.rate_limit.requests_per_second')!;
  const budget = perSecond === 0 ? null : createRateBudget(perSecond, () => clock.monotonic());
  const recheck: HttpLimits['recheck'] = (kind, bodyBytes) => {
    if (kind === 'write' && bodyBytes > 0) pressure.checkAnnounced(bodyBytes);
  };
  /** What a search asks for is known when its body has arrived: until then it may be of either kind. */
  const isOver = (kind: Exclude<WorkKind, 'management'>): boolean =>
    pools[kind].isOver && (kind !== 'search' || pools.aggregation.isOver);
  return {
    recheck,
    begin(kind, isWanted) {
      if (kind !== 'management') return pools[kind].begin(isWanted);
      turns.startControl();
      return null;
    },
    admit(kind, caller, bodyBytes) {
      budget?.spend(caller());
      if (kind === 'management') return null;
      const pool = pools[kind];
      if (isOver(kind)) return pool.reject();
      if (load.refuses()) return pool.reject();
      recheck(kind, bodyBytes);
      return null;
    },
  };
}
