import type { Pause } from '@shoal/query';
import type { Aggregator, BuildSite } from '../aggregation-type.js';
import { growDoubles, growInts } from '../collect/growable.js';
import { SORT_BYTES, sortedNumbers } from '../collect/merge-sort.js';
import { numberSource, type NumberSource } from '../source/number-source.js';

/** Values of a counter in the order of their times: first and last, and what it had when it began anew. */
export type CounterRun = {
  readonly fromMs: number;
  readonly first: number;
  readonly toMs: number;
  readonly last: number;
  /** Sum of the values before each reset. */
  readonly lost: number;
};

/** Bytes of a collected value: its bucket, time and number. */
const VALUE_BYTES = 20;
/** Bytes of the run of a bucket. */
const RUN_BYTES = 128;

/** Joins two runs, the earlier one first. A counter that is lower than before began anew at 0. */
function join(a: CounterRun, b: CounterRun): CounterRun {
  const reset = b.first < a.last ? a.last : 0;
  return { fromMs: a.fromMs, first: a.first, toMs: b.toMs, last: b.last, lost: a.lost + b.lost + reset };
}

/** Joins runs of one counter, in any order; null for none. */
export function joinRuns(runs: readonly CounterRun[]): CounterRun | null {
  const sorted = [...runs].sort((a, b) => a.fromMs - b.fromMs);
  const [first, ...rest] = sorted;
  return first === undefined ? null : rest.reduce(join, first);
}

/** Returns the increase of a counter in a unit of `unitMs` milliseconds; null if there are not two times. */
export function rateOf({ fromMs, first, toMs, last, lost }: CounterRun, unitMs: number): number | null {
  return toMs > fromMs ? ((last - first + lost) / (toMs - fromMs)) * unitMs : null;
}

interface Collected {
  readonly buckets: Int32Array;
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly count: number;
}

/** Values that are joined between two looks at the clock. */
const JOINED_AT_ONCE = 16_384;

async function runsOf({ buckets, times, values, count }: Collected, pause: Pause): Promise<Map<number, CounterRun>> {
  const byTime = (a: number, b: number): number => buckets[a]! - buckets[b]! || times[a]! - times[b]!;
  const order = await sortedNumbers(count, byTime, pause);
  const runs = new Map<number, CounterRun>();
  for (let at = 0; at < count; at++) {
    const [bucket, time, value] = [buckets[order[at]!]!, times[order[at]!]!, values[order[at]!]!];
    const run = { fromMs: time, first: value, toMs: time, last: value, lost: 0 };
    const before = runs.get(bucket);
    runs.set(bucket, before === undefined ? run : join(before, run));
    const wait = at % JOINED_AT_ONCE === 0 ? pause() : null;
    if (wait !== null) await wait;
  }
  return runs;
}

/**
 * Collects the values of a counter with their times, for each bucket. Segments are not in the order of time, so that
 * values are kept, and charged, until all of them are there; they are sorted after the last segment, in turns.
 */
export function counterRuns(build: BuildSite, field: string): Aggregator<{ readonly r: CounterRun }> {
  const { searcher, charge, pause = () => null } = build.context;
  const source = (name: string): NumberSource => numberSource(searcher.mapping.field(name), Number.NaN, undefined);
  const [numbers, clock] = [source(field), source('@timestamp')];
  let [buckets, times, values, count] = [new Int32Array(0), new Float64Array(0), new Float64Array(0), 0];
  let runs: ReadonlyMap<number, CounterRun> = new Map();
  build.afterSegments(async () => {
    charge(count * SORT_BYTES);
    runs = await runsOf({ buckets, times, values, count }, pause);
    charge(runs.size * RUN_BYTES - count * SORT_BYTES);
  });
  const makeRoom = (more: number): void => {
    const before = buckets.length;
    buckets = growInts(buckets, count + more);
    times = growDoubles(times, count + more);
    values = growDoubles(values, count + more);
    if (buckets.length > before) charge((buckets.length - before) * VALUE_BYTES);
  };
  return {
    segment(view) {
      numbers.segment(view);
      clock.segment(view);
    },
    reserve() {},
    collect(docs, owners, length) {
      makeRoom(length);
      const [read, at] = [numbers.read(docs, length), clock.read(docs, length)];
      for (let i = 0; i < length; i++) {
        if (Number.isNaN(read[i]!) || Number.isNaN(at[i]!)) continue;
        buckets[count] = owners ? owners[i]! : 0;
        times[count] = at[i]!;
        values[count++] = read[i]!;
      }
    },
    partial(bucket) {
      const run = runs.get(bucket);
      return run === undefined ? null : { r: run };
    },
  };
}
