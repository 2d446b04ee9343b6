import type { Value } from '@shoal/codec';
import { growCounts } from '../collect/counts.js';
import { errors } from '@shoal/errors';
import { isPlainObject, ownProperty } from '@shoal/json';
import { type ParsedQuery, parseQuery } from '@shoal/query';
import type { Aggregator, AggregationType, BuildSite, ParseSite, ReduceSite } from '../aggregation-type.js';
import { docFilter } from '../collect/doc-filter.js';
import { type BucketCounts, flushPairs, pairs, resetPairs } from '../collect/pairs.js';
import { tokenName } from '../parse/body-fields.js';
import type { Reduced, ReducedBucket } from '../reduce/reduced.js';
import { docCounts } from '../source/doc-counts.js';
import { selectKept } from './filter.js';
import { NO_KIND } from '../source/value-kinds.js';
import { present } from '../reduce/present.js';

interface FiltersRequest {
  /** Names of the buckets, that of the other bucket last. Anonymous filters are named by their number. */
  readonly names: readonly string[];
  readonly queries: readonly ParsedQuery[];
  readonly hasOther: boolean;
  readonly isAnonymous: boolean;
  readonly keyed: boolean;
}

/** Tokens of the values of the keys of a body. */
const TOKENS: Readonly<Record<string, readonly string[]>> = {
  filters: ['START_ARRAY', 'START_OBJECT'],
  other_bucket: ['VALUE_BOOLEAN'],
  keyed: ['VALUE_BOOLEAN'],
  other_bucket_key: ['VALUE_STRING'],
};

interface FiltersBody {
  readonly filters?: readonly unknown[] | Readonly<Record<string, unknown>>;
  readonly other_bucket?: boolean;
  readonly other_bucket_key?: string;
  readonly keyed?: boolean;
}

/** Refuses keys and values that the body of filters does not have, in the words of 8.12's own parser. */
function readBody({ body, name }: ParseSite): FiltersBody {
  for (const [key, value] of Object.entries(body)) {
    const token = tokenName(value);
    if (ownProperty(TOKENS, key)?.includes(token)) continue;
    throw errors.parsing(`Unknown key for a ${token} in [${name}]: [${key}].`, { location: { container: body, key } });
  }
  return body as FiltersBody;
}

function filterQuery(container: object, key: string | number, { context }: ParseSite): ParsedQuery {
  const query = (container as Record<string | number, unknown>)[key];
  if (isPlainObject(query)) return parseQuery(query, context);
  throw errors.parsing('[_na] query malformed, must start with start_object', {
    location: { container, key, at: 'next' },
  });
}

function parseRequest(site: ParseSite): FiltersRequest {
  const fields = readBody(site);
  const { filters } = fields;
  if (filters === undefined) throw errors.illegalArgument('[filters] cannot be empty.');
  const isAnonymous = Array.isArray(filters);
  const names = Object.keys(filters);
  if (names.length === 0) throw errors.illegalArgument('[filters] cannot be empty.');
  const byName = new Map(names.map((name) => [name, filterQuery(filters, isAnonymous ? Number(name) : name, site)]));
  const hasOther = fields.other_bucket ?? fields.other_bucket_key !== undefined;
  if (!isAnonymous) names.sort();
  return {
    names: hasOther ? [...names, fields.other_bucket_key ?? '_other_'] : names,
    queries: names.map((name) => byName.get(name)!),
    hasOther,
    isAnonymous,
    keyed: !isAnonymous && (fields.keyed ?? true),
  };
}

/** Sets the mark of each document of the window that the filter kept. */
function markKept(docs: Int32Array, count: number, kept: Int32Array, size: number, marks: Uint8Array): void {
  for (let i = 0, k = 0; i < count && k < size; i++) {
    while (k < size && kept[k]! < docs[i]!) k++;
    if (k < size && kept[k] === docs[i]) marks[i] = 1;
  }
}

