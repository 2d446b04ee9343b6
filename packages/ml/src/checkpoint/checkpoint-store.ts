import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { errors, isApiError } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { isVersionConflict, type KeptDocument, type MlDocuments } from '../documents/ml-documents.js';
import { STATE_INDEX } from '../documents/ml-indices.js';

/** Bytes of state in one document, before base64. */
const PART_BYTES = 384 * 1024;
/** Largest piece of a journal that is read back, inflated. */
const JOURNAL_BYTES_MAX = 1024 * 1024 * 1024;

/** A kept state of a job's model. */
export interface KeptGeneration {
  readonly generation: number;
  readonly parts: number;
  /** Assignment that wrote it; absent in states of earlier versions. */
  readonly writer?: number;
  /** Lengths of the pieces that it was packed in, which can be inflated one by one; absent in earlier versions. */
  readonly pieces?: readonly number[];
}

/** A generation that a model snapshot keeps, with what the job had taken from its inputs. */
export interface KeptSnapshot extends KeptGeneration {
  /** Absent in snapshots of earlier versions. */
  readonly at?: Pick<Checkpoint, 'positionMs' | 'finalizedEndMs' | 'stats'>;
}

/** Where a job is: its last state, and what it has taken from its inputs. */
export interface Checkpoint {
  readonly state: KeptGeneration | null;
  /** Number of the first piece of posted data that is not in the state. */
  readonly journal: number;
  /** End of the last window of its datafeed that is in the state, in milliseconds; null for none. */
  readonly positionMs: number | null;
  /** End of the last finished bucket, in milliseconds; null for none. */
  readonly finalizedEndMs: number | null;
  /** Statistics at that point. */
  readonly stats: JsonObject;
  /** Whether the job was closed in order: no results lie after the state. */
  readonly isClosed: boolean;
  /** Generations that model snapshots keep, by their ids. */
  readonly snapshots: Readonly<Record<string, KeptSnapshot>>;
  /** When a snapshot was made last. */
  readonly snapshotMs: number;
  /** Numbers at which owners have sealed the journal, the oldest first; absent in checkpoints of earlier versions. */
  readonly seals?: readonly number[];
}

export const firstCheckpoint: Checkpoint = {
  ...{ state: null, journal: 0, positionMs: null, finalizedEndMs: null, stats: {}, isClosed: true },
  ...{ snapshots: {}, snapshotMs: 0 },
};

/** A checkpoint with its place in the index and the assignment that wrote it. */
export interface StoredCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly allocationId: number;
  /**
   * Assignment that made the job's first checkpoint: it tells a job from a deleted one of the same id. Absent in
   * checkpoints of earlier versions.
   */
  readonly born?: number;
  readonly seqNo: number | null;
  readonly primaryTerm: number | null;
}

/** Who reads and writes a journal. */
type JournalOwner = Pick<StoredCheckpoint, 'allocationId' | 'born'>;

/** Number of the next state of a job: no state that is kept has it. */
export function nextGeneration({ state, snapshots }: Checkpoint): number {
  const kept = Object.values(snapshots).map(({ generation }) => generation);
  return Math.max(state?.generation ?? 0, ...kept) + 1;
}

const checkpointId = (job: string): string => `${job}_checkpoint`;
const partId = (job: string, { generation, writer }: Omit<KeptGeneration, 'parts'>, part: number): string =>
  `${job}_model_state_${generation}${writer === undefined ? '' : `_${writer}`}#${part}`;
const journalId = (job: string, { born }: JournalOwner, piece: number): string =>
  `${job}_journal${born === undefined ? '' : `_${born}`}#${piece}`;

/**
 * Keeps the states of jobs in documents. The checkpoint document is the commit point: it is written after the parts of
 * the state and over the checkpoint that was read. Example: n1 runs a job and is cut off; n2 gets it, claims the
 * checkpoint and goes on. The next checkpoint of n1 is refused, so that n1 ends.
 *
 * A write may come through long after its owner is gone, even after the job was deleted and another one of its id was
 * made. So parts of states have the assignment that wrote them in their ids, and pieces of the journal that of the
 * job's first checkpoint: what comes so late lands where nobody reads.
 */
export class CheckpointStore {
  readonly #documents: MlDocuments;

  constructor(documents: MlDocuments) {
    this.#documents = documents;
  }

  async load(job: string): Promise<StoredCheckpoint | null> {
    const found = await this.#documents.get(STATE_INDEX, checkpointId(job));
    if (found === null) return null;
    const { checkpoint, allocationId, born } = found.source as unknown as Omit<
      StoredCheckpoint,
      'seqNo' | 'primaryTerm'
    >;
    const { seqNo, primaryTerm } = found;
    return { checkpoint, allocationId, ...(born === undefined ? {} : { born }), seqNo, primaryTerm };
  }

