import { createHash } from 'node:crypto';
import { type Clock, type Files, inTurns, newUuid, type Random } from '@shoal/doors';
import { errors, toApiError } from '@shoal/errors';

/** What an analysis does. */
export interface AnalysisOptions {
  readonly blobCount: number;
  /** Blobs that are written at the same time. */
  readonly concurrency: number;
  /** Largest size of a blob, and of all together, in bytes. */
  readonly blobBytesMax: number;
  readonly totalBytesMax: number;
  readonly timeoutMs: number;
}

/** A blob that a node reads and compares. */
export interface AnalysedBlob {
  readonly path: string;
  /** SHA-256 of the content in hexadecimal; null if there must be none. */
  readonly sha256: string | null;
}

/** Sums of writes or reads. */
export interface AnalysisSum {
  readonly count: number;
  readonly bytes: number;
  readonly elapsedMs: number;
}

/** What an analysis measured. */
export interface Analysis {
  readonly folder: string;
  readonly write: AnalysisSum;
  readonly read: AnalysisSum;
  readonly listingMs: number;
  readonly deleteMs: number;
}

/** Doors of an analysis. `others` lets other nodes read blobs, and returns what they found wrong. */
export interface AnalysisDoors {
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly others: (blobs: readonly AnalysedBlob[]) => Promise<readonly string[]>;
}

const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** Reads blobs and compares them. Returns what is wrong, in words. */
export async function readAnalysedBlobs(files: Files, blobs: readonly AnalysedBlob[]): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const { path, sha256 } of blobs) {
    const content = await files.read(path);
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (sha256 === null && content) problems.push(`blob [${name}] is there after it was deleted`);
    else if (sha256 !== null && !content) problems.push(`blob [${name}] cannot be read after it was written`);
    else if (sha256 !== null && hashOf(content!) !== sha256) problems.push(`blob [${name}] has another content`);
  }
  return problems;
}

/** One analysis of a repository. */
class Run {
  readonly folder: string;
  readonly #doors: AnalysisDoors;
  readonly #options: AnalysisOptions;
  readonly #endMs: number;
  readonly write = { count: 0, bytes: 0, elapsedMs: 0 };
  readonly read = { count: 0, bytes: 0, elapsedMs: 0 };

  constructor(folder: string, options: AnalysisOptions, doors: AnalysisDoors) {
    [this.folder, this.#options, this.#doors] = [folder, options, doors];
    this.#endMs = doors.clock.monotonic() + options.timeoutMs;
  }

  #checkTime(): void {
    if (this.#doors.clock.monotonic() <= this.#endMs) return;
    throw errors.timeout(`analysis timed out after ${this.#options.timeoutMs}ms`);
  }

  async #timed<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
    this.#checkTime();
    const before = this.#doors.clock.monotonic();
    const value = await work();
    return [value, this.#doors.clock.monotonic() - before];
  }

  async put(name: string, content: Uint8Array): Promise<AnalysedBlob> {
    const path = `${this.folder}/${name}`;
    const [, elapsedMs] = await this.#timed(() => this.#doors.files.replace(path, content));
    this.write.count++;
    this.write.bytes += content.length;
    this.write.elapsedMs += elapsedMs;
    return { path, sha256: hashOf(content) };
  }

  /** Lets this node and all others read blobs. Throws repository_verification_exception for what differs. */
  async check(blobs: readonly AnalysedBlob[]): Promise<void> {
    const [own, elapsedMs] = await this.#timed(() => readAnalysedBlobs(this.#doors.files, blobs));
    this.read.count += blobs.length;
    this.read.elapsedMs += elapsedMs;
    refuse([...own, ...(await this.#doors.others(blobs))]);
  }

  /** A size that is small more often than large, as those of the files of snapshots. */
  #size(): number {
    const { blobBytesMax, totalBytesMax, blobCount } = this.#options;
    const most = Math.max(1, Math.min(blobBytesMax, Math.floor(totalBytesMax / Math.max(1, blobCount))));
    return Math.max(1, Math.floor(most ** this.#doors.random.next()));
  }

  /** Writes blobs, some at the same time, overwrites every third, and compares all of them. */
  async blobs(): Promise<readonly AnalysedBlob[]> {
    const { blobCount, concurrency } = this.#options;
    const numbers = Array.from({ length: blobCount }, (_, i) => i);
    const written: AnalysedBlob[] = [];
    await inTurns(numbers, concurrency, async (i) => {
      const name = `blob-${i}`;
      if (i % 3 === 0) await this.put(name, this.#doors.random.bytes(this.#size()));
      const content = this.#doors.random.bytes(this.#size());
      const blob = await this.put(name, content);
      await this.check([blob]);
      this.read.bytes += content.length;
      written.push(blob);
    });
    return written;
  }

  /** Writes different contents of the same length under one name at the same time: one of them must be there whole. */
  async contended(): Promise<AnalysedBlob> {
    const contents = Array.from({ length: 4 }, () => this.#doors.random.bytes(64 << 10));
    const [first] = await Promise.all(contents.map((content) => this.put('contended', content)));
    const found = await this.#doors.files.read(first!.path);
    if (!found || !contents.some((content) => hashOf(content) === hashOf(found)))
      refuse(['blob [contended] is a mixture of contents that were written at the same time']);
    return { path: first!.path, sha256: hashOf(found!) };
  }

  async listed(blobs: readonly AnalysedBlob[]): Promise<number> {
    const [names, elapsedMs] = await this.#timed(() => this.#doors.files.list(this.folder));
    const listed = new Set(names);
    const missing = blobs.find(({ path }) => !listed.has(path.slice(this.folder.length + 1)));
    if (missing) refuse([`blob [${missing.path.slice(this.folder.length + 1)}] is not listed after it was written`]);
    return elapsedMs;
  }

  async deleted(blobs: readonly AnalysedBlob[]): Promise<number> {
    const { files } = this.#doors;
    const [half] = [blobs.slice(0, Math.ceil(blobs.length / 2))];
    const [, elapsedMs] = await this.#timed(async () => {
      for (const { path } of half) await files.remove(path);
    });
    await this.check(half.map(({ path }) => ({ path, sha256: null })));
    const [, restMs] = await this.#timed(() => files.removeFolder(this.folder));
    if ((await files.list(this.folder)).length > 0)
      refuse(['the folder of the analysis has blobs after it was deleted']);
    return elapsedMs + restMs;
  }
}

function refuse(problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw errors.repositoryVerification(`analysis failed: ${problems.slice(0, 5).join('; ')}`);
}

/**
 * Tests whether a place keeps what a repository needs: what was written is read by all nodes at once, also over an old
 * content, whole or not at all; listings are complete; what is deleted is gone. Blobs are deleted in any case. Throws
 * repository_verification_exception with what is wrong, and timeout_exception.
 */
export async function analyzeRepository(
  folder: string,
  options: AnalysisOptions,
  doors: AnalysisDoors,
): Promise<Analysis> {
  const run = new Run(`${folder}/temp-analysis-${newUuid(doors.random)}`, options, doors);
  try {
    const blobs = [...(await run.blobs()), await run.contended()];
    await run.check(blobs);
    const listingMs = await run.listed(blobs);
    const deleteMs = await run.deleted(blobs);
    return { folder: run.folder, write: run.write, read: run.read, listingMs, deleteMs };
  } catch (error) {
    await doors.files.removeFolder(run.folder).catch(() => undefined);
    throw toApiError(error);
  }
}
