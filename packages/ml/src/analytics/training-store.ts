import { gunzipSync, gzipSync } from 'node:zlib';
import type { JsonObject } from '@shoal/json';
import { isVersionConflict, type KeptDocument, type MlDocuments } from '../documents/ml-documents.js';
import { STATE_INDEX } from '../documents/ml-indices.js';

/** Bytes of a batch in one document, before base64. */
const PART_BYTES = 384 * 1024;
/** Largest batch that is read back, inflated. */
const BATCH_BYTES_MAX = 256 * 1024 * 1024;
/** Parts of a batch at most: what does not get smaller gets hardly larger. */
const PARTS_MAX = BATCH_BYTES_MAX / PART_BYTES + 2;

/** Times that a document is written that others change. */
const WRITES_MAX = 5;

const partId = (id: string, batch: number, part: number): string =>
  `data_frame_analytics-${id}-training#${batch}#${part}`;

type Documents = Pick<MlDocuments, 'get' | 'put' | 'remove'>;

/** A run of an analysis on a node. */
export interface TrainingRun {
  /** Time at which the analysis began, in milliseconds: that of all its runs. */
  readonly startedMs: number;
  /** Later runs have higher ones. */
  readonly allocationId: number;
}

/**
 * What an analysis has trained so far, in batches: a node that goes on with it does not train it again. A batch names
 * its run: what a node still writes that no longer does the analysis is refused, or is not read.
 */
export class TrainingStore {
  readonly #documents: Documents;
  readonly #id: string;
  readonly #run: TrainingRun;
  readonly #signal: AbortSignal;
  #batches = 0;
  /** Allocation of the last batch that was taken: no earlier one follows it. */
  #allocationId = 0;
  /** Allocation of the batch that was returned last. */
  #nextAllocationId = 0;

  constructor(documents: Documents, id: string, run: TrainingRun, signal: AbortSignal) {
    this.#documents = documents;
    this.#id = id;
    this.#run = run;
    this.#signal = signal;
  }

  /**
   * Keeps a batch after those that were taken or kept before; also what was trained until the signal, which is then the
   * last. Returns false if a later run has kept a batch there.
   */
  async keep(bytes: Uint8Array): Promise<boolean> {
    const packed = gzipSync(bytes, { level: 1 });
    const parts = Math.max(1, Math.ceil(packed.length / PART_BYTES));
    // The first part names the number of parts, and is written last: a batch is whole or not there.
    for (let part = parts - 1; part >= 0; part--) {
      const data = packed.subarray(part * PART_BYTES, (part + 1) * PART_BYTES).toString('base64');
      if (!(await this.#write(partId(this.#id, this.#batches, part), { ...this.#run, parts, data }))) return false;
    }
    this.#batches++;
    this.#allocationId = this.#run.allocationId;
    return true;
  }

  async #write(id: string, source: JsonObject): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      const known = await this.#documents.get(STATE_INDEX, id);
      if (known !== null && isLater(known, this.#run)) return false;
      try {
        await this.#documents.put(STATE_INDEX, id, source, known ?? 'new', false);
        return true;
      } catch (error) {
        // Another run has written meanwhile: whether it is a later one is seen there.
        if (!isVersionConflict(error) || attempt >= WRITES_MAX) throw error;
      }
    }
  }

  /** Returns the batch after those that were taken; null if there is none of this analysis, or it is damaged. */
  async next(): Promise<Uint8Array | null> {
    const pieces: Buffer[] = [];
    let allocationId: number | null = null;
    for (let part = 0, parts = 1; part < parts; part++) {
      const found = await this.#documents.get(STATE_INDEX, partId(this.#id, this.#batches, part));
      if (found === null || !this.#isReadable(found.source)) return null;
      const own = Number(found.source['allocationId']);
      allocationId ??= own;
      if (own !== allocationId) return null;
      parts = Number(found.source['parts']);
      pieces.push(Buffer.from(String(found.source['data']), 'base64'));
    }
    this.#nextAllocationId = allocationId!;
    try {
      return gunzipSync(Buffer.concat(pieces), { maxOutputLength: BATCH_BYTES_MAX });
    } catch {
      return null;
    }
  }

  #isReadable({ startedMs, allocationId, parts }: JsonObject): boolean {
    const own = Number(allocationId);
    const isOfRun = startedMs === this.#run.startedMs && own >= this.#allocationId && own <= this.#run.allocationId;
    return isOfRun && Number.isInteger(parts) && Number(parts) > 0 && Number(parts) <= PARTS_MAX;
  }

  /** Counts the batch that `next` has returned as taken: the following one is next. */
  take(): void {
    this.#batches++;
    this.#allocationId = this.#nextAllocationId;
  }

  /** Forgets all batches, but for those of a later run; none once the signal has aborted. */
  async clear(): Promise<void> {
    if (this.#signal.aborted) return;
    await removeTraining(this.#documents, this.#id, this.#run, this.#signal);
    this.#batches = 0;
    this.#allocationId = 0;
  }
}

/** A batch of a later run is not this one's to change; one of another start, of a restored cluster for one, is. */
const isLater = ({ source }: KeptDocument, { startedMs, allocationId }: TrainingRun): boolean =>
  source['startedMs'] === startedMs && Number(source['allocationId'] ?? 0) > allocationId;

/**
 * Deletes what an analysis has trained, until the signal aborts; with a run, what later ones have kept stays. The last
 * batch goes first: a node that dies meanwhile leaves batches that are found from the first one on.
 */
export async function removeTraining(
  documents: Documents,
  id: string,
  run: TrainingRun | null,
  signal: AbortSignal,
): Promise<void> {
  const parts: number[] = [];
  for (;;) {
    const first = await documents.get(STATE_INDEX, partId(id, parts.length, 0));
    if (first === null || (run !== null && isLater(first, run))) break;
    parts.push(Math.min(PARTS_MAX, Number(first.source['parts']) || 1));
  }
  for (let batch = parts.length - 1; batch >= 0; batch--)
    for (let part = parts[batch]! - 1; part >= 0; part--) {
      if (signal.aborted) return;
      await documents.remove(STATE_INDEX, partId(id, batch, part), false);
    }
}