function collector(request: FiltersRequest, build: BuildSite): Aggregator<FiltersPartial> {
  const filters = request.queries.map((query) =>
    docFilter(build.context.weight(query, build.nestedPath), build.context.scratch),
  );
  const subs = build.subs();
  const width = request.names.length;
  const state: BucketCounts = { counts: new Int32Array(0) };
  const list = pairs(build.context.scratch);
  let reserved = 1;
  let weights: Int32Array | null = null;
  const flush = (index: number, hasScores: boolean): void => {
    for (let i = 0; i < list.count; i++) list.ids[i] = list.ids[i]! * width + index;
    if (list.count > 0) flushPairs(list, state, reserved * width, subs, hasScores, weights);
  };
  const flushOthers = (
    docs: Int32Array,
    buckets: Int32Array | null,
    count: number,
    scores: Float32Array | null,
    marks: Uint8Array,
  ): void => {
    resetPairs(list, count);
    for (let i = 0; i < count; i++) {
      if (marks[i] === 1) continue;
      list.docs[list.count] = docs[i]!;
      list.ids[list.count] = buckets ? buckets[i]! : 0;
      list.scores[list.count++] = scores ? scores[i]! : 0;
    }
    flush(width - 1, scores !== null);
  };
  const isCountOnly = subs.size === 0 && !request.hasOther;
  /** Counts matches only: the case of one parent bucket and no sub-aggregations. */
  const countAll = (docs: Int32Array, count: number): void => {
    state.counts = growCounts(state.counts, width);
    for (let i = 0; i < filters.length; i++) state.counts[i]! += filters[i]!.count(docs, count);
  };
  return {
    segment(view) {
      for (const one of filters) one.segment(view);
      subs.segment(view);
      weights = docCounts(view);
    },
    reserve(buckets) {
      reserved = Math.max(reserved, buckets);
    },
    collect(docs, buckets, count, scores) {
      if (isCountOnly && buckets === null && weights === null) return countAll(docs, count);
      const marks = new Uint8Array(request.hasOther ? count : 0);
      filters.forEach((one, index) => {
        selectKept(one, docs, buckets, count, scores, list);
        if (request.hasOther) markKept(docs, count, list.docs, list.count, marks);
        flush(index, scores !== null);
      });
      if (request.hasOther) flushOthers(docs, buckets, count, scores, marks);
    },
    partial(bucket) {
      state.counts = growCounts(state.counts, (bucket + 1) * width);
      const counts = Array.from({ length: width }, (_, i) => state.counts[bucket * width + i]!);
      return { c: counts, s: counts.map((_, i) => subs.partials(bucket * width + i)) };
    },
  };
}

type FiltersPartial = {
  readonly c: readonly number[];
  readonly s: readonly (readonly Value[])[];
};

function reduce(request: FiltersRequest, partials: readonly (FiltersPartial | null)[], site: ReduceSite): Reduced {
  const own = present(partials);
  site.addBuckets(request.names.length);
  const buckets = request.names.map((name, i): ReducedBucket => {
    const bucket: ReducedBucket = {
      key: name,
      keyText: name,
      docCount: own.reduce((sum, p) => sum + p.c[i]!, 0),
      subs: site.subs(own.map((p) => p.s[i]!)),
      head: () =>
        request.keyed || request.isAnonymous
          ? { doc_count: bucket.docCount }
          : { key: name, doc_count: bucket.docCount },
    };
    return bucket;
  });
  return {
    typedName: 'filters',
    buckets,
    render(render) {
      return { buckets: request.keyed ? render.keyed(this.buckets!) : render.list(this.buckets!) };
    },
  };
}

/** `filters`: one bucket for each query, and on request one for documents that match none. */
export const filters: AggregationType<FiltersPartial> = {
  name: 'filters',
  valueKinds: NO_KIND,
  parse(site) {
    const request = parseRequest(site);
    return {
      acceptsSubs: true,
      shape: 'multi',
      overlapping: request.queries.length,
      queries: request.queries,
      collector: (build) => collector(request, build),
      reduce: (partials, reduceSite) => reduce(request, partials, reduceSite),
    };
  },
};
