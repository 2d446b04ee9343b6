import type { Value } from '@shoal/codec';
import { errors } from '@shoal/errors';
import { setOwn, stringify } from '@shoal/json';
import type { IntervalRounding } from '@shoal/values';
import type { AggregationNode, AggregationType, ReduceSite } from '../../aggregation-type.js';
import { tooManyBuckets } from '../../reduce/reduce.js';
import type { Reduced, ReducedBucket, ReducedSubs } from '../../reduce/reduced.js';
import { type FormatSpec, RAW_FORMAT } from '../../source/format.js';
import { compareKeyValues } from '../terms-partial.js';
import { CompositeCollector, type CompositePartial } from './collect.js';
import { type CompositeRequest, parseComposite } from './request.js';
import { type CompositeSource, keyJson } from './source.js';
import type { SourceKind } from '../../source/values-source.js';
import type { SourceKey } from './source-reader.js';
import { NO_KIND } from '../../source/value-kinds.js';
import { present } from '../../reduce/present.js';

/** Limit for `size`: the default of `search.max_buckets`, checked when the request is parsed. */
const PAGE_MAX = 65_536;

/** More sources than these may take long for each document, as their keys are put together. */
const SOURCES_FEW = 8;

/** Types of aggregations that may contain a composite, by the names in error messages. */
const ALLOWED_PARENTS = new Set(['nested', 'filter', 'random_sampler']);

/** Names of factories in 8.12 that are not made of the name of their type. */
const FACTORIES: Readonly<Record<string, string>> = {
  ip_range: 'BinaryRangeAggregatorFactory',
  geotile_grid: 'GeoTileGridAggregatorFactory',
  geohash_grid: 'GeoHashGridAggregatorFactory',
  geo_distance: 'GeoDistanceRangeAggregatorFactory',
  composite: 'CompositeAggregationFactory',
};

function factoryName(type: string): string {
  if (FACTORIES[type]) return FACTORIES[type];
  return `${type
    .split('_')
    .map((part) => part[0]!.toUpperCase() + part.slice(1))
    .join('')}AggregatorFactory`;
}

function checkParents(node: AggregationNode): void {
  for (let parent = node.parent; parent; parent = parent.parent) {
    if (!ALLOWED_PARENTS.has(parent.type))
      throw errors.illegalArgument(
        `[composite] aggregation cannot be used with a parent aggregation of type: [${factoryName(parent.type)}]`,
      );
  }
}

/** Kinds of values that sources take. */
const KINDS: Readonly<Record<CompositeSource['type'], SourceKind>> = {
  terms: 'terms',
  histogram: 'numbers',
  date_histogram: 'numbers',
  geotile_grid: 'points',
};

type Key = readonly SourceKey[];

interface MergedBucket {
  readonly key: Key;
  readonly count: number;
  readonly subs: readonly (readonly Value[])[];
}

function keyComparator(request: CompositeRequest): (a: Key, b: Key) => number {
  return (a, b) => {
    for (let i = 0; i < request.sources.length; i++) {
      const [x, y, source] = [a[i]!, b[i]!, request.sources[i]!];
      if (x === y) continue;
      if (x === null || y === null) return (x === null) === source.missingFirst ? -1 : 1;
      const result = compareKeyValues(x, y);
      if (result !== 0) return source.ascending ? result : -result;
    }
    return 0;
  };
}

/** The page of the only shard that has one. */
function onlyPage({ k, c, s }: CompositePartial): MergedBucket[] {
  return k.map((key, i) => ({ key, count: c[i]!, subs: s === null ? NO_SUBS : [s[i]!] }));
}

const NO_SUBS: readonly (readonly Value[])[] = [];

/** Merges the pages of shards, each in order, to the first page of all. */
function mergePages(request: CompositeRequest, partials: readonly CompositePartial[]): MergedBucket[] {
  // A shard has no more buckets than a page holds.
  if (partials.length === 1) return onlyPage(partials[0]!);
  const compare = keyComparator(request);
  const places = partials.map((partial) => ({ partial, at: 0 }));
  const keyAt = ({ partial, at }: (typeof places)[number]): Key | undefined => partial.k[at];
  const merged: MergedBucket[] = [];
  while (merged.length < request.size) {
    let first: Key | undefined;
    let equal: typeof places = [];
    for (const place of places) {
      const key = keyAt(place);
      if (key === undefined) continue;
      const order = first === undefined ? -1 : compare(key, first);
      if (order < 0) [first, equal] = [key, [place]];
      else if (order === 0) equal.push(place);
    }
    if (first === undefined) break;
    merged.push({
      key: first,
      count: equal.reduce((sum, { partial, at }) => sum + partial.c[at]!, 0),
      subs: equal.flatMap(({ partial, at }) => (partial.s === null ? [] : [partial.s[at]!])),
    });
    for (const place of equal) place.at++;
  }
  return merged;
}

