import type { Value } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { doubleNumber } from '@shoal/json';
import type { SegmentView } from '@shoal/query';
import type { Aggregator, AggregationNode, AggregationType, BuildSite, ReduceSite } from '../aggregation-type.js';
import { growInts } from '../collect/growable.js';
import { openNumbers } from '../metric/number-metric.js';
import { type FieldReader, integerField, readFields } from '../parse/body-fields.js';
import { present } from '../reduce/present.js';
import type { Reduced, ReducedBucket } from '../reduce/reduced.js';
import { docCounts } from '../source/doc-counts.js';
import { formatIn, type Formatter, type FormatSpec } from '../source/format.js';
import type { NumberSource } from '../source/number-source.js';
import { notSupported, resolveField, sourceFields, sourceOf, type SourceRequest } from '../source/values-source.js';
import { type Cluster, initialClusters, ValueClusters } from './value-clusters.js';

/** Buckets of a shard, by centroid: parallel arrays. */
type WidthPartial = {
  readonly k: Float64Array;
  readonly lo: Float64Array;
  readonly hi: Float64Array;
  readonly c: Float64Array;
  readonly s: readonly (readonly Value[])[] | null;
  readonly f: FormatSpec;
};

interface WidthRequest {
  readonly source: SourceRequest;
  readonly buckets: number;
  /** Clusters that a shard makes at most. */
  readonly shardSize: number;
  /** Values that a shard gathers before it makes clusters. */
  readonly initialBuffer: number;
}

const BUFFER_MAX = 50_000;

const above =
  (least: number): FieldReader<number> =>
  (value, site) => {
    const number = integerField(value, site);
    if (number > least) return number;
    throw errors.illegalArgument(`${site.key} must be greater than [${least}] for [${site.name}]`);
  };

/** Throws for sizes that do not fit together, and below an aggregation with several buckets. */
function check({ buckets, shardSize, initialBuffer }: WidthRequest, { name, parent }: AggregationNode): void {
  if (initialBuffer < buckets)
    throw errors.illegalArgument(
      `initial_buffer must be at least buckets but was [${initialBuffer}<${buckets}] for [${name}]`,
    );
  const most = initialClusters(shardSize);
  if (most < buckets)
    throw errors.illegalArgument(
      `3/4 of shard_size must be at least buckets but was [${most}<${buckets}] for [${name}]`,
    );
  for (let around = parent; around; around = around.parent) {
    if (around.behaviour.shape === 'multi')
      throw errors.illegalArgument(
        '[variable_width_histogram] cannot be nested inside an aggregation that collects more than a single bucket.',
      );
  }
}

/** Throws for a field of dates or booleans, which are numbers to other aggregations. */
function refuseOthers({ context, node }: BuildSite, { field }: SourceRequest): void {
  const type = resolveField(context, field, 'numbers', node.type)?.type ?? null;
  if (type !== null && (type.valueKind === 'date' || type.valueKind === 'boolean'))
    throw notSupported(type, node.type, context);
}

/** The documents of one segment, and the cluster of each: a document is there for each value, even for equal ones. */
interface ClusteredDocs {
  readonly view: SegmentView;
  docs: Int32Array<ArrayBuffer>;
  ids: Int32Array<ArrayBuffer>;
  count: number;
}

/** Clusters the values; sub-aggregations get the documents after the last segment, when clusters are settled. */
class WidthCollector implements Aggregator<WidthPartial> {
  readonly #build: BuildSite;
  readonly #source: NumberSource;
  readonly #format: FormatSpec;
  readonly #clusters: ValueClusters;
  readonly #segments: ClusteredDocs[] = [];
  readonly #subs;
  #replayed: Promise<void> | null = null;

