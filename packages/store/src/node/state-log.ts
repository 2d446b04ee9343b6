import { type Files, isSpaceError, type Log, type OpenFile } from '@shoal/doors';
import { type ApiError, errors } from '@shoal/errors';
import { openStateSeal, type StateSeal } from './node-id-file.js';
import {
  encodeStateRecord,
  FIRST_STATE_LINK,
  linkAt,
  nextStateLink,
  OWNER,
  readStateMirror,
  type StateMirror,
  type StateRecord,
} from './state-mirror.js';
import { openStateWitness, type StateWitness, type StateWitnessFile } from './state-witness.js';

/** Durable log of a node's cluster state and votes: two mirrored append-only files, and a witness of their end. */
export interface StateLog {
  /** Records found at open, oldest first. */
  readonly records: readonly StateRecord[];
  /** Appends records; resolves once they are synced in both mirrors. Appends run in order. */
  append(records: readonly StateRecord[]): Promise<void>;
  /** Replaces the whole log by these records; after a crash the old or the new log is there. */
  compact(records: readonly StateRecord[]): Promise<void>;
  /** Bytes of one mirror, by which the caller decides when to compact. */
  sizeInBytes(): number;
  close(): Promise<void>;
}

/** Effects of a state log, and the node that it belongs to. */
export interface StateLogDoors {
  readonly files: Files;
  readonly log: Log;
  readonly nodeId: string;
}

const MIRRORS = ['state-a', 'state-b'] as const;
const NO_BYTES = new Uint8Array(0);

const WHAT_TO_DO =
  'restore them from a copy of this folder, or, if other nodes of the cluster hold its shards, move the folder away ' +
  'and start an empty node, which gets them from there; keep the old folder: documents are in its [indices], which ' +
  'a stopped node takes over with [index-metadata] (GET /_dangling, docs/operations.md)';

/** Error for a log that cannot be continued: says which files are concerned, and what an operator can do. */
const refusal = (paths: readonly string[], reason: string): ApiError =>
  errors.corruption(`the state log ${paths.map((path) => `[${path}]`).join(' and ')} ${reason}: ${WHAT_TO_DO}`);

/** Returns the node that wrote the log; undefined for logs of earlier builds, which name no owner. */
function ownerOf(mirror: StateMirror): string | undefined {
  const owner = mirror.records.findLast(({ kind }) => kind === OWNER);
  return owner && Buffer.from(owner.payload).toString('utf8');
}

/** Returns why a mirror is not this node's log, or not the log that the witness saw; null if it is. */
function contradiction(mirror: StateMirror, witness: StateWitness, nodeId: string): string | null {
  const owner = ownerOf(mirror) ?? nodeId;
  if (owner !== nodeId) return `belongs to node [${owner}]`;
  const first = mirror.records[0]?.index;
  const last = mirror.records.at(-1)?.index;
  if (first === undefined || last === undefined || last < witness.index)
    return `ends at record [${last ?? 'none'}], but record [${witness.index}] was synced`;
  // A compaction, after which the power was lost before the witness was synced.
  if (first > witness.index) return null;
  if (Buffer.compare(linkAt(mirror, witness.index), witness.link) === 0) return null;
  return `differs from what was synced up to record [${witness.index}]`;
}

/**
 * Chooses the mirror with more valid bytes. The valid bytes that both have must be equal, except after a compaction.
 */
function chooseMirror(a: StateMirror, b: StateMirror): StateMirror {
  const paths = [a.path, b.path];
  if (a.isDamaged && b.isDamaged) throw refusal(paths, 'is damaged in the middle of both files');
  const [longer, shorter] = a.validBytes >= b.validBytes ? [a, b] : [b, a];
  const common = shorter.validBytes;
  const isSame = Buffer.compare(longer.bytes.subarray(0, common), shorter.bytes.subarray(0, common)) === 0;
  if (!isSame) return newerGeneration(a, b);
  return longer;
}

/**
 * Chooses the mirror with the newer content after a compaction that replaced only one of them: the files then differ
 * from the first record on, and the newer file has higher indexes.
 */
function newerGeneration(a: StateMirror, b: StateMirror): StateMirror {
  const lastOf = (mirror: StateMirror): number => mirror.records.at(-1)?.index ?? -1;
  const firstOf = (mirror: StateMirror): number => mirror.records[0]?.index ?? -1;
  if (firstOf(a) === firstOf(b)) throw refusal([a.path, b.path], 'has files that contradict each other');
  return lastOf(a) >= lastOf(b) ? a : b;
}

/** Chooses the mirror that holds all that the witness saw. */
function chooseWitnessed(a: StateMirror, b: StateMirror, witness: StateWitness, nodeId: string): StateMirror {
  const reasons = [a, b].map((mirror) => contradiction(mirror, witness, nodeId));
  if (reasons[0] === null && reasons[1] === null) return chooseMirror(a, b);
  if (reasons[0] === null) return a;
  if (reasons[1] === null) return b;
  throw refusal([a.path, b.path], `is not whole (the first file ${reasons[0]}; the second file ${reasons[1]})`);
}

