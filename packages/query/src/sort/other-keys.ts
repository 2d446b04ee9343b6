import type { Value } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { multiNumbers, WINDOW_DOCS } from '@shoal/segments';
import { haversineMeters, planeMeters } from '@shoal/values';
import type { SegmentView } from '../searcher.js';
import { childrenOf, type NestedDocs } from './nested-docs.js';
import type { SegmentKeys, SortKey } from './sort-key.js';
import type { GeoDistanceSort } from './sort-spec.js';

const unknownBest = (): number => -Infinity;
const unknownWorst = (): number => Infinity;
const noTerm = (): null => null;

/** Returns the sort key `_score`. Scores compare as they print, as floats, so that a page may begin after one. */
export function scoreKey(isDescending: boolean): SortKey {
  const sign = isDescending ? -1 : 1;
  const keys: SegmentKeys = {
    read: (_slot, _docs, count, scores, out) => {
      for (let i = 0; i < count; i++) out[i] = sign * Math.fround(scores![i]!);
    },
    blockBest: unknownBest,
    blockWorst: unknownWorst,
    value: (_doc, score) => Math.fround(score),
    keyOf: (_slot, value) => sign * Math.fround(Number(value)),
    termOf: noTerm,
  };
  return {
    slots: 1,
    needsScores: true,
    direction: sign,
    isSegmental: false,
    segment: () => keys,
    parseAfter: (value) => Math.fround(afterNumber('_score', value)),
  };
}

/**
 * Returns the sort key `_doc`, or `_shard_doc` if `shard` is not null. Values of `_shard_doc` have the position of the
 * shard among those of the search in their upper 32 bits.
 */
export function docKey(isDescending: boolean, shard: number | null): SortKey {
  const sign = isDescending ? -1 : 1;
  const base = shard === null ? 0 : shard * 2 ** 32;
  const segment = (view: SegmentView): SegmentKeys => ({
    read: (_slot, docs, count, _scores, out) => {
      for (let i = 0; i < count; i++) out[i] = sign * (base + view.docBase + docs[i]!);
    },
    blockBest: (doc) => sign * (base + view.docBase + (isDescending ? lastOf(view, doc) : doc)),
    blockWorst: (doc) => sign * (base + view.docBase + (isDescending ? doc - (doc % WINDOW_DOCS) : lastOf(view, doc))),
    value: (doc) => base + view.docBase + doc,
    keyOf: (_slot, value) => sign * Number(value),
    termOf: noTerm,
  });
  return {
    slots: 1,
    needsScores: false,
    direction: sign,
    isSegmental: false,
    segment,
    parseAfter: (value) => afterNumber(shard === null ? '_doc' : '_shard_doc', value),
  };
}

/** The last document of the window around `doc`. */
const lastOf = (view: SegmentView, doc: number): number =>
  Math.min(doc - (doc % WINDOW_DOCS) + WINDOW_DOCS, view.maxDoc) - 1;

function afterNumber(field: string, value: unknown): number {
  const number =
    typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string' ? Number(value) : Number.NaN;
  if (Number.isNaN(number)) throw errors.illegalArgument(`Failed to parse search_after value for field [${field}].`);
  return number;
}

/** Returns a sort key that is the same for all documents, for an unmapped field. */
export function constantKey(key: number, value: Value): SortKey {
  const keys: SegmentKeys = {
    read: (_slot, _docs, count, _scores, out) => void out.fill(key, 0, count),
    blockBest: () => key,
    blockWorst: () => key,
    value: () => value,
    keyOf: (_slot, after) => (after === null || after === value ? key : Number(after)),
    termOf: noTerm,
  };
  return {
    slots: 1,
    needsScores: false,
    direction: 1,
    isSegmental: false,
    segment: () => keys,
    parseAfter: (after) => (typeof after === 'number' ? after : value),
  };
}

