import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { MlDocuments } from '../documents/ml-documents.js';
import { STATE_INDEX } from '../documents/ml-indices.js';

/** Bytes of a batch in one document, before base64. */
const PART_BYTES = 384 * 1024;
/** Largest batch that is read back, inflated. */
const BATCH_BYTES_MAX = 256 * 1024 * 1024;

const partId = (id: string, batch: number, part: number): string =>
  `data_frame_analytics-${id}-training#${batch}#${part}`;

/** What an analysis has trained so far, in batches: a node that goes on with it does not train it again. */
export class TrainingStore {
  readonly #documents: MlDocuments;
  readonly #id: string;
  #batches = 0;

  constructor(documents: MlDocuments, id: string) {
    this.#documents = documents;
    this.#id = id;
  }

  /** Keeps a batch after those that were read or kept before. */
  async keep(bytes: Uint8Array): Promise<void> {
    const packed = deflateRawSync(bytes, { level: 1 });
    const parts = Math.max(1, Math.ceil(packed.length / PART_BYTES));
    // The first part names the number of parts, and is written last: a batch is whole or not there.
    for (let part = parts - 1; part >= 0; part--) {
      const data = packed.subarray(part * PART_BYTES, (part + 1) * PART_BYTES).toString('base64');
      await this.#documents.put(STATE_INDEX, partId(this.#id, this.#batches, part), { parts, data }, null, false);
    }
    this.#batches++;
  }

  /** Returns the next batch that was kept; null if there is none. */
  async next(): Promise<Uint8Array | null> {
    const pieces: Buffer[] = [];
    for (let part = 0, parts = 1; part < parts; part++) {
      const found = await this.#documents.get(STATE_INDEX, partId(this.#id, this.#batches, part));
      if (found === null) return null;
      parts = Number(found.source['parts']);
      pieces.push(Buffer.from(String(found.source['data']), 'base64'));
    }
    this.#batches++;
    return inflateRawSync(Buffer.concat(pieces), { maxOutputLength: BATCH_BYTES_MAX });
  }

  /** Forgets all batches. */
  async clear(): Promise<void> {
    for (let batch = 0; ; batch++) {
      const first = await this.#documents.get(STATE_INDEX, partId(this.#id, batch, 0));
      if (first === null) break;
      for (let part = Number(first.source['parts']) - 1; part >= 0; part--)
        await this.#documents.remove(STATE_INDEX, partId(this.#id, batch, part), false);
    }
    this.#batches = 0;
  }
}
