import type { LogFolder } from './log-folder.js';

/** Limit in bytes of lines that wait for the disk; further lines are dropped and counted. */
const WAITING_BYTES_MAX = 4 * 2 ** 20;

/** Size limits of a rotated log, in bytes. */
export interface RotationLimits {
  /** Size in bytes from which on a file is rotated. */
  readonly fileBytesMax: number;
  /** Limit in bytes of all files of the log; the oldest are deleted. */
  readonly totalBytesMax: number;
}

/** Name, folder and clock of a rotated log. */
export interface RotatingLogOptions extends RotationLimits {
  readonly folder: LogFolder;
  /**
   * Name without extension: `shoal_server` writes `shoal_server.json`, rotated files are
   * `shoal_server-2024-01-31-1.json`.
   */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Formats the line that reports how many lines were lost. */
  readonly lostLine: (count: number) => string;
}

/** Writes lines without waiting for the disk. Lines that cannot be written are lost, without an error. */
export interface RotatingLog {
  write(line: string): void;
  /** Resolves when no line waits. */
  flush(): Promise<void>;
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Creates a log file that is rotated by size and day. All its files together are bounded in bytes. */
export function createRotatingLog(options: RotatingLogOptions): RotatingLog {
  const { folder, name, now, lostLine } = options;
  const current = `${name}.json`;
  let waiting: string[] = [];
  let waitingBytes = 0;
  let lost = 0;
  let writing: Promise<void> | null = null;
  let size: number | null = null;
  let day = dayOf(now());

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const lines = lost > 0 ? [...waiting, lostLine(lost)] : waiting;
      const told = lost;
      const count = waiting.length;
      waiting = [];
      waitingBytes = 0;
      const bytes = Buffer.from(`${lines.join('\n')}\n`);
      try {
        size ??= await folder.size(current);
        await rotateIfDue(bytes.length);
        await folder.append(current, bytes);
        size += bytes.length;
        lost -= told;
      } catch {
        // The disk is full or gone: the lines are lost and counted, and the node goes on.
        lost += count;
        size = null;
      }
    }
  };
  const rotateIfDue = async (added: number): Promise<void> => {
    const today = dayOf(now());
    if (size! > 0 && (today !== day || size! + added > options.fileBytesMax)) {
      await folder.rename(current, await freeName(folder, name, day));
      size = 0;
      await removeOldest(folder, name, options.totalBytesMax - options.fileBytesMax);
    }
    day = today;
  };
  return {
    write(line) {
      if (waitingBytes + line.length > WAITING_BYTES_MAX) return void lost++;
      waiting.push(line);
      waitingBytes += line.length;
      writing ??= drain().finally(() => (writing = null));
    },
    flush: async () => void (await writing),
  };
}

/** Returns the number after the day in the name of a rotated file; NaN for other files. */
function serialOf(file: string, prefix: string): number {
  return file.startsWith(prefix) && file.endsWith('.json')
    ? Number(file.slice(prefix.length, -'.json'.length))
    : Number.NaN;
}

async function freeName(folder: LogFolder, name: string, day: string): Promise<string> {
  const prefix = `${name}-${day}-`;
  const serials = (await folder.list()).map((file) => serialOf(file, prefix)).filter(Number.isInteger);
  return `${prefix}${Math.max(0, ...serials) + 1}.json`;
}

/** Returns rotated files, the oldest first: by day, then by number. */
function setAside(files: readonly string[], name: string): string[] {
  const found = files.flatMap((file) => {
    const prefix = `${name}-${file.slice(name.length + 1, name.length + 11)}-`;
    const serial = serialOf(file, prefix);
    return /^-\d{4}-\d\d-\d\d-$/.test(prefix.slice(name.length)) && Number.isInteger(serial)
      ? [{ file, prefix, serial }]
      : [];
  });
  return found
    .sort((a, b) => (a.prefix === b.prefix ? a.serial - b.serial : a.prefix < b.prefix ? -1 : 1))
    .map(({ file }) => file);
}

async function removeOldest(folder: LogFolder, name: string, bytesMax: number): Promise<void> {
  const files = setAside(await folder.list(), name);
  const sizes = await Promise.all(files.map((file) => folder.size(file)));
  let total = sizes.reduce((sum, bytes) => sum + bytes, 0);
  for (let i = 0; i < files.length && total > bytesMax; i++) {
    await folder.remove(files[i]!);
    total -= sizes[i]!;
  }
}
