import { ByteReader, ByteWriter } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { type GraphMeta, type QuantisedMeta, readGraphs, writeGraphs } from './graphs/graph-format.js';
import type { ColumnSummary } from './columns/window-writer.js';
import type { ColumnKind, FieldLayout, TermsLayout, VectorLayout, VectorSimilarity } from './segment-reader.js';
import type { StreamLocation } from './storage/part-writer.js';

/** Magic number, at the start of the part 'meta'. */
const MAGIC = 0x6c616f68;
/** Versions of the segment format, after the magic number: 2 has columns of vectors, 3 graphs and options of graphs. */
const VERSION = { plain: 1, vectors: 2, graphs: 3 } as const;

const COLUMN_KINDS: readonly (ColumnKind | null)[] = [null, 'long', 'double', 'ordinals', 'geo', 'binary', 'vectors'];
const ELEMENTS = ['float', 'byte'] as const;
const SIMILARITIES: readonly VectorSimilarity[] = ['none', 'l2_norm', 'cosine', 'dot_product', 'max_inner_product'];
const FLAG = { terms: 1, freqs: 2, positions: 4, norms: 8, points: 16 } as const;
const COLUMN_FLAG = { single: 1, exact: 2 } as const;
const FIELDS_MAX = 1 << 20;
/** Limit of the dimensions of a vector. */
const VECTOR_DIMS_MAX = 4096;

/** Counts and location of a field's dictionary; the frequencies are 0 if it has no postings. */
export interface DictionaryMeta {
  readonly termCount: number;
  readonly docCount: number;
  readonly sumDocFreq: number;
  readonly sumTotalFreq: number;
  readonly index: StreamLocation;
}

/** Figures of a column and location of its directory. */
export interface ColumnMeta {
  readonly summary: ColumnSummary;
  readonly directory: StreamLocation;
}

/** Place of a field's vectors in the part 'vectors'. */
export interface VectorsMeta {
  /** Chunk in which row 0 begins. */
  readonly firstChunk: number;
  /** Graphs over the rows; empty in a small segment. */
  readonly graphs: readonly GraphMeta[];
  /** Place of the rows as bytes, if the graphs compare them. */
  readonly quantised: QuantisedMeta | null;
}

/** Kind of range index and location of its directory. */
export interface PointsMeta {
  /** One of POINTS_INDEX. */
  readonly mode: number;
  readonly directory: StreamLocation;
}

/** Structures that the segment has for one field, and their locations. */
export interface FieldMeta {
  readonly layout: FieldLayout;
  readonly dictionary: DictionaryMeta | null;
  readonly norms: StreamLocation | null;
  readonly column: ColumnMeta | null;
  readonly points: PointsMeta | null;
  /** Set with a column of vectors. */
  readonly vectors: VectorsMeta | null;
}

/** Table of fields of a segment: content of the part 'meta'. */
export interface SegmentMeta {
  readonly maxDoc: number;
  readonly ids: StreamLocation;
  /** Location of the bit set of root documents; null if the segment has no nested documents. */
  readonly roots: StreamLocation | null;
  readonly fields: readonly FieldMeta[];
}

function writeLocation(out: ByteWriter, location: StreamLocation): void {
  out.varint(location.address);
  out.varint(location.length);
}

function readLocation(input: ByteReader): StreamLocation {
  return { address: input.varint(), length: input.varint() };
}

function writeOptional<T>(out: ByteWriter, value: T | null, write: (value: T) => void): void {
  out.u8(value === null ? 0 : 1);
  if (value !== null) write(value);
}

function readOptional<T>(input: ByteReader, read: () => T): T | null {
  return input.u8() === 0 ? null : read();
}

function writeVectorLayout(out: ByteWriter, { dims, element, similarity }: VectorLayout): void {
  out.varint(dims);
  out.u8(ELEMENTS.indexOf(element));
  out.u8(SIMILARITIES.indexOf(similarity));
}

/** Confidence of a graph over floats. */
const NO_CONFIDENCE = 0;

function writeGraphOptions(out: ByteWriter, { graph }: VectorLayout): void {
  out.varint(graph?.m ?? 0);
  if (graph === undefined) return;
  out.varint(graph.efConstruction);
  out.f64(graph.confidence ?? NO_CONFIDENCE);
}

function readGraphOptions(input: ByteReader, layout: VectorLayout): VectorLayout {
  const m = input.varint();
  if (m === 0) return layout;
  const efConstruction = input.varint();
  const confidence = input.f64();
  const graph = { m, efConstruction };
  return { ...layout, graph: confidence === NO_CONFIDENCE ? graph : { ...graph, confidence } };
}

function readVectorLayout(input: ByteReader, version: number): VectorLayout {
  const dims = input.varint();
  const element = ELEMENTS[input.u8()];
  const similarity = SIMILARITIES[input.u8()];
  if (dims === 0 || dims > VECTOR_DIMS_MAX || element === undefined || similarity === undefined)
    throw errors.corruption(`vectors of ${dims} dimensions have an unknown form`);
  const layout = { dims, element, similarity };
  return version >= VERSION.graphs ? readGraphOptions(input, layout) : layout;
}

function writeLayout(out: ByteWriter, { name, terms, column, points, vectors }: FieldLayout, version: number): void {
  const termFlags =
    terms === null
      ? 0
      : FLAG.terms |
        (terms.freqs ? FLAG.freqs : 0) |
        (terms.positions ? FLAG.positions : 0) |
        (terms.norms ? FLAG.norms : 0);
  out.string(name);
  out.u8(termFlags | (points ? FLAG.points : 0));
  out.u8(COLUMN_KINDS.indexOf(column));
  if (vectors === undefined) return;
  writeVectorLayout(out, vectors);
  if (version >= VERSION.graphs) writeGraphOptions(out, vectors);
}