  /**
   * Returns the checkpoint of a job, a first one if it never ran, and makes an assignment its only writer. Throws
   * version_conflict_engine_exception if a later assignment has it.
   */
  async claim(job: string, allocationId: number): Promise<StoredCheckpoint> {
    const found = await this.load(job);
    if (found !== null && found.allocationId > allocationId)
      throw errors.versionConflict(
        `[${checkpointId(job)}]: assignment [${allocationId}] is older than the writer [${found.allocationId}]`,
      );
    const stored = found ?? { checkpoint: firstCheckpoint, born: allocationId, seqNo: null, primaryTerm: null };
    const claimed = await this.#save(job, { ...stored, allocationId });
    await this.#removeLeft(job, claimed);
    if (found !== null) await this.#removeUncommitted(job, found);
    return claimed;
  }

  /**
   * Deletes the pieces of the journal that a node left which died after a checkpoint had them. Example: once the job is
   * reset its journal begins anew, and a piece that was left would be taken for one of it.
   */
  async #removeLeft(job: string, owner: StoredCheckpoint): Promise<void> {
    const { journal, seals = [] } = owner.checkpoint;
    let first = journal;
    while (first > 0 && (await this.#documents.get(STATE_INDEX, journalId(job, owner, first - 1))) !== null) first--;
    const kept = new Set(seals);
    // The first one first: pieces are looked for from the last one down.
    for (let piece = first; piece < journal; piece++) if (!kept.has(piece)) await this.#removePiece(job, owner, piece);
  }

  /** Deletes the parts of a state that its writer did not live to commit. */
  async #removeUncommitted(job: string, { checkpoint, allocationId }: StoredCheckpoint): Promise<void> {
    const state = { generation: nextGeneration(checkpoint), writer: allocationId };
    let parts = 0;
    while ((await this.#documents.get(STATE_INDEX, partId(job, state, parts))) !== null) parts++;
    // The last one first: what a node that dies meanwhile leaves is found again.
    while (parts-- > 0) await this.#documents.remove(STATE_INDEX, partId(job, state, parts), false);
  }

  /**
   * Writes a state (packed-state.ts) and makes it the one of the job; then deletes the state before, and the data that
   * is in it.
   */
  async commit(
    job: string,
    stored: StoredCheckpoint,
    packed: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    next: Omit<Checkpoint, 'state'>,
  ): Promise<StoredCheckpoint> {
    const before = stored.checkpoint;
    const generation = nextGeneration(before);
    const written = await this.#writeParts(job, generation, stored.allocationId, packed);
    const saved = await this.#save(job, { ...stored, checkpoint: { ...next, state: written } });
    if (before.state !== null && !isKept(before.state, next.snapshots)) await this.removeState(job, before.state);
    const kept = new Set(next.seals);
    const dropped = (before.seals ?? []).filter((piece) => piece < before.journal && !kept.has(piece));
    for (const piece of dropped) await this.#removePiece(job, stored, piece);
    for (let piece = before.journal; piece < next.journal; piece++)
      if (!kept.has(piece)) await this.#removePiece(job, stored, piece);
    return saved;
  }

  /** Makes a job begin anew: what snapshots keep stays. */
  async forget(job: string, stored: StoredCheckpoint): Promise<StoredCheckpoint> {
    const { state, snapshots, journal, snapshotMs, seals = [] } = stored.checkpoint;
    const saved = await this.change(job, stored, { ...firstCheckpoint, journal, snapshots, snapshotMs, seals });
    if (state !== null && !isKept(state, snapshots)) await this.removeState(job, state);
    return saved;
  }

  /**
   * Ends the journal of a job that goes on without what the journal holds. Example: a job is closed by force, so that
   * its last pieces are in no checkpoint, and goes back to a snapshot: the pieces must not be given to its model. A
   * seal stays: a write of an earlier owner that is still under way meets it, however late it comes.
   */
  async dropJournal(job: string, stored: StoredCheckpoint): Promise<StoredCheckpoint> {
    const { checkpoint } = stored;
    const seals = [...(checkpoint.seals ?? [])];
    let end = checkpoint.journal;
    for (let isSealed = false; !isSealed; end++) {
      isSealed = await this.sealJournal(job, stored, end);
      const found = await this.#documents.get(STATE_INDEX, journalId(job, stored, end));
      if (found?.source['data'] === '') seals.push(end);
    }
    const saved = await this.change(job, stored, { ...checkpoint, journal: end, seals });
    await this.#removeLeft(job, saved);
    return saved;
  }

  /** Forgets all states and snapshots of a job. What stays are the end of its journal and the seals of it. */
  async reset(job: string, stored: StoredCheckpoint): Promise<void> {
    const ended = await this.dropJournal(job, stored);
    const { journal, seals = [] } = ended.checkpoint;
    for (const one of statesOf(ended.checkpoint)) await this.removeState(job, one);
    await this.change(job, ended, { ...firstCheckpoint, journal, seals });
  }

  /** Changes a checkpoint without a new state. */
  async change(job: string, stored: StoredCheckpoint, next: Checkpoint): Promise<StoredCheckpoint> {
    return this.#save(job, { ...stored, checkpoint: next });
  }

  async #save(job: string, stored: StoredCheckpoint): Promise<StoredCheckpoint> {
    const { checkpoint, allocationId, born, seqNo, primaryTerm } = stored;
    const birth = born === undefined ? {} : { born };
    const source = { job_id: job, allocationId, ...birth, checkpoint } as unknown as JsonObject;
    const condition = seqNo === null ? 'new' : { seqNo, primaryTerm: primaryTerm! };
    try {
      const written = await this.#documents.put(STATE_INDEX, checkpointId(job), source, condition, false);
      return { ...stored, seqNo: written.seqNo, primaryTerm: written.primaryTerm };
    } catch (error) {
      if (!isApiError(error) || error.status !== 409) throw error;
      // The answer of an earlier write of this assignment may have been lost on its way.
      const found = await this.load(job);
      if (found === null || found.allocationId !== allocationId || seqNo === null) throw error;
      const place = { seqNo: found.seqNo!, primaryTerm: found.primaryTerm! };
      const written = await this.#documents.put(STATE_INDEX, checkpointId(job), source, place, false);
      return { ...stored, seqNo: written.seqNo, primaryTerm: written.primaryTerm };
    }
  }

  async #writeParts(
    job: string,
    generation: number,
    writer: number,
    packed: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<KeptGeneration> {
    let parts = 0;
    const pieces: number[] = [];
    for await (const bytes of partsOf(packed, pieces)) {
      const source = { job_id: job, generation, part: parts, data: bytes.toString('base64') };
      await this.#documents.put(STATE_INDEX, partId(job, { generation, writer }, parts++), source, null, false);
    }
    return { generation, parts, writer, pieces };
  }

  /**
   * The pieces of a state (packed-state.ts); that of an earlier version is one. Throws resource_not_found_exception if
   * a part of it is missing.
   */
  async *packedState(job: string, state: KeptGeneration): AsyncGenerator<Uint8Array> {
    const lengths = state.pieces ?? [Number.POSITIVE_INFINITY];
    let open: Buffer[] = [];
    let [length, next] = [0, 0];
    for await (const part of this.#partsOf(job, state)) {
      open.push(part);
      length += part.length;
      while (next < lengths.length && length >= lengths[next]!) {
        const bytes = Buffer.concat(open);
        yield bytes.subarray(0, lengths[next]);
        open = [bytes.subarray(lengths[next])];
        length -= lengths[next++]!;
      }
    }
    if (length > 0) yield Buffer.concat(open);
  }

  /** The documents of a state. */
  async *#partsOf(job: string, state: KeptGeneration): AsyncGenerator<Buffer> {
    const { generation, parts } = state;
    for (let part = 0; part < parts; part++) {
      const found = await this.#documents.get(STATE_INDEX, partId(job, state, part));
      if (found === null)
        throw errors.resourceNotFound(`part [${part}] of the model state [${generation}] of job [${job}] is missing`);
      yield Buffer.from(String(found.source['data']), 'base64');
    }
  }

