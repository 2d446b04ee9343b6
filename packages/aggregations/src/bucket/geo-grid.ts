import type { Value } from '@shoal/codec';
import { parsingAt, type SegmentView } from '@shoal/query';
import { errors } from '@shoal/errors';
import {
  EARTH_RADIUS_METERS,
  GEOTILE_ZOOM_MAX,
  geohashCell,
  geohashEncode,
  geohashText,
  geotileX,
  geotileY,
  parseDistance,
  parseGeoPoint,
} from '@shoal/values';
import { isPlainObject } from '@shoal/json';
import type { Aggregator, AggregationType, BuildSite, ReduceSite, SubAggregators } from '../aggregation-type.js';
import { type BucketTable, bucketTable } from '../collect/bucket-table.js';
import { roomForDoubles } from '../collect/growable.js';
import { mapIdsToNumbers, mapIds } from '../collect/map-ids.js';
import { groupByOwner, type OwnedBuckets } from '../collect/owned-buckets.js';
import { addPair, type BucketCounts, flushPairs, type Pairs, pairs, resetPairs } from '../collect/pairs.js';
import { selectTop } from '../collect/select-top.js';
import { type FieldReader, integerFrom, readFields, unsupported } from '../parse/body-fields.js';
import type { Reduced, ReducedBucket } from '../reduce/reduced.js';
import { docCounts } from '../source/doc-counts.js';
import { type PointSource, pointSource } from '../source/point-source.js';
import { fieldSourceFields, fieldSourceOf, type SourceRequest } from '../source/values-source.js';
import { type Box, type BoxOfCell, geohashBox, geotileBox, overlaps } from './cell-box.js';
import { keepCells, shortGeohashCells } from './geo-cells.kernel.js';

/** A division of the earth into cells. A cell is a number here and a text in answers. */
interface Grid {
  readonly name: string;
  readonly typedName: string;
  readonly defaultPrecision: number;
  readonly precision: FieldReader<number>;
  cells(lats: Float64Array, lons: Float64Array, count: number, precision: number, out: Float64Array): void;
  text(cell: number, precision: number): string;
  readonly boxOf: BoxOfCell;
}

interface GridRequest {
  readonly source: SourceRequest;
  readonly precision: number;
  readonly size: number;
  readonly shardSize: number | null;
  readonly bounds: Box | null;
}

type GridPartial = {
  readonly k: Float64Array;
  readonly c: readonly number[];
  readonly s: readonly (readonly Value[])[] | null;
};

const boundsField: FieldReader<Box> = (value, site) => {
  if (!isPlainObject(value)) throw unsupported(value, site);
  const corner = (name: string): { lat: number; lon: number } | null =>
    Object.hasOwn(value, name)
      ? parsingAt({ container: value, key: name }, () => parseGeoPoint(value[name])[0] ?? null)
      : null;
  const [topLeft, bottomRight, topRight, bottomLeft] = [
    corner('top_left'),
    corner('bottom_right'),
    corner('top_right'),
    corner('bottom_left'),
  ];
  const edge = (name: string, fallback: number | undefined): number => {
    const own = value[name];
    if (typeof own === 'number') return own;
    if (fallback === undefined) throw errors.parse('failed to parse bounding box. Conflicting definition found');
    return fallback;
  };
  return {
    top: edge('top', topLeft?.lat ?? topRight?.lat),
    left: edge('left', topLeft?.lon ?? bottomLeft?.lon),
    bottom: edge('bottom', bottomRight?.lat ?? bottomLeft?.lat),
    right: edge('right', bottomRight?.lon ?? topRight?.lon),
  };
};

/** Counts documents by cell. A document with several points in one cell counts once. */
class GridCollector implements Aggregator<GridPartial> {
  readonly #grid: Grid;
  readonly #request: GridRequest;
  readonly #build: BuildSite;
  readonly #source: PointSource;
  readonly #subs: SubAggregators;
  readonly #table: BucketTable;
  readonly #state: BucketCounts = { counts: new Int32Array(0) };
  readonly #pairs: Pairs;
  #cells: Float64Array<ArrayBuffer> = new Float64Array(0);
  #weights: Int32Array | null = null;
  #owned: OwnedBuckets | null = null;

  constructor(grid: Grid, request: GridRequest, build: BuildSite) {
    this.#grid = grid;
    this.#request = request;
    this.#build = build;
    this.#source = pointSource(build, request.source);
    this.#subs = build.subs();
    this.#table = bucketTable(build.context.charge, build.context.scratch);
    this.#pairs = pairs(build.context.scratch);
  }

  segment(view: SegmentView): void {
    this.#source.segment(view);
    this.#subs.segment(view);
    this.#weights = docCounts(view);
  }

  reserve(): void {}