const isWhole = (mirror: StateMirror): boolean =>
  mirror.records.length > 0 && mirror.validBytes === mirror.bytes.length;

/**
 * Chooses the mirror of a log whose witness is lost although the node had one: only if the files are whole and equal,
 * because the witness alone tells a tail that was torn from one that was cut off.
 */
function chooseWithoutWitness(a: StateMirror, b: StateMirror, witnessPath: string): StateMirror {
  if (isWhole(a) && isWhole(b) && Buffer.compare(a.bytes, b.bytes) === 0) return a;
  throw refusal([a.path, b.path], `is not whole, and its witness [${witnessPath}] is lost`);
}

/** Throws if the log is that of another node. */
function checkOwner(mirror: StateMirror, nodeId: string): void {
  const owner = ownerOf(mirror) ?? nodeId;
  if (owner !== nodeId) throw refusal([mirror.path], `belongs to node [${owner}], and [node.id] names [${nodeId}]`);
}

/**
 * Whether all records found are known to be on disk: they are as soon as the witness saw the last one. Others may be in
 * the page cache only. Node A writes record 11, and its process dies before the sync, or because the sync failed; A
 * starts again and finds record 11, which the next loss of power would take away with the vote that it holds.
 */
const isDurable = (chosen: StateMirror, witness: StateWitness | null): boolean =>
  chosen.records.length === 0 || (witness !== null && chosen.records.at(-1)!.index <= witness.index);

/**
 * Opens a mirror with the content of the chosen one, on disk. A failed sync marks pages as written on Linux, so that a
 * later sync of the same file proves nothing: the content is written again, to a new file. Without space for one, a
 * sync of the present file is the best there is.
 */
async function openMirror(files: Files, path: string, chosen: StateMirror, durable: boolean): Promise<OpenFile> {
  const file = await files.open(path);
  const content = chosen.bytes.subarray(0, chosen.validBytes);
  const isSame = file.size() === content.length && Buffer.compare(file.readAt(0, content.length), content) === 0;
  if (isSame && durable) return file;
  try {
    await files.replace(path, content);
  } catch (error) {
    if (!isSame || !isSpaceError(error)) throw error;
    await file.sync();
    return file;
  }
  file.close();
  return files.open(path);
}

/** A write has failed, and the log is as it was before. */
class NothingWritten extends Error {}

/** Writes to all files, or truncates all to their old length: after a full disk the log can be written again. */
function writeOrCut(files: readonly OpenFile[], at: number, bytes: Uint8Array): void {
  try {
    for (const file of files) file.writeAt(at, bytes);
  } catch (error) {
    for (const file of files) if (file.size() > at) file.truncate(at);
    throw new NothingWritten((error as Error).message);
  }
}

/**
 * Opens the state log of the node's folder. Cuts a tail that was torn before anybody learned of it, and repairs one
 * mirror from the other. Throws corrupt_index_exception if records are missing that were synced, if both mirrors are
 * damaged, or if they are another node's: a vote could be forgotten, and indices would seem never to have existed.
 */
export async function openStateLog(folder: string, { files, log, nodeId }: StateLogDoors): Promise<StateLog> {
  const paths = MIRRORS.map((name) => `${folder}/state/${name}`);
  const witnessPath = `${folder}/state.witness`;
  const [seal, witness] = await Promise.all([
    openStateSeal(files, `${folder}/node.id`, nodeId),
    openStateWitness(files, witnessPath),
  ]);
  const [a, b] = await Promise.all(
    paths.map(async (path) => readStateMirror(path, (await files.read(path)) ?? NO_BYTES)),
  );
  const chosen = await choose(a!, b!, { files, folder, nodeId, seal, witness, witnessPath });
  checkOwner(chosen, nodeId);
  const isRepaired = [a!, b!].some(({ bytes }) => Buffer.compare(bytes, chosen.bytes) !== 0);
  if (isRepaired || (seal.isSealed && witness.found === null))
    log.write('warn', 'the files of the state log are not as they were left, and are repaired', {
      path: folder,
      records: chosen.records.length,
    });
  const durable = isDurable(chosen, witness.found);
  const mirrors = await Promise.all(paths.map((path) => openMirror(files, path, chosen, durable)));
  const writer = new LogWriter({ files, log, nodeId, paths, mirrors, seal, witness }, chosen);
  if (chosen.records.length > 0) await writer.adopt();
  return writer;
}

interface FoundLog {
  readonly files: Files;
  readonly folder: string;
  readonly nodeId: string;
  readonly seal: StateSeal;
  readonly witness: StateWitnessFile;
  readonly witnessPath: string;
}

