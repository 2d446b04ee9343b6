import type { Clock, TimerHandle } from '@shoal/doors';
import type { ClusterClient } from '../cluster/cluster-client.js';
import { jsonOf } from '../cluster/readiness.js';

/** How far readings reach back. */
const KEPT_MS = 15 * 60_000;
/** Pauses between readings: while a page shows them, and otherwise. */
const WATCHED_MS = 1_000;
const IDLE_MS = 5_000;
/** A page that has not asked for so long is closed. */
const PAGE_GONE_MS = 12_000;

/** What the cluster was like at one moment. */
export interface Reading {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly status: string;
  readonly nodes: readonly string[];
  readonly master: string | null;
  readonly indices: number;
  readonly documents: number;
  readonly shards: { readonly active: number; readonly starting: number; readonly unassigned: number };
  /** Documents indexed and searches of shards a second since the reading before; null for the first one. */
  readonly indexedPerSecond: number | null;
  readonly searchesPerSecond: number | null;
}

/** Sums since shards were opened. */
interface Totals {
  readonly indexed: number;
  readonly searches: number;
}

/** Readings of the last 15 minutes, taken as the dashboard's own user: one for all browsers. */
export interface Readings {
  /** All readings, oldest first, and whether the last attempt failed. */
  read(): { readonly readings: readonly Reading[]; readonly isCurrent: boolean };
  close(): void;
}

/** What readings are taken with, as the dashboard's own user. */
interface ReadingDoors {
  readonly authorization: string | null;
  readonly isReady: () => boolean;
  /** Told the health of each reading: the header of pages must not show another one than the page under it. */
  readonly onHealth: (health: string) => void;
  readonly clock: Clock;
}

/** Starts to take readings whenever `isReady`. */
export function takeReadings(
  client: ClusterClient,
  { authorization, isReady, onHealth, clock }: ReadingDoors,
): Readings {
  const readings: Reading[] = [];
  let totals: Totals | null = null;
  let isCurrent = false;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let isClosed = false;
  let timer: TimerHandle | null = null;
  const take = async (): Promise<void> => {
    const reading = isReady() ? await readCluster(client, authorization, clock).catch(() => null) : null;
    isCurrent = reading !== null;
    if (reading === null) totals = null;
    else {
      onHealth(reading.status);
      readings.push(withRates(reading, totals, readings.at(-1)));
      totals = reading.totals;
      const oldest = clock.now() - KEPT_MS;
      readings.splice(
        0,
        readings.findIndex(({ at }) => at >= oldest),
      );
    }
    if (isClosed) return;
    timer = clock.after(clock.now() - askedAtMs < PAGE_GONE_MS ? WATCHED_MS : IDLE_MS, () => void take());
  };
  timer = clock.after(0, () => void take());
  return {
    read() {
      const wasIdle = clock.now() - askedAtMs >= PAGE_GONE_MS;
      askedAtMs = clock.now();
      if (wasIdle && timer !== null && isCurrent) {
        timer.cancel();
        timer = clock.after(WATCHED_MS, () => void take());
      }
      return { readings, isCurrent };
    },
    close() {
      isClosed = true;
      timer?.cancel();
    },
  };
}

type Counted = Omit<Reading, 'indexedPerSecond' | 'searchesPerSecond'> & { readonly totals: Totals };

function withRates({ totals, ...reading }: Counted, before: Totals | null, last: Reading | undefined): Reading {
  const seconds = last === undefined ? 0 : (reading.at - last.at) / 1000;
  // Counters of shards begin anew where a shard was opened: then the rate is unknown rather than negative.
  const rate = (now: number, then: number | undefined): number | null =>
    then === undefined || seconds <= 0 || now < then ? null : (now - then) / seconds;
  return {
    ...reading,
    indexedPerSecond: rate(totals.indexed, before?.indexed),
    searchesPerSecond: rate(totals.searches, before?.searches),
  };
}

const PATHS = [
  '/_cluster/health',
  '/_cluster/state/nodes,master_node?filter_path=master_node,nodes.*.name',
  '/_cluster/stats?filter_path=indices.count,indices.docs.count',
  '/_stats/indexing,search?level=cluster&filter_path=_all.primaries.indexing.index_total,_all.total.search.query_total',
];

interface Answers {
  readonly health: Readonly<Record<string, number>> & { readonly status: string };
  readonly state: {
    readonly master_node?: string;
    readonly nodes?: Readonly<Record<string, { readonly name: string }>>;
  };
  readonly stats: { readonly indices?: { readonly count?: number; readonly docs?: { readonly count?: number } } };
  readonly sums: {
    readonly _all?: {
      readonly primaries?: { readonly indexing?: { readonly index_total?: number } };
      readonly total?: { readonly search?: { readonly query_total?: number } };
    };
  };
}

async function readCluster(client: ClusterClient, authorization: string | null, clock: Clock): Promise<Counted> {
  const answers = await Promise.all(PATHS.map((path) => client.call('GET', path, { authorization })));
  const failed = answers.find(({ status }) => status !== 200);
  if (failed !== undefined) throw new Error(`status [${failed.status}]`);
  const [health, state, stats, sums] = answers.map(jsonOf) as [
    Answers['health'],
    Answers['state'],
    Answers['stats'],
    Answers['sums'],
  ];
  const nodes = state.nodes ?? {};
  return {
    at: clock.now(),
    status: health.status,
    nodes: Object.values(nodes)
      .map(({ name }) => name)
      .sort(),
    master: nodes[state.master_node ?? '']?.name ?? null,
    indices: stats.indices?.count ?? 0,
    documents: stats.indices?.docs?.count ?? 0,
    shards: {
      active: health['active_shards'] ?? 0,
      starting: (health['initializing_shards'] ?? 0) + (health['relocating_shards'] ?? 0),
      unassigned: health['unassigned_shards'] ?? 0,
    },
    totals: {
      indexed: sums._all?.primaries?.indexing?.index_total ?? 0,
      searches: sums._all?.total?.search?.query_total ?? 0,
    },
  };
}