/** What the keys of a page have in common. */
interface KeySpec {
  readonly sources: readonly CompositeSource[];
  readonly formats: readonly FormatSpec[];
}

function keyObject({ sources, formats }: KeySpec, key: Key): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (let i = 0; i < sources.length; i++)
    setOwn(json, sources[i]!.name, keyJson(key[i]!, formats[i] ?? RAW_FORMAT, sources[i]!));
  return json;
}

/**
 * A bucket of a page. Its key is put together when the bucket is rendered, which happens in steps: a page of 65,536
 * buckets is made in one.
 */
class CompositeBucket implements ReducedBucket {
  readonly #spec: KeySpec;
  readonly #key: Key;
  #json: Record<string, unknown> | null = null;
  docCount: number;
  subs: ReducedSubs;

  constructor(spec: KeySpec, { key, count }: MergedBucket, subs: ReducedSubs) {
    this.#spec = spec;
    this.#key = key;
    this.docCount = count;
    this.subs = subs;
  }

  get key(): Record<string, unknown> {
    return (this.#json ??= keyObject(this.#spec, this.#key));
  }

  get keyText(): string {
    return stringify(this.key);
  }

  head(): Record<string, unknown> {
    return { key: this.key, doc_count: this.docCount };
  }
}

function formatsOf(partials: readonly CompositePartial[], sources: number): FormatSpec[] {
  return Array.from(
    { length: sources },
    (_, i) => partials.map((p) => p.f[i]!).find((spec) => spec.k !== 'raw') ?? RAW_FORMAT,
  );
}

/** The only source of dates; null if there is none, or more than one. */
function datesOf({ sources }: CompositeRequest): { readonly at: number; readonly rounding: IntervalRounding } | null {
  const found = sources.flatMap(({ rounding }, at) => (rounding === null ? [] : [{ at, rounding }]));
  return found.length === 1 ? found[0]! : null;
}

const dateOf = (key: SourceKey | undefined): number | undefined => (typeof key === 'number' ? key : undefined);

function reduce(request: CompositeRequest, partials: readonly (CompositePartial | null)[], site: ReduceSite): Reduced {
  const own = present(partials);
  const spec: KeySpec = { sources: request.sources, formats: formatsOf(own, request.sources.length) };
  const page = mergePages(request, own);
  site.addBuckets(page.length);
  const dates = datesOf(request);
  const buckets = page.map((merged) => {
    const subs = dates === null ? site.subs(merged.subs) : site.subs(merged.subs, dateOf(merged.key[dates.at]));
    return new CompositeBucket(spec, merged, subs);
  });
  const afterKey = buckets.at(-1)?.key;
  return {
    typedName: 'composite',
    buckets,
    render(render) {
      return { ...(afterKey === undefined ? {} : { after_key: afterKey }), buckets: render.list(this.buckets!) };
    },
  };
}

/** `composite`: pages through all combinations of the values of several sources, in order. */
export const composite: AggregationType<CompositePartial> = {
  name: 'composite',
  valueKinds: NO_KIND,
  parse(site) {
    const request = parseComposite(site);
    const dates = datesOf(request);
    return {
      ...(dates === null ? {} : { rounding: dates.rounding }),
      acceptsSubs: true,
      shape: 'multi',
      isPaged: true,
      bucketsMax: request.size,
      isSlow: request.sources.length > SOURCES_FEW,
      checkPlace(node) {
        checkParents(node);
        if (request.size > PAGE_MAX) throw tooManyBuckets(PAGE_MAX, request.size);
      },
      reads: request.sources.map(({ type, request: source }) => ({ source, kind: KINDS[type], of: type })),
      collector: (build) => new CompositeCollector(request, build),
      reduce: (partials, reduceSite) => reduce(request, partials, reduceSite),
    };
  },
};