async function choose(a: StateMirror, b: StateMirror, found: FoundLog): Promise<StateMirror> {
  const { files, folder, nodeId, seal, witness, witnessPath } = found;
  if (witness.found !== null) return chooseWitnessed(a, b, witness.found, nodeId);
  if (seal.isSealed) return chooseWithoutWitness(a, b, witnessPath);
  const chosen = chooseMirror(a, b);
  // A first start that was interrupted, or the folder of an earlier build: there shards prove that a state existed.
  if (chosen.records.length === 0 && (await files.list(`${folder}/indices`)).length > 0)
    throw refusal([a.path, b.path], 'is empty, but there are shards beside it');
  return chosen;
}

interface WriterParts extends StateLogDoors {
  readonly paths: readonly string[];
  readonly mirrors: OpenFile[];
  readonly seal: StateSeal;
  readonly witness: StateWitnessFile;
}

class LogWriter implements StateLog {
  readonly records: readonly StateRecord[];
  readonly #parts: WriterParts;
  readonly #owner: StateRecord;
  #hasOwner: boolean;
  #size: number;
  #nextIndex: number;
  /** Link after the last record. */
  #link: Uint8Array;
  #failure: unknown;
  #last: Promise<void> = Promise.resolve();

  constructor(parts: WriterParts, chosen: StateMirror) {
    this.#parts = parts;
    this.#owner = { kind: OWNER, payload: Buffer.from(parts.nodeId) };
    this.records = chosen.records.filter(({ kind }) => kind !== OWNER);
    this.#hasOwner = chosen.records.length > this.records.length;
    this.#size = chosen.validBytes;
    const lastIndex = chosen.records.at(-1)?.index ?? -1;
    this.#nextIndex = lastIndex + 1;
    this.#link = linkAt(chosen, lastIndex);
  }

  /** Witnesses the records found, and names the owner of a log of an earlier build; not while the disk is full. */
  async adopt(): Promise<void> {
    try {
      await this.#inOrder(() => (this.#hasOwner ? this.#witness() : this.#append([])));
    } catch (error) {
      if (!isSpaceError(error)) throw error;
    }
  }

  append(records: readonly StateRecord[]): Promise<void> {
    return this.#inOrder(() => this.#append(records));
  }

  async #append(records: readonly StateRecord[]): Promise<void> {
    const { mirrors } = this.#parts;
    const added = (this.#hasOwner ? records : [this.#owner, ...records]).map((record, i) =>
      encodeStateRecord(this.#nextIndex + i, record),
    );
    const bytes = Buffer.concat(added);
    writeOrCut(mirrors, this.#size, bytes);
    this.#hasOwner = true;
    this.#nextIndex += added.length;
    await Promise.all(mirrors.map((file) => file.sync()));
    this.#size += bytes.length;
    this.#link = added.reduce(nextStateLink, this.#link);
    await this.#witness();
  }

  compact(records: readonly StateRecord[]): Promise<void> {
    return this.#inOrder(async () => {
      const { files, paths, mirrors } = this.#parts;
      const written = [this.#owner, ...records].map((record, i) => encodeStateRecord(this.#nextIndex + i, record));
      const bytes = Buffer.concat(written);
      this.#nextIndex += written.length;
      for (const [i, path] of paths.entries()) {
        await files.replace(path, bytes);
        mirrors[i]!.close();
        mirrors[i] = await files.open(path);
      }
      this.#size = bytes.length;
      this.#link = written.reduce(nextStateLink, FIRST_STATE_LINK);
      await this.#witness();
    });
  }

  sizeInBytes(): number {
    return this.#size;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#parts.witness.close();
    for (const file of this.#parts.mirrors.splice(0)) file.close();
  }

  /**
   * Tells the witness of the last record, which is synced, before the caller learns of it. The first time the witness
   * is synced too, and `node.id` is sealed: from then on a folder without records or witness is known to be damaged.
   */
  async #witness(): Promise<void> {
    const { witness, seal, log } = this.#parts;
    witness.write({ index: this.#nextIndex - 1, link: this.#link });
    if (seal.isSealed) return;
    await witness.sync();
    // The seal needs space for a new file. Without space the node goes on, and the next record tries again.
    await seal.seal().catch((error: unknown) => {
      log.write('warn', 'node.id could not be written; it will be with the next cluster state', { error });
    });
  }

  #inOrder(work: () => Promise<void>): Promise<void> {
    const run = this.#last.then(async () => {
      if (this.#failure !== undefined) throw this.#failure;
      try {
        await work();
      } catch (error) {
        const failed = errors.ioError(`state log could not be written: ${(error as Error).message}`);
        // After a failed sync the content of the files is unknown, so the log refuses further writes.
        if (!(error instanceof NothingWritten)) this.#failure = failed;
        throw failed;
      }
    });
    this.#last = run.catch(() => undefined);
    return run;
  }
}
