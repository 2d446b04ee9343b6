import {
  type BinaryColumn,
  type BitSet,
  bitSetOver,
  type FieldLayout,
  type GeoColumn,
  type GeoPointsReader,
  type NormsReader,
  type NumberColumn,
  type OrdinalColumn,
  type PointsReader,
  type SegmentReader,
  type TermsReader,
  type VectorColumn,
} from '@shoal/segments';
import { bufferBinary, bufferGeo, bufferNumbers, bufferOrdinals } from './buffer-columns.js';
import { bufferGeoPoints, bufferNumberPoints } from './buffer-points.js';
import { bufferTerms, type VisibleTerms } from './buffer-terms.js';
import type { FieldBuffer } from './field-buffer.js';
import { growUint8 } from './grow.js';
import { findIds, type IdTable } from './id-table.js';
import { bufferVectors } from './vector-store.js';

/** Structures that a snapshot reads: the buffer's own, which only grow. */
export interface BufferContents {
  readonly id: string;
  readonly fields: ReadonlyMap<string, FieldBuffer>;
  readonly ids: IdTable;
  /** Bit set of the root documents. */
  readonly rootWords: Int32Array;
  readonly hasNested: boolean;
  readonly byteSize: number;
}

interface FieldCounts {
  readonly termCount: number;
  readonly docCount: number;
  readonly sumDocFreq: number;
  readonly sumTotalFreq: number;
}

function countsOf(fields: ReadonlyMap<string, FieldBuffer>): Map<string, FieldCounts> {
  const counts = new Map<string, FieldCounts>();
  for (const [name, f] of fields) {
    counts.set(name, {
      termCount: f.terms?.terms.length ?? 0,
      docCount: f.docCount,
      sumDocFreq: f.sumDocFreq,
      sumTotalFreq: f.sumTotalFreq,
    });
  }
  return counts;
}

function readNorms(bytes: Uint8Array): NormsReader {
  return {
    bytes,
    get: (doc) => bytes[doc]!,
    read: (docs, count, out) => {
      for (let i = 0; i < count; i++) out[i] = bytes[docs[i]!]!;
    },
  };
}

/** Reader of documents 0 … maxDoc - 1 of the buffer. It copies nothing: documents added later have larger numbers. */
class BufferSnapshot implements SegmentReader {
  readonly id: string;
  readonly maxDoc: number;
  readonly byteSize: number;
  readonly fields: readonly string[];
  readonly roots: BitSet | null;
  readonly #fields: ReadonlyMap<string, FieldBuffer>;
  readonly #counts: ReadonlyMap<string, FieldCounts>;
  readonly #ids: IdTable;
  readonly #views = new Map<string, VisibleTerms>();
  readonly #numbers = new Map<string, NumberColumn>();
  readonly #ordinals = new Map<string, OrdinalColumn>();

  constructor(contents: BufferContents, maxDoc: number) {
    this.id = contents.id;
    this.maxDoc = maxDoc;
    this.byteSize = contents.byteSize;
    this.#fields = contents.fields;
    this.#ids = contents.ids;
    this.#counts = countsOf(contents.fields);
    this.fields = [...this.#counts.keys()];
    this.roots = contents.hasNested ? bitSetOver(contents.rootWords, maxDoc) : null;
  }

  #field(name: string): FieldBuffer | null {
    return this.#counts.has(name) ? this.#fields.get(name)! : null;
  }

  #view(name: string): VisibleTerms | null {
    const known = this.#views.get(name);
    if (known !== undefined) return known;
    const store = this.#field(name)?.terms;
    if (!store) return null;
    const view: VisibleTerms = { store, limit: this.maxDoc, ...this.#counts.get(name)!, order: null, ranks: null };
    this.#views.set(name, view);
    return view;
  }

  layout(field: string): FieldLayout | null {
    return this.#field(field)?.layout ?? null;
  }

  terms(field: string): TermsReader | null {
    const layout = this.layout(field)?.terms;
    return layout ? bufferTerms(this.#view(field)!, layout) : null;
  }

  norms(field: string): NormsReader | null {
    const buffer = this.#field(field);
    if (!buffer?.layout.terms?.norms) return null;
    buffer.norms = growUint8(buffer.norms, this.maxDoc);
    return readNorms(buffer.norms);
  }

  numbers(field: string): NumberColumn | null {
    const known = this.#numbers.get(field);
    if (known !== undefined) return known;
    const buffer = this.#field(field);
    const kind = buffer?.layout.column;
    if (kind !== 'long' && kind !== 'double') return null;
    const column = bufferNumbers(kind, buffer!.numbers!, this.maxDoc);
    this.#numbers.set(field, column);
    return column;
  }

  ordinals(field: string): OrdinalColumn | null {
    const known = this.#ordinals.get(field);
    if (known !== undefined) return known;
    const store = this.#field(field)?.ordinals;
    if (!store) return null;
    const column = bufferOrdinals(store, this.#view(field)!);
    this.#ordinals.set(field, column);
    return column;
  }

  geo(field: string): GeoColumn | null {
    const buffer = this.#field(field);
    return buffer?.layout.column === 'geo' ? bufferGeo(buffer.geo!, this.maxDoc) : null;
  }

  binary(field: string): BinaryColumn | null {
    const store = this.#field(field)?.binary;
    return store ? bufferBinary(store, this.maxDoc) : null;
  }

  vectors(field: string): VectorColumn | null {
    const store = this.#field(field)?.vectors;
    return store ? bufferVectors(store, this.maxDoc) : null;
  }

  points(field: string): PointsReader | null {
    const buffer = this.#field(field);
    return buffer?.layout.points && buffer.numbers !== null ? bufferNumberPoints(buffer.numbers, this.maxDoc) : null;
  }

  geoPoints(field: string): GeoPointsReader | null {
    const buffer = this.#field(field);
    return buffer?.layout.points && buffer.geo !== null ? bufferGeoPoints(buffer.geo, this.maxDoc) : null;
  }

  findId(id: string): readonly number[] {
    return findIds(this.#ids, id, this.maxDoc);
  }

  indexedNumbers(field: string): NumberColumn | null {
    const buffer = this.#field(field);
    return buffer?.layout.column === null && buffer.layout.points
      ? bufferNumbers('double', buffer.numbers!, this.maxDoc)
      : null;
  }

  indexedPoints(field: string): GeoColumn | null {
    const buffer = this.#field(field);
    return buffer?.layout.column === null && buffer.layout.points ? bufferGeo(buffer.geo!, this.maxDoc) : null;
  }

  idHashes(into: Int32Array): void {
    into.set(this.#ids.hashes.subarray(0, this.maxDoc));
  }
}

/** Returns a reader of the first `maxDoc` documents. */
export function bufferSnapshot(contents: BufferContents, maxDoc: number): SegmentReader {
  return new BufferSnapshot(contents, maxDoc);
}
