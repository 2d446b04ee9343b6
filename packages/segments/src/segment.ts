import { bitSetOver } from './bit-set.js';
import { SealedBinaryColumn } from './columns/binary-column.js';
import { SealedGeoColumn } from './columns/geo-column.js';
import { SealedNumberColumn } from './columns/number-column.js';
import { SealedOrdinalColumn } from './columns/ordinal-column.js';
import { CachedRuns } from './columns/cached-runs.js';
import { readDirectory, type WindowDirectory } from './columns/window-directory.js';
import { IdIndex } from './ids/ids.js';
import { normsReader, readNorms } from './norms/norms.js';
import { type GeoTree, readGeoTree, SealedGeoPoints } from './points/geo-points.js';
import { POINTS_INDEX } from './points/points-writer.js';
import { BlockPoints, columnPoints, readPointBlocks } from './points/sealed-points.js';
import type { PostingsSource } from './postings/postings-reader.js';
import type {
  BinaryColumn,
  BitSet,
  FieldLayout,
  GeoColumn,
  GeoPointsReader,
  NormsReader,
  NumberColumn,
  OrdinalColumn,
  PointsReader,
  SegmentReader,
  SegmentSource,
  TermsReader,
  VectorColumn,
} from './segment-reader.js';
import { decodeMeta, type FieldMeta, type SegmentMeta } from './segment-meta.js';
import { PartReader } from './storage/part-reader.js';
import type { StreamLocation } from './storage/part-writer.js';
import { Dictionary } from './terms/dictionary.js';
import { SealedTerms } from './terms/sealed-terms.js';
import { SealedVectorColumn } from './vectors/vector-column.js';
import { BLOCK_VALUES } from './values/number-block.kernel.js';

const PLANES = { long: 1, double: 1, ordinals: 1, geo: 2, binary: 2, vectors: 1 } as const;

/** Number of the next column of vectors that is opened. */
let nextVectorNumber = 0;

/**
 * Reader of a sealed segment. Opening reads only the table of fields; sparse indexes, directories and norms are read
 * when a field is first used, and kept. Each call for a column makes a new reader with a position of its own, to be
 * held for one request. Decoded blocks outlive it if the source's cache takes them.
 */
class SealedSegment implements SegmentReader {
  readonly id: string;
  readonly maxDoc: number;
  readonly byteSize: number;
  readonly fields: readonly string[];
  readonly #source: SegmentSource;
  readonly #meta: SegmentMeta;
  readonly #fields = new Map<string, FieldMeta>();
  readonly #parts = new Map<string, PartReader>();
  readonly #dictionaries = new Map<string, Dictionary>();
  readonly #terms = new Map<string, SealedTerms>();
  readonly #norms = new Map<string, Uint8Array>();
  readonly #directories = new Map<string, WindowDirectory>();
  readonly #pointBlocks = new Map<string, ReturnType<typeof readPointBlocks>>();
  readonly #geoTrees = new Map<string, GeoTree>();
  readonly #numberRuns = new Map<string, CachedRuns<Float64Array<ArrayBuffer>>>();
  readonly #ordinalRuns = new Map<string, CachedRuns<Int32Array<ArrayBuffer>>>();
  readonly #rowDocs = new Map<string, Int32Array>();
  readonly #vectorNumbers = new Map<string, number>();
  readonly #scratch = new Int32Array(BLOCK_VALUES);
  #roots: BitSet | null = null;
  #ids: IdIndex | null = null;

