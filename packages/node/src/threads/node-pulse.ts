import type { Clock, Files } from '@shoal/doors';

const BEAT_MS = 100;
const PROBE_INTERVAL_MS = 10_000;
/** A probe write that takes longer counts as failed. */
const PROBE_LIMIT_MS = 20_000;

const BEATS = 0;
const DISK_BAD = 1;

/** Creates the shared memory in which the main thread counts its heartbeats. */
export function createPulse(): SharedArrayBuffer {
  return new SharedArrayBuffer(8);
}

/**
 * Counts heartbeats on the calling thread, and writes to the data folder every 10 s. So a node whose main thread or
 * disk hangs is seen as unhealthy. Returns a function that stops both.
 */
export function keepPulse(
  pulse: SharedArrayBuffer,
  { clock, files, dataPath }: { readonly clock: Clock; readonly files: Files; readonly dataPath: string },
): () => void {
  const shared = new Int32Array(pulse);
  const timer = setInterval(() => Atomics.add(shared, BEATS, 1), BEAT_MS);
  timer.unref();
  let probedAt: number | null = null;
  const probe = setInterval(() => {
    const now = clock.monotonic();
    if (probedAt !== null) return void Atomics.store(shared, DISK_BAD, now - probedAt > PROBE_LIMIT_MS ? 1 : 0);
    probedAt = now;
    const done = (isBad: 0 | 1): void => {
      probedAt = null;
      Atomics.store(shared, DISK_BAD, isBad);
    };
    files.replace(`${dataPath}/disk-probe`, new Uint8Array(512)).then(
      () => done(0),
      () => done(1),
    );
  }, PROBE_INTERVAL_MS);
  probe.unref();
  return () => {
    clearInterval(timer);
    clearInterval(probe);
  };
}

/**
 * Reads the heartbeats of the main thread from another thread. Returns milliseconds since the last new beat seen, and
 * whether the disk accepts writes.
 */
export function readPulse(
  pulse: SharedArrayBuffer,
  clock: Clock,
): () => { readonly dataStallMs: number; readonly diskOk: boolean } {
  const shared = new Int32Array(pulse);
  let beats = Atomics.load(shared, BEATS);
  let movedAt = clock.monotonic();
  return () => {
    const now = clock.monotonic();
    const current = Atomics.load(shared, BEATS);
    if (current !== beats) movedAt = now;
    beats = current;
    return { dataStallMs: now - movedAt, diskOk: Atomics.load(shared, DISK_BAD) === 0 };
  };
}
