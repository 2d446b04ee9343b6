import type { Value } from '@shoal/codec';
import { growCounts } from '../collect/counts.js';
import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { type ParsedQuery, parseQuery } from '@shoal/query';
import type { Aggregator, AggregationType, BuildSite, ReduceSite } from '../aggregation-type.js';
import { docFilter, type DocFilter } from '../collect/doc-filter.js';
import { addPair, type BucketCounts, flushPairs, pairs, resetPairs } from '../collect/pairs.js';
import { anyField, readFields, stringField } from '../parse/body-fields.js';
import type { Reduced, ReducedBucket } from '../reduce/reduced.js';
import { docCounts } from '../source/doc-counts.js';
import { NO_KIND } from '../source/value-kinds.js';
import { present } from '../reduce/present.js';

const FILTERS_MAX = 100;
/** More filters have hundreds of pairs, each of which is looked for in each document. */
const FILTERS_FEW = 16;

interface MatrixRequest {
  readonly names: readonly string[];
  readonly queries: readonly ParsedQuery[];
  readonly separator: string;
}

/** Returns the names of all buckets: each filter, then each pair of filters (`a&b`) in order. */
function bucketNames({ names, separator }: MatrixRequest): string[] {
  const out = [...names];
  for (let i = 0; i < names.length; i++)
    for (let j = i + 1; j < names.length; j++) out.push(`${names[i]}${separator}${names[j]}`);
  return out;
}

/** Returns one byte a document of the window: 1 if the filter matches. */
function marksOf(filter: DocFilter, docs: Int32Array, count: number): Uint8Array {
  const size = filter.filter(docs, count);
  const { kept } = filter;
  const out = new Uint8Array(count);
  for (let i = 0, k = 0; i < count && k < size; i++) {
    while (k < size && kept[k]! < docs[i]!) k++;
    if (k < size && kept[k] === docs[i]) out[i] = 1;
  }
  return out;
}

function collector(request: MatrixRequest, build: BuildSite): Aggregator<MatrixPartial> {
  const filters = request.queries.map((query) =>
    docFilter(build.context.weight(query, build.nestedPath), build.context.scratch),
  );
  const n = filters.length;
  const width = (n * (n + 1)) / 2;
  const subs = build.subs();
  const state: BucketCounts = { counts: new Int32Array(0) };
  const list = pairs(build.context.scratch);
  let reserved = 1;
  let weights: Int32Array | null = null;
  const selected = (
    docs: Int32Array,
    buckets: Int32Array | null,
    count: number,
    index: number,
    first: Uint8Array,
    second: Uint8Array,
  ): void => {
    resetPairs(list, count);
    for (let i = 0; i < count; i++)
      if ((first[i]! & second[i]!) !== 0) addPair(list, docs[i]!, (buckets ? buckets[i]! : 0) * width + index, 0);
    if (list.count > 0) flushPairs(list, state, reserved * width, subs, false, weights);
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
    collect(docs, buckets, count) {
      const kept = filters.map((one) => marksOf(one, docs, count));
      let index = 0;
      for (const own of kept) selected(docs, buckets, count, index++, own, own);
      for (let a = 0; a < n; a++)
        for (let b = a + 1; b < n; b++) selected(docs, buckets, count, index++, kept[a]!, kept[b]!);
    },
    partial(bucket) {
      state.counts = growCounts(state.counts, (bucket + 1) * width);
      const counts = Array.from({ length: width }, (_, i) => state.counts[bucket * width + i]!);
      return {
        c: counts,
        s: counts.map((count, i) => (count > 0 ? subs.partials(bucket * width + i) : [])),
      };
    },
  };
}

type MatrixPartial = {
  readonly c: readonly number[];
  readonly s: readonly (readonly Value[])[];
};

function reduce(request: MatrixRequest, partials: readonly (MatrixPartial | null)[], site: ReduceSite): Reduced {
  const own = present(partials);
  const buckets: ReducedBucket[] = [];
  bucketNames(request).forEach((key, i) => {
    const docCount = own.reduce((sum, p) => sum + p.c[i]!, 0);
    if (docCount === 0) return;
    const bucket: ReducedBucket = {
      key,
      keyText: key,
      docCount,
      subs: site.subs(own.filter((p) => p.c[i]! > 0).map((p) => p.s[i]!)),
      head: () => ({ key, doc_count: bucket.docCount }),
    };
    buckets.push(bucket);
  });
  buckets.sort((a, b) => (a.keyText < b.keyText ? -1 : a.keyText > b.keyText ? 1 : 0));
  site.addBuckets(buckets.length);
  return {
    typedName: 'adjacency_matrix',
    buckets,
    render(render) {
      return { buckets: render.list(this.buckets!) };
    },
  };
}

/** Documents that match each of several queries, and each two of them. */
export const adjacencyMatrix: AggregationType<MatrixPartial> = {
  name: 'adjacency_matrix',
  valueKinds: NO_KIND,
  parse(site) {
    const fields = readFields(site.body, site, { filters: anyField, separator: stringField });
    if (!isPlainObject(fields.filters)) throw errors.illegalArgument('[filters] cannot be empty.');
    const entries = new Map(Object.entries(fields.filters));
    const names = [...entries.keys()].sort();
    if (names.length > FILTERS_MAX) {
      throw errors.illegalArgument(
        `Number of filters is too large, must be less than or equal to: [${FILTERS_MAX}] but was ` +
          `[${names.length}].You can increase this limit by scaling up your java heap or number of CPUs`,
      );
    }
    const request: MatrixRequest = {
      names,
      queries: names.map((name) => parseQuery(entries.get(name), site.context)),
      separator: fields.separator ?? '&',
    };
    return {
      acceptsSubs: true,
      shape: 'multi',
      overlapping: (names.length * (names.length + 1)) / 2,
      isSlow: names.length > FILTERS_FEW,
      collector: (build) => collector(request, build),
      reduce: (partials, reduceSite) => reduce(request, partials, reduceSite),
    };
  },
};