  constructor(source: SegmentSource) {
    this.id = source.id;
    this.byteSize = source.byteSize;
    this.#source = source;
    this.#meta = decodeMeta(this.#part('meta').all());
    this.maxDoc = this.#meta.maxDoc;
    for (const field of this.#meta.fields) this.#fields.set(field.layout.name, field);
    this.fields = [...this.#fields.keys()];
  }

  get roots(): BitSet | null {
    if (this.#meta.roots !== null && this.#roots === null) {
      const bytes = this.#index(this.#meta.roots);
      const words = new Int32Array((this.maxDoc + 31) >>> 5);
      new Uint8Array(words.buffer).set(bytes.subarray(0, words.byteLength));
      this.#roots = bitSetOver(words, this.maxDoc);
    }
    return this.#roots;
  }

  layout(field: string): FieldLayout | null {
    return this.#fields.get(field)?.layout ?? null;
  }

  terms(field: string): TermsReader | null {
    const known = this.#terms.get(field);
    if (known !== undefined) return known;
    const meta = this.#fields.get(field);
    if (!meta?.layout.terms || meta.dictionary === null) return null;
    const source: PostingsSource = {
      layout: meta.layout.terms,
      postings: this.#part('postings'),
      positions: this.#part('positions'),
      skips: this.#part('skips'),
      norms: () => this.#normBytes(field),
    };
    const terms = new SealedTerms(this.#dictionary(meta), meta.dictionary, source);
    this.#terms.set(field, terms);
    return terms;
  }

  norms(field: string): NormsReader | null {
    const bytes = this.#normBytes(field);
    return bytes === null ? null : normsReader(bytes);
  }

  numbers(field: string): NumberColumn | null {
    const meta = this.#fields.get(field);
    const kind = meta?.layout.column;
    return (kind === 'long' || kind === 'double') && meta?.column ? this.#numberColumn(meta, kind) : null;
  }

  docsWithNumbers(field: string): number {
    const meta = this.#fields.get(field);
    const kind = meta?.layout.column;
    return kind === 'long' || kind === 'double' ? (meta?.column?.summary.docsWithField ?? 0) : 0;
  }

  indexedNumbers(field: string): NumberColumn | null {
    const meta = this.#fields.get(field);
    return meta?.layout.column === null && meta.points !== null && meta.points.mode !== POINTS_INDEX.geo
      ? this.#numberColumn(meta, 'double')
      : null;
  }

  indexedPoints(field: string): GeoColumn | null {
    const meta = this.#fields.get(field);
    return meta?.layout.column === null && meta.points?.mode === POINTS_INDEX.geo ? this.#geoColumn(meta) : null;
  }

  ordinals(field: string): OrdinalColumn | null {
    const meta = this.#fields.get(field);
    if (meta?.layout.column !== 'ordinals' || meta.column === null) return null;
    return new SealedOrdinalColumn(
      meta.column.summary,
      this.#directory(meta),
      this.#part('columns'),
      this.maxDoc,
      this.#dictionary(meta),
      this.#keptOrdinals(field),
    );
  }

  geo(field: string): GeoColumn | null {
    const meta = this.#fields.get(field);
    return meta?.layout.column === 'geo' && meta.column !== null ? this.#geoColumn(meta) : null;
  }

  binary(field: string): BinaryColumn | null {
    const meta = this.#fields.get(field);
    if (meta?.layout.column !== 'binary' || meta.column === null) return null;
    return new SealedBinaryColumn(
      meta.column.summary,
      this.#directory(meta),
      this.#part('columns'),
      this.#part('binary'),
      this.maxDoc,
      this.#scratch,
      this.#keptNumbers(field),
    );
  }

  vectors(field: string): VectorColumn | null {
    const meta = this.#fields.get(field);
    if (!meta?.vectors || !meta.layout.vectors || meta.column === null) return null;
    return new SealedVectorColumn(
      this.#kept(this.#vectorNumbers, field, () => nextVectorNumber++),
      meta.layout.vectors,
      meta.column.summary,
      this.#directory(meta),
      this.#part('columns'),
      { meta: meta.vectors, part: (name) => this.#part(name) },
      this.maxDoc,
      (read) => this.#kept(this.#rowDocs, field, read),
    );
  }

  points(field: string): PointsReader | null {
    const meta = this.#fields.get(field);
    const points = meta?.points;
    if (!points || points.mode === POINTS_INDEX.geo) return null;
    const column = this.#numberColumn(meta, 'double');
    if (points.mode === POINTS_INDEX.column) return columnPoints(column, this.maxDoc);
    const blocks = this.#kept(this.#pointBlocks, field, () => readPointBlocks(this.#index(points.directory)));
    return new BlockPoints(blocks, this.#part('points'), column, this.maxDoc);
  }

  geoPoints(field: string): GeoPointsReader | null {
    const points = this.#fields.get(field)?.points;
    if (points?.mode !== POINTS_INDEX.geo) return null;
    const tree = this.#kept(this.#geoTrees, field, () => readGeoTree(this.#index(points.directory)));
    return new SealedGeoPoints(tree, this.#part('points'), this.maxDoc, this.#scratch);
  }

  findId(id: string): readonly number[] {
    return this.#idIndex().find(id);
  }

  idHashes(into: Int32Array): void {
    this.#idIndex().readHashes(into);
  }

  #idIndex(): IdIndex {
    this.#ids ??= new IdIndex(this.#part('ids'), this.#index(this.#meta.ids), this.maxDoc);
    return this.#ids;
  }

  #numberColumn(meta: FieldMeta, kind: 'long' | 'double'): SealedNumberColumn {
    return new SealedNumberColumn(
      kind,
      meta.column!.summary,
      this.#directory(meta),
      this.#part('columns'),
      this.maxDoc,
      this.#scratch,
      this.#keptNumbers(meta.layout.name),
    );
  }

  #geoColumn(meta: FieldMeta): SealedGeoColumn {
    return new SealedGeoColumn(
      meta.column!.summary,
      this.#directory(meta),
      this.#part('columns'),
      this.maxDoc,
      this.#scratch,
      this.#keptNumbers(meta.layout.name),
    );
  }

  #keptNumbers(field: string): CachedRuns<Float64Array<ArrayBuffer>> {
    return this.#kept(this.#numberRuns, field, () => new CachedRuns(this.#source.decodedRuns ?? null));
  }

  #keptOrdinals(field: string): CachedRuns<Int32Array<ArrayBuffer>> {
    return this.#kept(this.#ordinalRuns, field, () => new CachedRuns(this.#source.decodedRuns ?? null));
  }

  #part(name: string): PartReader {
    return this.#kept(this.#parts, name, () => new PartReader(this.#source, name));
  }

