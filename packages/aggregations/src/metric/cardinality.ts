import { globalOrdinals } from '@shoal/query';
import type { Aggregator, AggregationType, BuildSite } from '../aggregation-type.js';
import { bucketTable } from '../collect/bucket-table.js';
import { mapIdsToNumbers } from '../collect/map-ids.js';
import { groupByOwner, type OwnedBuckets } from '../collect/owned-buckets.js';
import { growInts } from '../collect/growable.js';
import { booleanField, countField, readFields, stringField } from '../parse/body-fields.js';
import { ordinalSource } from '../source/ordinal-source.js';
import { pointSource } from '../source/point-source.js';
import { missingValue, numberSource } from '../source/number-source.js';
import {
  holdsRanges,
  notSupported,
  type ResolvedField,
  refuseMissingRange,
  resolveField,
  sourceFields,
  sourceOf,
  type SourceRequest,
} from '../source/values-source.js';
import { wholeKey, wholeOf } from '../source/wide-numbers.js';
import type { NumberColumn } from '@shoal/segments';
import { parseIp } from '@shoal/values';
import { type DistinctSketch, distinctSketch, type SketchPartial } from './distinct-sketch.js';
import { countMarks, markOrdinals } from './mark.kernel.js';
import { addHash, precisionOf } from './hyper-log-log.js';
import { hashNumber, hashTerm, hashWhole } from './value-hash.js';
import { hasOneOwner } from '../bucket/terms-collect.js';
import { countingOrdinalSource } from '../bucket/terms-ordinals.js';
import { numberResult, type Reduced } from '../reduce/reduced.js';
import { COUNTED_KINDS } from '../source/value-kinds.js';

interface Limits {
  readonly threshold: number;
  readonly precision: number;
}

/**
 * Distinct hashes by bucket. Buckets with few share one hash table; a bucket with more than the threshold gets
 * HyperLogLog registers.
 */
interface HashSets {
  add(bucket: number, hash: number): void;
  partial(bucket: number): SketchPartial;
}

function hashSets(limits: Limits, charge: (bytes: number) => void): HashSets {
  const table = bucketTable(charge);
  const registers = new Map<number, Uint8Array>();
  let sizes: Int32Array<ArrayBuffer> = new Int32Array(0);
  let owned: OwnedBuckets | null = null;
  const spill = (bucket: number): void => {
    charge(2 ** limits.precision);
    registers.set(bucket, new Uint8Array(2 ** limits.precision));
  };
  return {
    add(bucket, hash) {
      const full = registers.size > 0 ? registers.get(bucket) : undefined;
      if (full) return addHash(full, limits.precision, hash);
      const before = table.size;
      table.add(bucket, hash);
      if (table.size === before) return;
      sizes = growInts(sizes, bucket + 1);
      if (++sizes[bucket]! > limits.threshold) spill(bucket);
    },
    partial(bucket) {
      owned ??= groupByOwner(table.owners, table.size);
      const hashes = mapIdsToNumbers(owned.of(bucket), (id) => table.keys[id]!);
      const full = registers.get(bucket);
      if (!full) return hashes.length === 0 ? null : { h: hashes };
      for (const hash of hashes) addHash(full, limits.precision, hash);
      return { r: full };
    },
  };
}

function sketchOf(hashes: Float64Array, limits: Limits): SketchPartial {
  if (hashes.length <= limits.threshold) return hashes.length === 0 ? null : { h: hashes };
  const registers = new Uint8Array(2 ** limits.precision);
  for (const hash of hashes) addHash(registers, limits.precision, hash);
  return { r: registers };
}

