import type { Scratch, SegmentView } from '@shoal/query';
import { type GeoColumn, latDegrees, lonDegrees, type MultiNumbers, quantiseLat, quantiseLon } from '@shoal/segments';
import type { BuildSite } from '../aggregation-type.js';
import { roomForDoubles } from '../collect/growable.js';
import { pointOf } from './missing-point.js';
import { resolveField, type SourceRequest } from './values-source.js';

/** Reads the points of one field into `lats` and `lons`. `readAll` gives both the same `starts`. */
export interface PointSource {
  segment(view: SegmentView): void;
  readonly isEmpty: boolean;
  /** Whether each document of the segment has at most one point, `missing` included: `read` then reads all points. */
  readonly isSingle: boolean;
  /** Writes the first point of each document to the values of `lats` and `lons`, NaN for none. */
  read(docs: Int32Array, count: number): void;
  readAll(docs: Int32Array, count: number): void;
  readonly lats: MultiNumbers;
  readonly lons: MultiNumbers;
}

interface LatLon {
  readonly lat: number;
  readonly lon: number;
}

function withMissing(multi: MultiNumbers, count: number, missing: number): MultiNumbers {
  const starts = new Int32Array(count + 1);
  const values: number[] = [];
  for (let i = 0; i < count; i++) {
    const [from, to] = [multi.starts[i]!, multi.starts[i + 1]!];
    if (from === to) values.push(missing);
    for (let j = from; j < to; j++) values.push(multi.values[j]!);
    starts[i + 1] = values.length;
  }
  return { starts, values: Float64Array.from(values) };
}

const NO_NUMBERS = new Float64Array(0);

class ColumnPoints implements PointSource {
  readonly #field: string | null;
  readonly #missing: LatLon | null;
  readonly #scratch: Scratch | undefined;
  #column: GeoColumn | null = null;
  lats: MultiNumbers = { starts: new Int32Array(1), values: NO_NUMBERS };
  lons: MultiNumbers = { starts: new Int32Array(1), values: NO_NUMBERS };

  constructor(field: string | null, missing: LatLon | null, scratch: Scratch | undefined) {
    this.#field = field;
    this.#missing = missing;
    this.#scratch = scratch;
  }

  segment(view: SegmentView): void {
    this.#column = this.#field === null ? null : view.reader.geo(this.#field);
  }

  get isEmpty(): boolean {
    return this.#column === null && this.#missing === null;
  }

  get isSingle(): boolean {
    return this.#column !== null && this.#column.isSingleValued && this.#missing === null;
  }

  read(docs: Int32Array, count: number): void {
    const { lats, lons } = this;
    if (lats.values.length < count) lats.values = roomForDoubles(NO_NUMBERS, count, this.#scratch);
    if (lons.values.length < count) lons.values = roomForDoubles(NO_NUMBERS, count, this.#scratch);
    this.#column!.read(docs, count, lats.values, lons.values);
  }

  readAll(docs: Int32Array, count: number): void {
    if (this.#column) this.#column.readAll(docs, count, this.lats, this.lons);
    else this.lats.starts = this.lons.starts = new Int32Array(count + 1);
    if (this.#missing === null) return;
    this.lats = withMissing(this.lats, count, this.#missing.lat);
    this.lons = withMissing(this.lons, count, this.#missing.lon);
  }
}

/** The point as a document would have it: quantised. */
const asIndexed = ({ lat, lon }: LatLon): LatLon => ({
  lat: latDegrees(quantiseLat(lat)),
  lon: lonDegrees(quantiseLon(lon)),
});

/** Opens the points of the field of a request on one shard; `type` is the name of the aggregation in errors. */
export function pointSource(build: BuildSite, request: SourceRequest, type = build.node.type): PointSource {
  const field = resolveField(build.context, request.field, 'points', type);
  const missing = request.missing === null ? null : asIndexed(pointOf(String(request.missing)));
  return new ColumnPoints(field?.type.name ?? null, missing, build.context.scratch);
}
