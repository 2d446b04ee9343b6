import type { JobRow } from './job-row.js';

/** Bytes of a document that waits and of a value of it, besides texts. */
const DOCUMENT_BYTES = 150;
const VALUE_BYTES = 40;

/** A document that waits, with its time in seconds. */
export interface LateDocument {
  readonly time: number;
  readonly row: JobRow;
}

function bytesOf({ row }: LateDocument): number {
  let bytes = DOCUMENT_BYTES;
  for (const value of Object.values(row)) bytes += VALUE_BYTES + (typeof value === 'string' ? 2 * value.length : 0);
  return bytes;
}

/** Documents of buckets that are kept open until `latency` has passed, in order of their arrival. */
export class LateDocuments {
  #documents: LateDocument[] = [];
  #bytes = 0;

  /** Estimated size in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  get documents(): readonly LateDocument[] {
    return this.#documents;
  }

  add(time: number, row: JobRow): void {
    const document = { time, row };
    this.#documents.push(document);
    this.#bytes += bytesOf(document);
  }

  /** Removes the documents before a time, and returns them in order of time. */
  takeBefore(before: number): LateDocument[] {
    const taken = this.#documents.filter(({ time }) => time < before).sort((a, b) => a.time - b.time);
    this.keepFrom(before);
    return taken;
  }

  /** Forgets the documents before a time. */
  keepFrom(from: number): void {
    this.restore(this.#documents.filter(({ time }) => time >= from));
  }

  restore(documents: readonly LateDocument[]): void {
    this.#documents = [...documents];
    this.#bytes = documents.reduce((sum, document) => sum + bytesOf(document), 0);
  }
}