function numberCardinality(
  build: BuildSite,
  field: ResolvedField,
  missing: unknown,
  limits: Limits,
): Aggregator<SketchPartial> {
  const source = numberSource(
    field.type,
    missingValue(missing, field.type, null, build.context.now),
    build.context.scratch,
  );
  const sets = hashSets(limits, build.context.charge);
  const given = missing === null ? null : wholeOf(missing);
  const addBigs = (column: NumberColumn, docs: Int32Array, buckets: Int32Array | null, count: number): void => {
    for (let i = 0; i < count; i++) {
      const values = column.bigs(docs[i]!);
      for (const value of values.length === 0 && given !== null ? [given] : values)
        sets.add(buckets ? buckets[i]! : 0, hashWhole(wholeKey(value)));
    }
  };
  return {
    segment: (view) => source.segment(view),
    reserve() {},
    collect(docs, buckets, count) {
      if (source.isEmpty) return;
      if (source.column?.kind === 'long' && !source.column.isExact) return addBigs(source.column, docs, buckets, count);
      if (source.isSingle) {
        const values = source.read(docs, count);
        for (let i = 0; i < count; i++)
          if (values[i] === values[i]) sets.add(buckets ? buckets[i]! : 0, hashNumber(values[i]!));
        return;
      }
      const { starts, values } = source.readAll(docs, count);
      for (let i = 0; i < count; i++)
        for (let j = starts[i]!; j < starts[i + 1]!; j++) sets.add(buckets ? buckets[i]! : 0, hashNumber(values[j]!));
    },
    partial: (bucket) => sets.partial(bucket),
  };
}

/** Returns a function for the hash of each global ordinal, computed when the ordinal first occurs. */
function ordinalHashes(count: number, term: (ordinal: number) => string): (ordinal: number) => number {
  let hashes: Float64Array | null = null;
  return (ordinal) => {
    hashes ??= new Float64Array(count).fill(-1);
    if (hashes[ordinal]! < 0) hashes[ordinal] = hashTerm(term(ordinal));
    return hashes[ordinal]!;
  };
}

/**
 * Whether a pipeline of the parent (cumulative_cardinality) may merge the sketches of several buckets: a count alone is
 * then not enough.
 */
function readByPipelines({ node }: BuildSite): boolean {
  return node.parent !== null && node.parent.pipelines.length > 0;
}

function ordinalCardinality(
  build: BuildSite,
  field: ResolvedField,
  missing: unknown,
  limits: Limits,
): Aggregator<SketchPartial> {
  const source = countingOrdinalSource(build.context.searcher, field.type.name, build.context.scratch);
  const ordinals = globalOrdinals(build.context.searcher, field.type.name);
  const hashOf = ordinalHashes(ordinals.count, (ordinal) => ordinals.term(ordinal));
  const missingText =
    missing === null ? null : field.type.valueKind === 'ip' ? parseIp(String(missing)) : String(missing);
  const missingHash = missingText === null ? -1 : hashTerm(missingText);
  const seen = hasOneOwner(build.node) ? new Uint8Array(ordinals.count + 1) : null;
  const sets = hashSets(limits, build.context.charge);
  build.context.charge(ordinals.count * (seen ? 9 : 8));
  let map: Int32Array | null = null;
  const add = (bucket: number, own: number): void => {
    const ordinal = map ? map[own]! : own;
    if (seen) seen[ordinal] = 1;
    else sets.add(bucket, hashOf(ordinal));
  };
  const addMissing = (bucket: number): void => {
    if (missingHash < 0) return;
    if (seen) seen[ordinals.count] = 1;
    else sets.add(bucket, missingHash);
  };
  const countSeen = (): number => countMarks(seen!);
  const seenHashes = (): Float64Array => {
    const hashes: number[] = [];
    for (let ordinal = 0; ordinal < ordinals.count; ordinal++) if (seen![ordinal] === 1) hashes.push(hashOf(ordinal));
    if (seen![ordinals.count] === 1) hashes.push(missingHash);
    return Float64Array.from(new Set(hashes));
  };
  return {
    segment(view) {
      source.segment(view);
      map = ordinals.map(view);
    },
    reserve() {},
    collect(docs, buckets, count) {
      if (source.isSingle && seen)
        return markOrdinals(source.read(docs, count), count, map, missingHash < 0 ? -1 : ordinals.count, seen);
      if (source.isSingle) {
        const read = source.read(docs, count);
        for (let i = 0; i < count; i++) {
          if (read[i]! >= 0) add(buckets ? buckets[i]! : 0, read[i]!);
          else addMissing(buckets ? buckets[i]! : 0);
        }
        return;
      }
      const { starts, values } = source.readAll(docs, count);
      for (let i = 0; i < count; i++) {
        if (starts[i] === starts[i + 1]) addMissing(buckets ? buckets[i]! : 0);
        for (let j = starts[i]!; j < starts[i + 1]!; j++) add(buckets ? buckets[i]! : 0, values[j]!);
      }
    },
    partial(bucket) {
      if (!seen) return sets.partial(bucket);
      if (bucket > 0) return null;
      return build.context.isOnlyShard && !readByPipelines(build) ? { n: countSeen() } : sketchOf(seenHashes(), limits);
    },
  };
}