/** Returns the sort key of the distance to some points: to the nearest one, or by `mode`. */
export function geoKey(given: GeoDistanceSort, nested: NestedDocs | null): SortKey {
  const spec = { ...given, plane: given.plane && !isLuceneSort(given, nested) };
  return {
    slots: 1,
    needsScores: false,
    direction: spec.order === 'desc' ? -1 : 1,
    isSegmental: false,
    segment: (view) => geoKeys(spec, nested, view),
    parseAfter: (value) => afterNumber('_geo_distance', value),
  };
}

/** Whether 8.12 leaves the sort to Lucene (`LatLonDocValuesField.newDistanceSort`), which knows arcs only. */
function isLuceneSort({ points, order, mode, unitMeters }: GeoDistanceSort, nested: NestedDocs | null): boolean {
  return points.length === 1 && order === 'asc' && mode === 'min' && unitMeters === 1 && nested === null;
}

function geoKeys(spec: GeoDistanceSort, nested: NestedDocs | null, view: SegmentView): SegmentKeys {
  const column = view.reader.geo(spec.field);
  const sign = spec.order === 'desc' ? -1 : 1;
  const lats = multiNumbers();
  const lons = multiNumbers();
  const hasPoint = (doc: number): boolean => {
    column!.readAll(Int32Array.of(doc), 1, lats, lons);
    return lats.starts[1]! > 0;
  };
  const distances = (docs: Int32Array, count: number, out: Float64Array): void => {
    if (column === null) {
      out.fill(Infinity, 0, count);
      return;
    }
    if (nested === null && column.isSingleValued && spec.points.length === 1) {
      singleDistances(docs, count, out);
      return;
    }
    for (let i = 0; i < count; i++) {
      const own = nested === null ? docs.subarray(i, i + 1) : childrenOf(nested, view, docs[i]!, hasPoint);
      column.readAll(own, own.length, lats, lons);
      out[i] = reduceDistances(spec, lats.values, lons.values, lats.starts[own.length]!);
    }
  };
  let singleLats = new Float64Array(0);
  let singleLons = new Float64Array(0);
  const singleDistances = (docs: Int32Array, count: number, out: Float64Array): void => {
    if (singleLats.length < count) {
      singleLats = new Float64Array(count);
      singleLons = new Float64Array(count);
    }
    column!.read(docs, count, singleLats, singleLons);
    const { lat, lon } = spec.points[0]!;
    for (let i = 0; i < count; i++) {
      const meters = spec.plane
        ? planeMeters(lat, lon, singleLats[i]!, singleLons[i]!)
        : haversineMeters(lat, lon, singleLats[i]!, singleLons[i]!);
      out[i] = Number.isNaN(meters) ? Infinity : meters / spec.unitMeters;
    }
  };
  return {
    read: (_slot, docs, count, _scores, out) => {
      distances(docs, count, out);
      if (sign < 0) for (let i = 0; i < count; i++) out[i] = -out[i]!;
    },
    blockBest: unknownBest,
    blockWorst: unknownWorst,
    value: (doc) => {
      const out = new Float64Array(1);
      distances(Int32Array.of(doc), 1, out);
      return out[0] === Infinity ? 'Infinity' : out[0]!;
    },
    keyOf: (_slot, value) => sign * Number(value),
    termOf: noTerm,
  };
}

/** Reduces the distances of all pairs of a document's and the sort's points by the mode; Infinity for none. */
function reduceDistances(spec: GeoDistanceSort, lats: Float64Array, lons: Float64Array, count: number): number {
  const measure = spec.plane ? planeMeters : haversineMeters;
  const all: number[] = [];
  for (let i = 0; i < count; i++) {
    for (const { lat, lon } of spec.points) all.push(measure(lat, lon, lats[i]!, lons[i]!) / spec.unitMeters);
  }
  if (all.length === 0) return Infinity;
  all.sort((a, b) => a - b);
  if (spec.mode === 'min') return all[0]!;
  if (spec.mode === 'max') return all[all.length - 1]!;
  if (spec.mode === 'avg') return all.reduce((sum, distance) => sum + distance, 0) / all.length;
  const middle = all.length >>> 1;
  return all.length % 2 === 1 ? all[middle]! : (all[middle - 1]! + all[middle]!) / 2;
}
