import type { ParsedPart } from '@shoal/mapping';
import type { FieldLayout, SegmentReader } from '@shoal/segments';
import { bufferSnapshot } from './buffer-snapshot.js';
import { poolBytes, type SlicePool, slicePool } from './byte-slices.kernel.js';
import { addEntry, completeField, type FieldBuffer, fieldBuffer, fieldBytes } from './field-buffer.js';
import { growInt32 } from './grow.js';
import { addNumber, type NumberStore } from './value-stores.js';
import { addId, idTable, idTableBytes } from './id-table.js';

/** Members of an operation besides its document. */
export interface OperationMetadata {
  readonly id: string;
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly version: number;
}

/** In-memory index of documents that are not in a segment yet; searchable through snapshots. */
export interface IndexBuffer {
  /** Adds the parts of one document (the root last) and returns the number of the root. */
  add(parts: readonly ParsedPart[], metadata: OperationMetadata): number;
  /** Number of documents, nested ones included; also the number of the next document. */
  readonly docCount: number;
  /** Memory in use, in bytes; computed in O(fields). */
  readonly memoryBytes: number;
  /** Returns a reader of the documents so far. It copies nothing and does not show documents added later. */
  snapshot(): SegmentReader;
}

const number = (name: string, points: boolean): FieldLayout => ({ name, terms: null, column: 'long', points });

const SEQ_NO = number('_seq_no', true);
const PRIMARY_TERM = number('_primary_term', false);
const VERSION = number('_version', false);
const NESTED_PATH: FieldLayout = {
  name: '_nested_path',
  terms: { freqs: false, positions: false, norms: false },
  column: null,
  points: false,
};

class MemoryBuffer implements IndexBuffer {
  readonly #pool: SlicePool = slicePool();
  readonly #fields = new Map<string, FieldBuffer>();
  readonly #ids = idTable();
  /** Fields that wait for `completeField` at the end of the document being added. */
  readonly #pending: FieldBuffer[] = [];
  #pendingCount = 0;
  /** Columns of sequence number, primary term and version. */
  #metadata: readonly NumberStore[] | null = null;
  readonly #id: string;
  #rootWords: Int32Array = new Int32Array(0);
  #hasNested = false;
  docCount = 0;

  constructor(id: string) {
    this.#id = id;
  }

  add(parts: readonly ParsedPart[], metadata: OperationMetadata): number {
    for (let i = 0; i < parts.length - 1; i++) this.#addPart(parts[i]!);
    return this.#addRoot(parts[parts.length - 1]!, metadata);
  }

  get memoryBytes(): number {
    let bytes = poolBytes(this.#pool) + idTableBytes(this.#ids) + this.#rootWords.byteLength;
    for (const field of this.#fields.values()) bytes += fieldBytes(field);
    return bytes;
  }

  snapshot(): SegmentReader {
    this.#rootWords = growInt32(this.#rootWords, (this.docCount + 31) >>> 5);
    const contents = {
      id: this.#id,
      fields: this.#fields,
      ids: this.#ids,
      rootWords: this.#rootWords,
      hasNested: this.#hasNested,
      byteSize: this.memoryBytes,
    };
    return bufferSnapshot(contents, this.docCount);
  }

  #addPart(part: ParsedPart): void {
    const doc = this.docCount++;
    this.#addEntries(doc, part.entries);
    if (part.nestedPath !== null) {
      this.#addEntry(doc, { kind: 'terms', layout: NESTED_PATH, terms: [part.nestedPath] });
      this.#hasNested = true;
    }
    this.#completeDocument(doc);
  }

  #addRoot(part: ParsedPart, metadata: OperationMetadata): number {
    const doc = this.docCount++;
    this.#addEntries(doc, part.entries);
    this.#addMetadata(doc, metadata);
    this.#completeDocument(doc);
    return doc;
  }

  #addMetadata(doc: number, metadata: OperationMetadata): void {
    this.#metadata ??= [SEQ_NO, PRIMARY_TERM, VERSION].map((layout) => this.#newField(layout).numbers!);
    addNumber(this.#metadata[0]!, doc, metadata.seqNo);
    addNumber(this.#metadata[1]!, doc, metadata.primaryTerm);
    addNumber(this.#metadata[2]!, doc, metadata.version);
    addId(this.#ids, metadata.id, doc);
    this.#rootWords = growInt32(this.#rootWords, (doc >>> 5) + 1);
    this.#rootWords[doc >>> 5]! |= 1 << (doc & 31);
  }

  #addEntries(doc: number, entries: ParsedPart['entries']): void {
    for (let i = 0; i < entries.length; i++) this.#addEntry(doc, entries[i]!);
  }

  #addEntry(doc: number, entry: ParsedPart['entries'][number]): void {
    const field = this.#fields.get(entry.layout.name) ?? this.#newField(entry.layout);
    if (addEntry(field, doc, entry)) this.#pending[this.#pendingCount++] = field;
  }

  #newField(layout: FieldLayout): FieldBuffer {
    const field = fieldBuffer(layout, this.#pool);
    this.#fields.set(layout.name, field);
    return field;
  }

  #completeDocument(doc: number): void {
    for (let i = 0; i < this.#pendingCount; i++) completeField(this.#pending[i]!, doc);
    this.#pendingCount = 0;
  }
}

/** Returns an empty buffer. `id` is the segment id of its snapshots. */
export function createIndexBuffer(id = '_buffer'): IndexBuffer {
  return new MemoryBuffer(id);
}
