import fs from 'node:fs';

const SECTOR_BYTES = 512;

/** Counters of a block device. */
interface Operations {
  readonly reads: number;
  readonly writes: number;
  readonly kilobytesRead: number;
  readonly kilobytesWritten: number;
  readonly busyMs: number;
}

/**
 * A line of `/proc/diskstats`: numbers and name of the device, then counters (kernel documentation,
 * admin-guide/iostats).
 */
export function parseDiskStatistics(text: string, device: string): (Operations & { readonly name: string }) | null {
  const fields = text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find(([major, minor]) => `${major}:${minor}` === device);
  if (fields === undefined || fields.length < 13) return null;
  const number = (place: number): number => Number(fields[place]);
  const kilobytes = (place: number): number => (number(place) * SECTOR_BYTES) / 1024;
  return {
    name: fields[2]!,
    reads: number(3),
    kilobytesRead: kilobytes(5),
    writes: number(7),
    kilobytesWritten: kilobytes(9),
    busyMs: number(12),
  };
}

function readDevice(device: string): ReturnType<typeof parseDiskStatistics> {
  try {
    return parseDiskStatistics(fs.readFileSync('/proc/diskstats', 'utf8'), device);
  } catch {
    return null;
  }
}

function operationsJson(now: Operations, then: Operations): Record<string, number> {
  const since = (name: keyof Operations): number => now[name] - then[name];
  return {
    operations: since('reads') + since('writes'),
    read_operations: since('reads'),
    write_operations: since('writes'),
    read_kilobytes: Math.floor(since('kilobytesRead')),
    write_kilobytes: Math.floor(since('kilobytesWritten')),
    io_time_in_millis: since('busyMs'),
  };
}

/** Returns the device number of a folder, such as `254:0`. */
function deviceOf(folder: string): string {
  const { dev } = fs.statSync(folder, { bigint: true });
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
  const minor = (dev & 0xffn) | ((dev >> 12n) & ~0xffn);
  return `${major}:${minor & 0xffffffffn}`;
}

/**
 * Returns `fs.io_stats` of `GET /_nodes/stats`: operations of the folder's device since this call. Empty if the system
 * has no such statistics.
 */
export function watchDisk(folder: string): () => Record<string, unknown> {
  const device = deviceOf(folder);
  const atStart = readDevice(device);
  return () => {
    const now = atStart && readDevice(device);
    if (!now) return {};
    const counted = operationsJson(now, atStart);
    return { devices: [{ device_name: now.name, ...counted }], total: counted };
  };
}
