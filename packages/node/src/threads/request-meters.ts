/** Bytes of one thread's entry in the shared meters: two doubles. */
const METER_BYTES = 16;

/** Creates the shared memory in which `threads` threads count the bytes that their searches hold. */
export function createRequestMeters(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(METER_BYTES * threads);
}

/** Returns a thread's entry: bytes in use, and number of refusals. */
export function requestMeter(meters: SharedArrayBuffer, thread: number): Float64Array {
  return new Float64Array(meters, thread * METER_BYTES, 2);
}

/** Sums the meters of all threads. */
export function requestMemory(meters: SharedArrayBuffer): { used: number; tripped: number } {
  const sum = { used: 0, tripped: 0 };
  new Float64Array(meters).forEach((value, i) => (sum[i % 2 === 0 ? 'used' : 'tripped'] += value));
  return sum;
}
