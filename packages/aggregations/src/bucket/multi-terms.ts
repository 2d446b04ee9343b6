import type { Value } from '@shoal/codec';
import { errors } from '@shoal/errors';
import type { Aggregator, AggregationType, BuildSite, ReduceSite } from '../aggregation-type.js';
import { type BucketTable, bucketTable } from '../collect/bucket-table.js';
import { mapIds } from '../collect/map-ids.js';
import { groupByOwner } from '../collect/owned-buckets.js';
import { addPair, type BucketCounts, flushPairs, pairs, resetPairs } from '../collect/pairs.js';
import {
  anyField,
  atMost,
  booleanField,
  type FieldReader,
  countField,
  integerFrom,
  listOf,
  objectOf,
  readFields,
  stringField,
} from '../parse/body-fields.js';
import {
  BY_COUNT,
  BY_KEY,
  bucketComparator,
  type BucketOrder,
  orderField,
  ordersBySubs,
  validateOrder,
} from '../reduce/order.js';
import type { Reduced, ReducedBucket } from '../reduce/reduced.js';
import { docCounts } from '../source/doc-counts.js';
import { formatter, type FormatSpec, RAW_FORMAT, keyPath, termJson } from '../source/format.js';
import { type ScriptSite, sourceFields, sourceOf, type SourceRequest } from '../source/values-source.js';
import { JsonText, stringify, doubleNumber } from '@shoal/json';
import { formatDouble } from '@shoal/values';
import { type CompositeSource, openSource } from './composite/source.js';
import type { SourceKey } from './composite/source-reader.js';
import { compareKeyValues } from './terms-partial.js';
import { NO_KIND } from '../source/value-kinds.js';
import { present } from '../reduce/present.js';

interface MultiTermsRequest {
  readonly sources: readonly CompositeSource[];
  readonly size: number;
  readonly minDocCount: number;
  readonly order: BucketOrder;
  readonly showError: boolean;
}

type MultiTermsPartial = {
  readonly k: readonly (readonly SourceKey[])[];
  readonly c: readonly number[];
  readonly s: readonly (readonly Value[])[] | null;
  readonly f: readonly FormatSpec[];
};

/** The source of the terms of a field, named for its place. */
export const termSource = (request: SourceRequest, i: number): CompositeSource => ({
  name: String(i),
  type: 'terms',
  request,
  ascending: true,
  missingBucket: request.missing !== null,
  missingFirst: true,
  interval: 0,
  rounding: null,
  precision: 0,
});

/**
 * Collects combinations, numbered source by source: the pair (bucket of the previous sources, code) gets a bucket
 * number. Counts are exact, as shards return all combinations.
 */
function collector(request: MultiTermsRequest, build: BuildSite): Aggregator<MultiTermsPartial> {
  const readers = request.sources.map((source) => openSource(build, source));
  const missing = request.sources.map((source, i) =>
    source.request.missing === null ? null : readers[i]!.codeOf(source.request.missing),
  );
  const tables: BucketTable[] = readers.map(() => bucketTable(build.context.charge, build.context.scratch));
  const last = tables.at(-1)!;
  const subs = build.subs();
  const state: BucketCounts = { counts: new Int32Array(0) };
  const list = pairs(build.context.scratch);
  let weights: Int32Array | null = null;
  const combine = (codes: readonly (readonly number[])[], owner: number): number[] => {
    let ids = [owner];
    codes.forEach((values, level) => {
      const add = (id: number, code: number): number => tables[level]!.add(id, code === 0 ? 0 : code);
      // Most documents have one value of a field.
      if (values.length === 1) for (let i = 0; i < ids.length; i++) ids[i] = add(ids[i]!, values[0]!);
      else ids = ids.flatMap((id) => values.map((code) => add(id, code)));
    });
    return ids;
  };
  const keysOf = (id: number): SourceKey[] => {
    const keys: SourceKey[] = [];
    for (let level = tables.length - 1, at = id; level >= 0; level--) {
      const code = tables[level]!.keys[at]!;
      const fallback = request.sources[level]!.request.missing;
      keys[level] = code === missing[level] && typeof fallback === 'string' ? fallback : readers[level]!.key(code);
      at = tables[level]!.owners[at]!;
    }
    return keys;
  };
  const ownerOf = (id: number): number => tables.reduceRight((at, table) => table.owners[at]!, id);
  return {
    segment(view) {
      for (const reader of readers) reader.segment(view);
      subs.segment(view);
      weights = docCounts(view);
    },
    reserve() {},
    collect(docs, buckets, count, scores) {
      const windows = readers.map((reader) => {
        const { starts, values } = reader.codes(docs, count);
        return { starts: starts.slice(0, count + 1), values: values.slice(0, starts[count]) };
      });
      for (let i = 0; i < count; i++) {
        const codes = windows.map(({ starts, values }, level) => {
          const own = Array.from(new Set(values.subarray(starts[i], starts[i + 1])));
          return own.length === 0 && missing[level] !== null ? [missing[level]!] : own;
        });
        const ids = combine(codes, buckets ? buckets[i]! : 0);
        resetPairs(list, ids.length);
        for (const id of ids) addPair(list, docs[i]!, id, scores ? scores[i]! : 0);
        if (list.count > 0) flushPairs(list, state, last.size, subs, scores !== null, weights);
      }
    },
    partial(bucket) {
      const ids = groupByOwner(
        Int32Array.from({ length: last.size }, (_, id) => ownerOf(id)),
        last.size,
      ).of(bucket);
      return {
        k: mapIds(ids, keysOf),
        c: mapIds(ids, (id) => state.counts[id]!),
        s: subs.size > 0 ? mapIds(ids, (id) => subs.partials(id)) : null,
        f: readers.map((reader) => reader.format),
      };
    },
  };
}