  collect(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void {
    if (this.#source.isEmpty) return;
    if (!this.#source.isSingle) this.#collectMany(docs, buckets, count, scores);
    else if (scores === null && this.#request.bounds === null) this.#collectAll(docs, buckets, count);
    else this.#collectSingle(docs, buckets, count, scores);
    flushPairs(this.#pairs, this.#state, this.#table.size, this.#subs, scores !== null, this.#weights);
  }

  /** Returns the cells of the first `count` points that were read. */
  #cut(count: number): Float64Array {
    const { lats, lons } = this.#source;
    this.#cells = roomForDoubles(this.#cells, count, this.#build.context.scratch);
    this.#grid.cells(lats.values, lons.values, count, this.#request.precision, this.#cells);
    resetPairs(this.#pairs, count);
    return this.#cells;
  }

  /** Whether the cell of a point is one of those that `bounds` touches: the point itself may be outside of them. */
  #isWithin(bounds: Box, lat: number, lon: number): boolean {
    return overlaps(this.#grid.boxOf(lat, lon, this.#request.precision), bounds);
  }

  /** Collects a whole window at once: documents with one point, without scores and `bounds`. */
  #collectAll(docs: Int32Array, buckets: Int32Array | null, count: number): void {
    this.#source.read(docs, count);
    const cells = this.#cut(count);
    const list = this.#pairs;
    list.count = keepCells(docs, buckets, this.#source.lats.values, cells, count, list.docs, list.ids);
    this.#table.addAll(list.ids, cells, list.count, list.ids);
  }

  #collectSingle(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void {
    const source = this.#source;
    const { bounds } = this.#request;
    source.read(docs, count);
    const cells = this.#cut(count);
    const lats = source.lats.values;
    for (let i = 0; i < count; i++) {
      const lat = lats[i]!;
      if (lat !== lat || (bounds && !this.#isWithin(bounds, lat, source.lons.values[i]!))) continue;
      const id = this.#table.add(buckets ? buckets[i]! : 0, cells[i]!);
      addPair(this.#pairs, docs[i]!, id, scores ? scores[i]! : 0);
    }
  }

  #collectMany(docs: Int32Array, buckets: Int32Array | null, count: number, scores: Float32Array | null): void {
    const source = this.#source;
    const { bounds } = this.#request;
    source.readAll(docs, count);
    const { starts } = source.lats;
    const cells = this.#cut(starts[count]!);
    for (let i = 0; i < count; i++) {
      for (let j = starts[i]!; j < starts[i + 1]!; j++) {
        if (bounds && !this.#isWithin(bounds, source.lats.values[j]!, source.lons.values[j]!)) continue;
        if (isRepeated(cells, starts[i]!, j)) continue;
        const id = this.#table.add(buckets ? buckets[i]! : 0, cells[j]!);
        addPair(this.#pairs, docs[i]!, id, scores ? scores[i]! : 0);
      }
    }
  }

  partial(bucket: number): GridPartial {
    this.#owned ??= groupByOwner(this.#table.owners, this.#table.size);
    const { keys } = this.#table;
    const { counts } = this.#state;
    const { size, shardSize } = this.#request;
    const limit = shardSize ?? (this.#build.context.isOnlyShard ? size : Math.max(10, size));
    const ids = selectTop(this.#owned.of(bucket), limit, (a, b) => counts[b]! - counts[a]! || keys[b]! - keys[a]!);
    return {
      k: mapIdsToNumbers(ids, (id) => keys[id]!),
      c: mapIds(ids, (id) => counts[id]!),
      s: this.#subs.size > 0 ? mapIds(ids, (id) => this.#subs.partials(id)) : null,
    };
  }
}

/** Whether the cell at index `at` occurs before, from index `from` on. */
function isRepeated(cells: Float64Array, from: number, at: number): boolean {
  for (let j = from; j < at; j++) if (cells[j] === cells[at]) return true;
  return false;
}

interface MergedCell {
  readonly cell: number;
  count: number;
  readonly subs: (readonly Value[])[];
}

function reduce(
  grid: Grid,
  request: GridRequest,
  partials: readonly (GridPartial | null)[],
  site: ReduceSite,
): Reduced {
  const merged = new Map<number, MergedCell>();
  for (const partial of partials) {
    for (let i = 0; i < (partial?.k.length ?? 0); i++) {
      const cell = partial!.k[i]!;
      let one = merged.get(cell);
      if (!one) merged.set(cell, (one = { cell, count: 0, subs: [] }));
      one.count += partial!.c[i]!;
      if (partial!.s) one.subs.push(partial!.s[i]!);
    }
  }
  const best = [...merged.values()].sort((a, b) => b.count - a.count || b.cell - a.cell).slice(0, request.size);
  site.addBuckets(best.length);
  const buckets = best.map((one): ReducedBucket => {
    const key = grid.text(one.cell, request.precision);
    const bucket: ReducedBucket = {
      key,
      keyText: key,
      docCount: one.count,
      subs: site.subs(one.subs),
      head: () => ({ key, doc_count: bucket.docCount }),
    };
    return bucket;
  });
  return {
    typedName: grid.typedName,
    buckets,
    render(render) {
      return { buckets: render.list(this.buckets!) };
    },
  };
}

function gridType(grid: Grid): AggregationType<GridPartial> {
  return {
    name: grid.name,
    valueKinds: ['geopoint'],
    parse(site) {
      const fields = readFields(site.body, site, {
        ...fieldSourceFields,
        precision: grid.precision,
        size: integerFrom(1, 'size'),
        shard_size: integerFrom(1, 'shardSize'),
        bounds: boundsField,
      });
      const size = fields.size ?? 10_000;
      const request: GridRequest = {
        source: fieldSourceOf(fields, site),
        precision: fields.precision ?? grid.defaultPrecision,
        size,
        shardSize: fields.shard_size === undefined ? null : Math.max(fields.shard_size, size),
        bounds: fields.bounds ?? null,
      };
      return {
        acceptsSubs: true,
        shape: 'multi',
        // 8.12 looks at the kind of values only when it builds a geotile_grid.
        reads: [{ source: request.source, kind: grid.name === 'geotile_grid' ? 'any' : 'points' }],
        collector: (build) => new GridCollector(grid, request, build),
        reduce: (partials, reduceSite) => reduce(grid, request, partials, reduceSite),
      };
    },
  };
}

/** Returns the greatest geohash length whose cells are at most `meters` wide and high at the equator. */
function geohashLength(meters: number): number {
  const around = 2 * Math.PI * EARTH_RADIUS_METERS;
  for (let length = 1; length < 12; length++) {
    const width = around / 2 ** Math.ceil((5 * length) / 2);
    const height = around / 2 / 2 ** Math.floor((5 * length) / 2);
    if (Math.hypot(width, height) <= meters) return length;
  }
  return 12;
}

const geohashPrecision: FieldReader<number> = (value, site) => {
  if (typeof value !== 'number' && typeof value !== 'string') throw unsupported(value, site);
  if (value === '') throw errors.numberFormat('empty String');
  const number = typeof value === 'number' ? Math.trunc(value) : Number(value);
  const length = Number.isInteger(number) ? number : geohashLength(parseDistance(String(value)));
  if (length < 1 || length > 12)
    throw errors.illegalArgument(`Invalid geohash aggregation precision of ${length}. Must be between 1 and 12.`);
  return length;
};

/** `precision` of grids of map tiles. */
export const geotilePrecision: FieldReader<number> = (value, site) => {
  if (typeof value !== 'number' && typeof value !== 'string') throw unsupported(value, site);
  if (typeof value === 'string' && !/^[+-]?\d+$/.test(value)) throw errors.numberFormat(`For input string: "${value}"`);
  const zoom = Math.trunc(Number(value));
  if (!Number.isInteger(zoom) || zoom < 0 || zoom > GEOTILE_ZOOM_MAX)
    throw errors.illegalArgument(
      `Invalid geotile_grid precision of ${String(value)}. Must be between 0 and ${GEOTILE_ZOOM_MAX}.`,
    );
  return zoom;
};

/**
 * Cells of up to 10 characters are exact as integers (50 bits). Characters 11 and 12 are kept as a fraction of the
 * cell.
 */
const EXACT_LENGTH_MAX = 10;

const ALPHABET = '0123456789bcdefghjkmnpqrstuvwxyz';

function longCell(lat: number, lon: number, length: number): number {
  const head = geohashCell(lat, lon, EXACT_LENGTH_MAX);
  const tail = geohashEncode(lat, lon, length).slice(EXACT_LENGTH_MAX);
  return [...tail].reduce((cell, char, i) => cell + ALPHABET.indexOf(char) / 32 ** (i + 1), head);
}

/** Cells of geohashes. */
export const geohashGrid: AggregationType<GridPartial> = gridType({
  name: 'geohash_grid',
  typedName: 'geohash_grid',
  boxOf: geohashBox,
  defaultPrecision: 5,
  precision: geohashPrecision,
  cells(lats, lons, count, length, out) {
    if (length <= 6) return shortGeohashCells(lats, lons, count, length, out);
    for (let i = 0; i < count; i++)
      out[i] =
        length <= EXACT_LENGTH_MAX ? geohashCell(lats[i]!, lons[i]!, length) : longCell(lats[i]!, lons[i]!, length);
  },
  text(cell, length) {
    if (length <= EXACT_LENGTH_MAX) return geohashText(cell, length);
    const head = Math.floor(cell);
    return (
      geohashText(head, EXACT_LENGTH_MAX) +
      geohashText(Math.round((cell - head) * 32 ** (length - EXACT_LENGTH_MAX)), length - EXACT_LENGTH_MAX)
    );
  },
});

/** Tiles of Web Mercator maps. */
export const geotileGrid: AggregationType<GridPartial> = gridType({
  name: 'geotile_grid',
  typedName: 'geotile_grid',
  boxOf: geotileBox,
  defaultPrecision: 7,
  precision: geotilePrecision,
  cells(lats, lons, count, zoom, out) {
    const tiles = 2 ** zoom;
    for (let i = 0; i < count; i++) out[i] = geotileX(lons[i]!, zoom) * tiles + geotileY(lats[i]!, zoom);
  },
  text: (cell, zoom) => `${zoom}/${Math.floor(cell / 2 ** zoom)}/${cell % 2 ** zoom}`,
});
