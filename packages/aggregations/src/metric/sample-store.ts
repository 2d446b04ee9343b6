import { growDoubles } from '../collect/growable.js';
import { compress, exactLimit, mergeSamples, NO_SAMPLES, type Samples } from './digest.js';
import { countValues } from './sample-store.kernel.js';

/** Collects samples by bucket. */
export interface SampleStore {
  reserve(buckets: number): void;
  /** `values[i]` belongs to `buckets[i]` (null: bucket 0); NaN is no value. */
  add(values: Float64Array, buckets: Int32Array | null, count: number): void;
  samples(bucket: number): Samples;
}

/** Samples of one bucket: buffered values, and the centroids formed of earlier ones. */
interface Waiting {
  buffer: Float64Array<ArrayBuffer>;
  size: number;
  formed: Samples;
}

/**
 * Factor by which the compression of a shard is finer than requested, as its centroids are merged again on the
 * coordinator.
 */
const FINER = 5;

function merged(waiting: Waiting, compression: number): Samples {
  const fresh = waiting.buffer.slice(0, waiting.size).sort();
  const ones = new Float64Array(fresh.length).fill(1);
  const { formed } = waiting;
  if (formed.values.length === 0)
    return fresh.length <= exactLimit(compression)
      ? { values: fresh, weights: ones, isExact: true }
      : compress(fresh, ones, compression * FINER);
  return compressTogether(formed, fresh, compression * FINER);
}

/** Merges centroids and single values, both ascending. */
function compressTogether(formed: Samples, fresh: Float64Array, compression: number): Samples {
  const size = formed.values.length + fresh.length;
  const values = new Float64Array(size);
  const weights = new Float64Array(size);
  for (let i = 0, a = 0, b = 0; i < size; i++) {
    const takeFormed = b >= fresh.length || (a < formed.values.length && formed.values[a]! <= fresh[b]!);
    values[i] = takeFormed ? formed.values[a]! : fresh[b]!;
    weights[i] = takeFormed ? formed.weights[a++]! : 1;
    if (!takeFormed) b++;
  }
  return compress(values, weights, compression);
}

/** Makes a store for any numbers. Each bucket buffers values, and merges them to centroids when its buffer is full. */
export function digestStore(compression: number, charge: (bytes: number) => void): SampleStore {
  const waiting: (Waiting | undefined)[] = [];
  const full = exactLimit(compression);
  const addOne = (bucket: number, value: number): void => {
    const one = (waiting[bucket] ??= { buffer: new Float64Array(8), size: 0, formed: NO_SAMPLES });
    if (one.size === one.buffer.length) {
      if (one.size >= full) {
        one.formed = merged(one, compression);
        if (one.formed.isExact) one.formed = compress(one.formed.values, one.formed.weights, compression * FINER);
        one.size = 0;
      } else {
        charge(one.buffer.byteLength);
        one.buffer = growDoubles(one.buffer, Math.min(full, one.size * 2));
      }
    }
    one.buffer[one.size++] = value;
  };
  return {
    reserve() {},
    add(values, buckets, count) {
      for (let i = 0; i < count; i++) if (values[i] === values[i]) addOne(buckets ? buckets[i]! : 0, values[i]!);
    },
    samples: (bucket) => (waiting[bucket] ? merged(waiting[bucket], compression) : NO_SAMPLES),
  };
}

/** Makes a store for whole numbers in [min, max] with one counter a number: exact, and one increment a value. */
export function countingStore(min: number, max: number, charge: (bytes: number) => void): SampleStore {
  const width = max - min + 1;
  let counts = new Int32Array(0);
  return {
    reserve(buckets) {
      if (buckets * width <= counts.length) return;
      const next = new Int32Array(Math.max(buckets * width, Math.min(counts.length * 2, COUNTERS_MAX)));
      charge(next.byteLength - counts.byteLength);
      next.set(counts);
      counts = next;
    },
    add: (values, buckets, count) => countValues(values, buckets, count, min, width, counts),
    samples(bucket) {
      const own = counts.subarray(bucket * width, (bucket + 1) * width);
      const present: number[] = [];
      for (let i = 0; i < own.length; i++) if (own[i]! > 0) present.push(i);
      return {
        values: Float64Array.from(present, (i) => i + min),
        weights: Float64Array.from(present, (i) => own[i]!),
        isExact: true,
      };
    },
  };
}

/** Counters that `countingStore` may have. */
export const COUNTERS_MAX = 1 << 22;

/**
 * Makes a store that counts whole numbers one by one while at most `COUNTERS_MAX` counters are needed. With more
 * buckets, later values go to a digest.
 */
export function adaptiveStore(
  min: number,
  max: number,
  compression: number,
  charge: (bytes: number) => void,
): SampleStore {
  const counting = countingStore(min, max, charge);
  const width = max - min + 1;
  let digest: SampleStore | null = null;
  return {
    reserve(buckets) {
      if (!digest && buckets * width <= COUNTERS_MAX) counting.reserve(buckets);
      else digest ??= digestStore(compression, charge);
    },
    add: (values, buckets, count) => (digest ?? counting).add(values, buckets, count),
    samples: (bucket) =>
      digest ? mergeSamples([counting.samples(bucket), digest.samples(bucket)], compression) : counting.samples(bucket),
  };
}