interface Merged {
  readonly key: readonly SourceKey[];
  count: number;
  readonly subs: (readonly Value[])[];
}

function compareLists(a: readonly SourceKey[], b: readonly SourceKey[]): number {
  for (let i = 0; i < a.length; i++) {
    const result = compareKeyValues(a[i], b[i]);
    if (result !== 0) return result;
  }
  return 0;
}

/** A key as the answer shows it. */
export function shownKey(key: SourceKey, spec: FormatSpec): unknown {
  if (typeof key === 'string') return termJson(spec, key);
  if (key === null) return null;
  if (spec.k === 'unsigned') return key;
  if (typeof key === 'bigint') return formatter(spec).shown(Number(key)) ?? key;
  return spec.k === 'double' ? doubleNumber(key) : (formatter(spec).shown(key) ?? key);
}

const keyPart = (key: unknown): string =>
  key instanceof JsonText
    ? key.text
    : typeof key === 'number'
      ? Number.isInteger(key)
        ? String(key)
        : formatDouble(key)
      : keyPath(key);

/** A bucket whose sub-aggregations are reduced once it is known to be shown, or needed to order by. */
interface MultiBucket extends ReducedBucket {
  readonly partials: Merged['subs'];
}

function reduce(
  request: MultiTermsRequest,
  partials: readonly (MultiTermsPartial | null)[],
  site: ReduceSite,
): Reduced {
  const own = present(partials);
  const merged = new Map<string, Merged>();
  for (const { k, c, s } of own) {
    k.forEach((key, i) => {
      const id = stringify(key);
      let one = merged.get(id);
      if (!one) merged.set(id, (one = { key, count: 0, subs: [] }));
      one.count += c[i]!;
      if (s) one.subs.push(s[i]!);
    });
  }
  const formats = own[0]?.f ?? request.sources.map(() => RAW_FORMAT);
  const all = [...merged.values()]
    .filter((one) => one.count >= request.minDocCount)
    .map((one): MultiBucket => {
      const key = one.key.map((part, i) => shownKey(part, formats[i]!));
      const text = key.map(keyPart).join('|');
      const bucket: MultiBucket = {
        key: one.key,
        keyText: text,
        docCount: one.count,
        subs: new Map(),
        partials: one.subs,
        head: () => ({
          key,
          key_as_string: text,
          doc_count: bucket.docCount,
          ...(request.showError ? { doc_count_error_upper_bound: 0 } : {}),
        }),
      };
      return bucket;
    });
  const total = all.reduce((sum, one) => sum + one.docCount, 0);
  const head = { doc_count_error_upper_bound: 0, sum_other_doc_count: 0 };
  const compare = bucketComparator(request.order, (a, b) => compareLists(a.key as SourceKey[], b.key as SourceKey[]));
  const order = (): void => {
    all.sort(compare).splice(request.size);
    site.addBuckets(all.length);
    head.sum_other_doc_count = total - all.reduce((sum, bucket) => sum + bucket.docCount, 0);
  };
  if (ordersBySubs(request.order)) site.settled(order);
  else order();
  for (const bucket of all) bucket.subs = site.subs(bucket.partials);
  return {
    typedName: 'multi_terms',
    buckets: all,
    render(render) {
      return { ...head, buckets: render.list(this.buckets!) };
    },
  };
}

/** Fields of one aggregation at most: each has a level of combinations. */
const TERMS_MAX = 100;
/** More than these may take long for each document, as their codes are put together. */
const TERMS_FEW = 8;

const termsField =
  (script: ScriptSite): FieldReader<readonly SourceRequest[]> =>
  (value, site) =>
    listOf(objectOf(sourceFields))(value, site).map((fields) => sourceOf(fields, script, 'keyword'));

/** `multi_terms`: buckets of combinations of the values of several fields. */
export const multiTerms: AggregationType<MultiTermsPartial> = {
  name: 'multi_terms',
  valueKinds: NO_KIND,
  parse(site) {
    const fields = readFields(site.body, site, {
      terms: atMost(TERMS_MAX, termsField(site)),
      size: integerFrom(1, 'size'),
      shard_size: integerFrom(1, 'shardSize'),
      min_doc_count: countField('minDocCount'),
      shard_min_doc_count: countField('shardMinDocCount'),
      order: orderField,
      show_term_doc_count_error: booleanField,
      collect_mode: stringField,
      format: anyField,
    });
    if (!fields.terms) throw errors.illegalArgument('Required [terms]');
    if (fields.terms.length < 2)
      throw errors.illegalArgument(
        `The [terms] parameter in the aggregation [${site.name}] must be present and have at least 2 fields or ` +
          'scripts.',
      );
    const request: MultiTermsRequest = {
      sources: fields.terms.map(termSource),
      size: fields.size ?? 10,
      minDocCount: fields.min_doc_count ?? 1,
      order: fields.order ?? [BY_COUNT, BY_KEY],
      showError: fields.show_term_doc_count_error ?? false,
    };
    return {
      acceptsSubs: true,
      shape: 'multi',
      isSlow: request.sources.length > TERMS_FEW,
      combines: request.sources.map((source) => source.request.field),
      collector(build) {
        validateOrder(request.order, build.node);
        return collector(request, build);
      },
      reduce: (partials, reduceSite) => reduce(request, partials, reduceSite),
    };
  },
};