function readTermsLayout(flags: number): TermsLayout | null {
  if ((flags & FLAG.terms) === 0) return null;
  return {
    freqs: (flags & FLAG.freqs) !== 0,
    positions: (flags & FLAG.positions) !== 0,
    norms: (flags & FLAG.norms) !== 0,
  };
}

function readLayout(input: ByteReader, version: number): FieldLayout {
  const name = input.string();
  const flags = input.u8();
  const column = COLUMN_KINDS[input.u8()];
  if (column === undefined) throw errors.corruption(`field [${name}] has a column of an unknown kind`);
  const layout = { name, terms: readTermsLayout(flags), column, points: (flags & FLAG.points) !== 0 };
  return column === 'vectors' ? { ...layout, vectors: readVectorLayout(input, version) } : layout;
}

function writeDictionary(out: ByteWriter, dictionary: DictionaryMeta): void {
  out.varint(dictionary.termCount);
  out.varint(dictionary.docCount);
  out.varint(dictionary.sumDocFreq);
  out.varint(dictionary.sumTotalFreq);
  writeLocation(out, dictionary.index);
}

function readDictionary(input: ByteReader): DictionaryMeta {
  return {
    termCount: input.varint(),
    docCount: input.varint(),
    sumDocFreq: input.varint(),
    sumTotalFreq: input.varint(),
    index: readLocation(input),
  };
}

function writeColumn(out: ByteWriter, { summary, directory }: ColumnMeta): void {
  out.varint(summary.docsWithField);
  out.varint(summary.valueCount);
  out.u8((summary.isSingleValued ? COLUMN_FLAG.single : 0) | (summary.isExact ? COLUMN_FLAG.exact : 0));
  out.f64(summary.min);
  out.f64(summary.max);
  writeLocation(out, directory);
}

function readColumn(input: ByteReader): ColumnMeta {
  const docsWithField = input.varint();
  const valueCount = input.varint();
  const flags = input.u8();
  const summary = {
    docsWithField,
    valueCount,
    isSingleValued: (flags & COLUMN_FLAG.single) !== 0,
    isExact: (flags & COLUMN_FLAG.exact) !== 0,
    min: input.f64(),
    max: input.f64(),
  };
  return { summary, directory: readLocation(input) };
}

function writeField(out: ByteWriter, field: FieldMeta, version: number): void {
  writeLayout(out, field.layout, version);
  writeOptional(out, field.dictionary, (d) => writeDictionary(out, d));
  writeOptional(out, field.norms, (n) => writeLocation(out, n));
  writeOptional(out, field.column, (c) => writeColumn(out, c));
  writeOptional(out, field.points, (p) => {
    out.u8(p.mode);
    writeLocation(out, p.directory);
  });
  if (field.vectors === null) return;
  out.varint(field.vectors.firstChunk);
  if (version >= VERSION.graphs) writeGraphs(out, field.vectors.graphs, field.vectors.quantised);
}

function readVectors(input: ByteReader, version: number): VectorsMeta {
  const firstChunk = input.varint();
  const none = { graphs: [], quantised: null };
  return { firstChunk, ...(version >= VERSION.graphs ? readGraphs(input) : none) };
}

function readField(input: ByteReader, version: number): FieldMeta {
  const layout = readLayout(input, version);
  return {
    layout,
    dictionary: readOptional(input, () => readDictionary(input)),
    norms: readOptional(input, () => readLocation(input)),
    column: readOptional(input, () => readColumn(input)),
    points: readOptional(input, () => ({ mode: input.u8(), directory: readLocation(input) })),
    vectors: layout.vectors === undefined ? null : readVectors(input, version),
  };
}

/** Returns the oldest version that can hold the fields. */
function versionOf(fields: readonly FieldMeta[]): number {
  const hasGraphs = ({ layout, vectors }: FieldMeta): boolean =>
    vectors !== null && (vectors.graphs.length > 0 || layout.vectors?.graph !== undefined);
  if (fields.some(hasGraphs)) return VERSION.graphs;
  return fields.some(({ vectors }) => vectors !== null) ? VERSION.vectors : VERSION.plain;
}

/** Encodes the part 'meta'. */
export function encodeMeta(meta: SegmentMeta): Uint8Array {
  const out = new ByteWriter(1024);
  out.u32(MAGIC);
  const version = versionOf(meta.fields);
  out.varint(version);
  out.varint(meta.maxDoc);
  writeLocation(out, meta.ids);
  writeOptional(out, meta.roots, (r) => writeLocation(out, r));
  out.varint(meta.fields.length);
  for (const field of meta.fields) writeField(out, field, version);
  return out.finish();
}

/** Decodes the part 'meta'. Throws corrupt_index_exception if it is damaged or its version is unknown. */
export function decodeMeta(bytes: Uint8Array): SegmentMeta {
  const input = new ByteReader(bytes);
  if (input.u32() !== MAGIC) throw errors.corruption('not a segment');
  const version = input.varint();
  if (version < VERSION.plain || version > VERSION.graphs)
    throw errors.corruption(`segment format version [${version}], only [1] to [${VERSION.graphs}] are known`);
  const maxDoc = input.varint();
  if (maxDoc >= 0x7fffffff) throw errors.corruption(`segment of ${maxDoc} documents`);
  const ids = readLocation(input);
  const roots = readOptional(input, () => readLocation(input));
  const count = input.varint();
  if (count > FIELDS_MAX) throw errors.corruption(`segment of ${count} fields`);
  return { maxDoc, ids, roots, fields: Array.from({ length: count }, () => readField(input, version)) };
}