  constructor(build: BuildSite, request: WidthRequest) {
    refuseOthers(build, request.source);
    const { source, format } = openNumbers(build, request.source);
    this.#build = build;
    this.#source = source;
    this.#format = format;
    this.#clusters = new ValueClusters(request.shardSize, request.initialBuffer, build.context.charge);
    build.afterSegments(() => (this.#replayed ??= this.#replayInTurns()));
    this.#subs = build.subs();
  }

  segment(view: SegmentView): void {
    this.#source.segment(view);
    this.#segments.push({ view, docs: new Int32Array(0), ids: new Int32Array(0), count: 0 });
  }

  reserve(): void {}

  collect(docs: Int32Array, _buckets: Int32Array | null, count: number): void {
    if (this.#source.isEmpty) return;
    const own = this.#segments.at(-1)!;
    const { starts, values } = this.#source.readAll(docs, count);
    for (let i = 0; i < count; i++) {
      for (let j = starts[i]!; j < starts[i + 1]!; j++) {
        this.#keep(own, docs[i]!);
        const id = this.#clusters.add(values[j]!, (clusterOf) => this.#settle(clusterOf));
        if (id >= 0) own.ids[own.count - 1] = id;
      }
    }
  }

  partial(): WidthPartial {
    const clusters = this.#clusters.clusters((clusterOf) => this.#settle(clusterOf));
    const subs = this.#subs;
    const numbers = (of: (cluster: Cluster) => number): Float64Array => Float64Array.from(clusters, of);
    return {
      k: numbers(({ centroid }) => centroid),
      lo: numbers(({ min }) => min),
      hi: numbers(({ max }) => max),
      c: this.#counts(clusters),
      s: subs.size > 0 ? clusters.map(({ id }) => subs.partials(id)) : null,
      f: this.#format,
    };
  }

  #keep(own: ClusteredDocs, doc: number): void {
    if (own.count === own.docs.length) {
      const length = own.count * 2 + 256;
      this.#build.context.charge((length - own.count) * 8);
      own.docs = growInts(own.docs, length);
      own.ids = growInts(own.ids, length);
    }
    own.docs[own.count++] = doc;
  }

  /** Sets the clusters of the values that were buffered: the first ones of all. */
  #settle(clusterOf: Int32Array): void {
    let at = 0;
    for (const own of this.#segments)
      for (let i = 0; i < own.count && at < clusterOf.length; i++) own.ids[i] = clusterOf[at++]!;
  }

  #counts(clusters: readonly Cluster[]): Float64Array {
    const counts = new Float64Array(clusters.length);
    for (const { view, docs, ids, count } of this.#segments) {
      const weights = docCounts(view);
      for (let i = 0; i < count; i++) counts[ids[i]!]! += weights === null ? 1 : weights[docs[i]!]!;
    }
    return Float64Array.from(clusters, ({ id }) => counts[id]!);
  }

  async #replayInTurns(): Promise<void> {
    const clusters = this.#clusters.clusters((clusterOf) => this.#settle(clusterOf));
    if (this.#subs.size === 0) return;
    const { scratch, pause } = this.#build.context;
    for (const { view, docs, ids, count } of this.#segments) {
      this.#subs.segment(view);
      for (let from = 0; from < count; from += REPLAY_DOCS) {
        const to = Math.min(from + REPLAY_DOCS, count);
        const own = docs.slice(from, to);
        scratch?.batch.end();
        this.#subs.collect(own, ids.slice(from, to), to - from, ONES.subarray(0, to - from), clusters.length);
        await pause?.();
      }
    }
  }
}

const REPLAY_DOCS = 4096;
const ONES = new Float32Array(REPLAY_DOCS).fill(1);

interface Merged {
  key: number;
  min: number;
  max: number;
  count: number;
  subs: (readonly Value[])[];
}

function merge(into: Merged, other: Merged): void {
  into.key = (into.key * into.count + other.key * other.count) / (into.count + other.count);
  into.min = Math.min(into.min, other.min);
  into.max = Math.max(into.max, other.max);
  into.count += other.count;
  into.subs.push(...other.subs);
}

/** All buckets of the shards by centroid; equal centroids are one. */
function gather(partials: readonly WidthPartial[]): Merged[] {
  const all = partials.flatMap(({ k, lo, hi, c, s }) =>
    Array.from(k, (key, i): Merged => ({ key, min: lo[i]!, max: hi[i]!, count: c[i]!, subs: s ? [s[i]!] : [] })),
  );
  all.sort((a, b) => a.key - b.key);
  const merged: Merged[] = [];
  for (const one of all) {
    const last = merged.at(-1);
    if (last && last.key === one.key) merge(last, one);
    else merged.push(one);
  }
  return merged;
}

/** Merges the two neighbours with the nearest centroids until `wanted` buckets are left. */
function mergeNearest(buckets: Merged[], wanted: number): void {
  while (buckets.length > wanted) {
    let nearest = 0;
    let distance = Infinity;
    for (let i = 0; i + 1 < buckets.length; i++) {
      const own = buckets[i + 1]!.key - buckets[i]!.key;
      if (own < distance) [nearest, distance] = [i, own];
    }
    merge(buckets[nearest]!, buckets[nearest + 1]!);
    buckets.splice(nearest + 1, 1);
  }
}

/** Merges neighbours that begin with the same value, and parts those that overlap in the middle of the overlap. */
function separate(buckets: Merged[]): void {
  for (let i = 0; i + 1 < buckets.length; ) {
    if (buckets[i]!.min === buckets[i + 1]!.min) merge(buckets[i]!, buckets.splice(i + 1, 1)[0]!);
    else i++;
  }
  for (let i = 1; i < buckets.length; i++) {
    const [before, own] = [buckets[i - 1]!, buckets[i]!];
    if (own.min < before.max) before.max = own.min = (before.max + own.min) / 2;
  }
}

function bucketOf({ key, min, max, count, subs }: Merged, formatter: Formatter, site: ReduceSite): ReducedBucket {
  const shown = (name: string, value: number): Record<string, unknown> => {
    const text = formatter.shown(value);
    return { [name]: doubleNumber(value), ...(text === null ? {} : { [`${name}_as_string`]: text }) };
  };
  site.addBuckets(1);
  return {
    key,
    keyText: formatter.shown(key) ?? formatter.text(key),
    docCount: count,
    subs: site.subs(subs),
    head() {
      return { ...shown('min', min), ...shown('key', key), ...shown('max', max), doc_count: this.docCount };
    },
  };
}

function reduce(wanted: number, partials: readonly (WidthPartial | null)[], site: ReduceSite): Reduced {
  const buckets = gather(present(partials));
  mergeNearest(buckets, wanted);
  separate(buckets);
  const formatter = formatIn(partials);
  return {
    typedName: 'variable_width_histogram',
    buckets: buckets.map((bucket) => bucketOf(bucket, formatter, site)),
    render(render) {
      return { buckets: render.list(this.buckets!) };
    },
  };
}

/** `variable_width_histogram`: buckets of values that lie near each other. */
export const variableWidthHistogram: AggregationType<WidthPartial> = {
  name: 'variable_width_histogram',
  valueKinds: ['counter', 'numeric'],
  parse(site) {
    const fields = readFields(site.body, site, {
      ...sourceFields,
      buckets: above(0),
      shard_size: above(1),
      initial_buffer: above(0),
    });
    const buckets = fields.buckets ?? 10;
    const shardSize = fields.shard_size ?? buckets * 50;
    const request: WidthRequest = {
      source: sourceOf(fields, site, 'double'),
      buckets,
      shardSize,
      initialBuffer: fields.initial_buffer ?? Math.min(10 * shardSize, BUFFER_MAX),
    };
    return {
      acceptsSubs: true,
      shape: 'multi',
      checkPlace: (node) => check(request, node),
      reads: [{ source: request.source, kind: 'numbers' }],
      collector: (build) => new WidthCollector(build, request),
      reduce: (partials, reduceSite) => reduce(buckets, partials, reduceSite),
    };
  },
};