/** Counts points: those of equal latitude and longitude are one. */
function pointCardinality(build: BuildSite, request: SourceRequest, limits: Limits): Aggregator<SketchPartial> {
  const points = pointSource(build, request);
  const sets = hashSets(limits, build.context.charge);
  return {
    segment: (view) => points.segment(view),
    reserve() {},
    collect(docs, buckets, count) {
      if (points.isEmpty) return;
      points.readAll(docs, count);
      const { lats, lons } = points;
      for (let i = 0; i < count; i++)
        for (let j = lats.starts[i]!; j < lats.starts[i + 1]!; j++)
          sets.add(buckets ? buckets[i]! : 0, hashTerm(`${lats.values[j]},${lons.values[j]}`));
    },
    partial: (bucket) => sets.partial(bucket),
  };
}

/** Counts sets of ranges: as in Elasticsearch all ranges of a document are one value. */
function rangeCardinality(build: BuildSite, { type }: ResolvedField, limits: Limits): Aggregator<SketchPartial> {
  const source = ordinalSource(type.name, build.context.scratch);
  const sets = hashSets(limits, build.context.charge);
  return {
    segment: (view) => source.segment(view),
    reserve() {},
    collect(docs, buckets, count) {
      const { column } = source;
      if (!column) return;
      const { starts, values } = source.readAll(docs, count);
      for (let i = 0; i < count; i++) {
        if (starts[i] === starts[i + 1]) continue;
        let all = '';
        for (let j = starts[i]!; j < starts[i + 1]!; j++) all += column.term(values[j]!);
        sets.add(buckets ? buckets[i]! : 0, hashTerm(all));
      }
    },
    partial: (bucket) => sets.partial(bucket),
  };
}

function collector(source: SourceRequest, limits: Limits, build: BuildSite): Aggregator<SketchPartial> {
  const field = resolveField(build.context, source.field, 'any', 'cardinality');
  refuseMissingRange(source, field);
  if (!field)
    return {
      segment() {},
      reserve() {},
      collect() {},
      partial: () => (source.missing === null ? null : { h: Float64Array.of(hashTerm(String(source.missing))) }),
    };
  if (field.column === 'geo') return pointCardinality(build, source, limits);
  if (field.column === 'binary') throw notSupported(field.type, 'cardinality', build.context);
  if (holdsRanges(field.type)) return rangeCardinality(build, field, limits);
  return field.column === 'ordinals'
    ? ordinalCardinality(build, field, source.missing, limits)
    : numberCardinality(build, field, source.missing, limits);
}

/** Makes the result of a cardinality; it carries its partial results for cumulative_cardinality. */
export function cardinalityResult(sketch: DistinctSketch, partials: readonly SketchPartial[]): Reduced {
  return { ...numberResult('cardinality', sketch.cardinality()), sketch: partials };
}

/** `cardinality`: distinct values of a field, exact up to `precision_threshold`, then estimated by HyperLogLog. */
export const cardinality: AggregationType<SketchPartial> = {
  name: 'cardinality',
  valueKinds: COUNTED_KINDS,
  prints: 'whole',
  parse(site) {
    const fields = readFields(site.body, site, {
      ...sourceFields,
      precision_threshold: countField('precisionThreshold'),
      execution_hint: stringField,
      rehash: booleanField,
    });
    const source = sourceOf(fields, site, 'keyword');
    const threshold = Math.min(fields.precision_threshold ?? 3000, 40_000);
    const limits: Limits = { threshold, precision: precisionOf(threshold) };
    return {
      acceptsSubs: false,
      shape: 'metric',
      numbers: 'value',
      reads: [{ source, kind: 'any' }],
      collector: (build) => collector(source, limits, build),
      reduce(partials) {
        const sketch = distinctSketch(limits.threshold, limits.precision);
        for (const partial of partials) sketch.add(partial);
        return cardinalityResult(sketch, partials);
      },
    };
  },
};