  /**
   * Lets a snapshot go. Its state goes too, unless it is the state that the job goes on from. Returns the
   * checkpoint that is stored then.
   */
  async dropSnapshot(job: string, stored: StoredCheckpoint, snapshot: string): Promise<StoredCheckpoint> {
    const { [snapshot]: dropped, ...snapshots } = stored.checkpoint.snapshots;
    if (dropped === undefined) return stored;
    const saved = await this.change(job, stored, { ...stored.checkpoint, snapshots });
    if (dropped.generation !== stored.checkpoint.state?.generation) await this.removeState(job, dropped);
    return saved;
  }

  async removeState(job: string, state: KeptGeneration): Promise<void> {
    for (let part = 0; part < state.parts; part++)
      await this.#documents.remove(STATE_INDEX, partId(job, state, part), false);
  }

  /**
   * Makes a piece of posted data durable before the model sees it. Throws version_conflict_engine_exception if the
   * journal was sealed there: a later owner has read it to its end. Example: n1 runs a job, and its write hangs while
   * n2 takes the job over; the write comes through, and must not be acknowledged.
   */
  async writeJournal(job: string, owner: JournalOwner, piece: number, bytes: Uint8Array): Promise<void> {
    const { allocationId } = owner;
    const data = deflateRawSync(bytes, { level: 1 }).toString('base64');
    const source = { job_id: job, piece, allocationId, data };
    try {
      await this.#documents.put(STATE_INDEX, journalId(job, owner, piece), source, 'new', false);
    } catch (error) {
      const found = await this.#pieceOfConflict(job, owner, piece, error);
      const isOurs = found.source['data'] !== '' && Number(found.source['allocationId'] ?? 0) <= allocationId;
      if (!isOurs) throw error;
      // The answer of an earlier write was lost: the piece was not acknowledged.
      const place = { seqNo: found.seqNo!, primaryTerm: found.primaryTerm! };
      await this.#documents.put(STATE_INDEX, journalId(job, owner, piece), source, place, false);
    }
  }

