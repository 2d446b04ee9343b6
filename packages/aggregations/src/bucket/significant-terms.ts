import { errors } from '@shoal/errors';
import { parseQuery, type ParsedQuery } from '@shoal/query';
import type { Aggregator, AggregationType, BuildSite, ParseSite } from '../aggregation-type.js';
import { growDoubles } from '../collect/growable.js';
import { anyField, type FieldReader, integerFrom, objectField, readFields, stringField } from '../parse/body-fields.js';
import { resolveField, sourceFields, sourceOf, type SourceRequest } from '../source/values-source.js';
import { type Background, backgroundOf } from './background.js';
import { includeExclude, type IncludeExclude } from './include-exclude.js';
import { heuristicOf, HEURISTIC_NAMES } from './significance.js';
import {
  type SignificantPartial,
  reduceSignificant,
  significantPartial,
  type SignificantRequest,
} from './significant-reduce.js';
import { NumberTerms } from './number-terms.js';
import { OrdinalTerms } from './ordinal-terms.js';
import type { TermsOptions } from './terms-collect.js';
import { defaultShardSize } from './terms-request.js';
import { TERM_KINDS } from '../source/value-kinds.js';

/** Readers of the fields that significant_terms and significant_text share. */
export const significantFields = {
  size: integerFrom(1, 'size'),
  shard_size: integerFrom(1, 'shardSize'),
  min_doc_count: integerFrom(0, 'minDocCount'),
  shard_min_doc_count: integerFrom(0, 'shardMinDocCount'),
  include: anyField,
  exclude: anyField,
  background_filter: objectField,
  execution_hint: stringField,
  ...(Object.fromEntries(HEURISTIC_NAMES.map((name) => [name, objectField])) as Record<
    string,
    FieldReader<Readonly<Record<string, unknown>>>
  >),
};

/** Makes sizes, limits and the heuristic from the fields of a body. */
export function significantRequest(
  site: ParseSite,
  fields: { readonly size?: number; readonly shard_size?: number; readonly min_doc_count?: number },
): SignificantRequest {
  const size = fields.size ?? 10;
  return {
    size,
    shardSize: Math.max(size, fields.shard_size ?? 2 * defaultShardSize(size)),
    minDocCount: fields.min_doc_count ?? 3,
    heuristic: heuristicOf(site.body),
  };
}

/** Wraps an aggregator so that it also counts all documents of each parent bucket: the size of the foreground. */
export function countingOwners(
  inner: Aggregator<SignificantPartial>,
  sizes: { values: Float64Array<ArrayBuffer> },
): Aggregator<SignificantPartial> {
  return {
    segment: (view) => inner.segment(view),
    reserve(buckets) {
      sizes.values = growDoubles(sizes.values, buckets);
      inner.reserve(buckets);
    },
    collect(docs, buckets, count, scores) {
      for (let i = 0; i < count; i++) sizes.values[buckets ? buckets[i]! : 0]!++;
      inner.collect(docs, buckets, count, scores);
    },
    partial: (bucket) => inner.partial(bucket),
  };
}

function collector(
  source: SourceRequest,
  request: SignificantRequest,
  filter: IncludeExclude | null,
  background: ParsedQuery | null,
  build: BuildSite,
): Aggregator<SignificantPartial> {
  const field = resolveField(build.context, source.field, 'terms', 'significant_terms');
  if (!field) return { segment() {}, reserve() {}, collect() {}, partial: () => null };
  if (field.column === 'double') throw errors.illegalArgument(`No support for examining floating point numerics`);
  const sizes = { values: new Float64Array(1) };
  let frequencies: Background | null = null;
  let current = 0;
  const options: TermsOptions<SignificantPartial> = {
    filter,
    missing: null,
    format: source.format,
    timeZone: null,
    withEmpty: false,
    minCount: 0,
    finish(kind, format, candidates, subs) {
      const known = (frequencies ??= backgroundOf(build, field, background));
      return significantPartial(
        request,
        kind,
        format,
        candidates,
        (id) => known.count(candidates.key(id)),
        sizes.values[current] ?? 0,
        known.size,
        subs,
        build,
      );
    },
  };
  const inner =
    field.column === 'ordinals' ? new OrdinalTerms(build, field, options) : new NumberTerms(build, field, options);
  const counted = countingOwners(inner, sizes);
  return {
    ...counted,
    partial(bucket) {
      current = bucket;
      return counted.partial(bucket);
    },
  };
}

/** `significant_terms`: terms that are more frequent among the collected documents than in the whole index. */
export const significantTerms: AggregationType<SignificantPartial> = {
  name: 'significant_terms',
  valueKinds: TERM_KINDS,
  parse(site) {
    const fields = readFields(site.body, site, { ...sourceFields, ...significantFields });
    const source = sourceOf(fields);
    const request = significantRequest(site, fields);
    const filter = includeExclude(fields.include, fields.exclude);
    const background =
      fields.background_filter === undefined ? null : parseQuery(fields.background_filter, site.context);
    return {
      acceptsSubs: true,
      shape: 'multi',
      collector: (build) => collector(source, request, filter, background, build),
      reduce: (partials, reduceSite) => reduceSignificant(request, partials, reduceSite),
    };
  },
};
