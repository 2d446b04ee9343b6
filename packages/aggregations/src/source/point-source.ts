import type { SegmentView } from '@shoal/query';
import type { GeoColumn, MultiNumbers } from '@shoal/segments';
import { parseGeoPoint } from '@shoal/values';
import type { BuildSite } from '../aggregation-type.js';
import { roomForDoubles } from '../collect/growable.js';
import { resolveField, type SourceRequest } from './values-source.js';

/** Points of one field. `readAll` fills `lats` and `lons`, whose `starts` are the same. */
export interface PointSource {
  segment(view: SegmentView): void;
  readonly isEmpty: boolean;
  /** Whether no document of the segment has several points, and none gets one by `missing`: then `read` has all. */
  readonly isSingle: boolean;
  /** Fills the values of `lats` and `lons` with the first point of each document, NaN for none. */
  read(docs: Int32Array, count: number): void;
  readAll(docs: Int32Array, count: number): void;
  readonly lats: MultiNumbers;
  readonly lons: MultiNumbers;
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

/** The points of a request's field on one shard. */
export function pointSource(build: BuildSite, request: SourceRequest): PointSource {
  const field = resolveField(build.context, request.field, 'points', build.node.type);
  const missing = request.missing === null ? null : (parseGeoPoint(request.missing)[0] ?? null);
  const state = {
    lats: { starts: new Int32Array(1), values: new Float64Array(0) } as MultiNumbers,
    lons: { starts: new Int32Array(1), values: new Float64Array(0) } as MultiNumbers,
  };
  const { scratch } = build.context;
  let column: GeoColumn | null = null;
  return {
    segment(view) {
      column = field ? view.reader.geo(field.type.name) : null;
    },
    get isEmpty() {
      return column === null && missing === null;
    },
    get isSingle() {
      return column !== null && column.isSingleValued && missing === null;
    },
    read(docs, count) {
      if (state.lats.values.length < count) state.lats.values = roomForDoubles(NO_NUMBERS, count, scratch);
      if (state.lons.values.length < count) state.lons.values = roomForDoubles(NO_NUMBERS, count, scratch);
      column!.read(docs, count, state.lats.values, state.lons.values);
    },
    get lats() {
      return state.lats;
    },
    get lons() {
      return state.lons;
    },
    readAll(docs, count) {
      if (column) column.readAll(docs, count, state.lats, state.lons);
      else state.lats.starts = state.lons.starts = new Int32Array(count + 1);
      if (!missing) return;
      state.lats = withMissing(state.lats, count, missing.lat);
      state.lons = withMissing(state.lons, count, missing.lon);
    },
  };
}