  #index(location: StreamLocation): Uint8Array {
    return this.#part('index').stream(location);
  }

  #dictionary(meta: FieldMeta): Dictionary {
    const { termCount, index } = meta.dictionary!;
    return this.#kept(
      this.#dictionaries,
      meta.layout.name,
      () => new Dictionary(termCount, this.#part('terms'), () => this.#index(index)),
    );
  }

  #directory(meta: FieldMeta): WindowDirectory {
    const kind = meta.layout.column ?? (meta.points?.mode === POINTS_INDEX.geo ? 'geo' : 'double');
    const hasBounds = kind === 'long' || kind === 'double';
    return this.#kept(this.#directories, meta.layout.name, () =>
      readDirectory(this.#index(meta.column!.directory), this.maxDoc, PLANES[kind], hasBounds),
    );
  }

  #normBytes(field: string): Uint8Array | null {
    const location = this.#fields.get(field)?.norms;
    if (!location) return null;
    return this.#kept(this.#norms, field, () => readNorms(this.#part('norms'), this.#index(location), this.maxDoc));
  }

  #kept<T>(cache: Map<string, T>, key: string, make: () => T): T {
    const known = cache.get(key);
    if (known !== undefined) return known;
    const made = make();
    cache.set(key, made);
    return made;
  }
}

/**
 * Opens a sealed segment by reading its table of fields. Throws corrupt_index_exception if the table is damaged or its
 * version unknown.
 */
export function openSegment(source: SegmentSource): SegmentReader {
  return new SealedSegment(source);
}