  /**
   * Ends the journal at a number, so that no earlier owner of the job can add to it there. Returns false if there is a
   * piece of this number, which is to be read first.
   */
  async sealJournal(job: string, owner: JournalOwner, piece: number): Promise<boolean> {
    const source = { job_id: job, piece, allocationId: owner.allocationId, data: '' };
    try {
      await this.#documents.put(STATE_INDEX, journalId(job, owner, piece), source, 'new', false);
      return true;
    } catch (error) {
      await this.#pieceOfConflict(job, owner, piece, error);
      return false;
    }
  }

  async #pieceOfConflict(job: string, owner: JournalOwner, piece: number, error: unknown): Promise<KeptDocument> {
    const id = journalId(job, owner, piece);
    const found = isVersionConflict(error) ? await this.#documents.get(STATE_INDEX, id) : null;
    if (found === null) throw error;
    return found;
  }

  /** Returns a piece of posted data, of no bytes where the journal was sealed; null if there is none of the number. */
  async readJournal(job: string, owner: JournalOwner, piece: number): Promise<Uint8Array | null> {
    const found = await this.#documents.get(STATE_INDEX, journalId(job, owner, piece));
    if (found === null) return null;
    const data = Buffer.from(String(found.source['data']), 'base64');
    return data.length === 0 ? data : inflateRawSync(data, { maxOutputLength: JOURNAL_BYTES_MAX });
  }

  #removePiece(job: string, owner: JournalOwner, piece: number): Promise<void> {
    return this.#documents.remove(STATE_INDEX, journalId(job, owner, piece), false);
  }

  /** Deletes everything that is kept of a job. */
  async remove(job: string): Promise<void> {
    const found = await this.load(job);
    if (found === null) return;
    const { checkpoint } = found;
    for (const one of statesOf(checkpoint)) await this.removeState(job, one);
    await this.#removeUncommitted(job, found);
    await this.#removeLeft(job, found);
    let end = checkpoint.journal;
    while ((await this.#documents.get(STATE_INDEX, journalId(job, found, end))) !== null) end++;
    // The last one first: what a node that dies meanwhile leaves is found again.
    for (let piece = end - 1; piece >= checkpoint.journal; piece--) await this.#removePiece(job, found, piece);
    for (const piece of checkpoint.seals ?? []) await this.#removePiece(job, found, piece);
    await this.#documents.remove(STATE_INDEX, checkpointId(job), false);
  }
}

const statesOf = ({ snapshots, state }: Checkpoint): readonly KeptGeneration[] => [
  ...Object.values(snapshots),
  ...(state === null ? [] : [state]),
];

const isKept = ({ generation }: KeptGeneration, snapshots: Checkpoint['snapshots']): boolean =>
  Object.values(snapshots).some((one) => one.generation === generation);

/** Packed bytes in parts as documents have them: at least one. Notes the lengths of the pieces. */
async function* partsOf(
  packed: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  lengths: number[],
): AsyncGenerator<Buffer> {
  let open: Uint8Array[] = [];
  let length = 0;
  for await (const piece of packed) {
    lengths.push(piece.length);
    open.push(piece);
    length += piece.length;
    if (length < PART_BYTES) continue;
    const bytes = Buffer.concat(open);
    let at = 0;
    for (; at + PART_BYTES <= bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
    open = [bytes.subarray(at)];
    length = bytes.length - at;
  }
  if (length > 0) yield Buffer.concat(open);
}
