import { type ApiError, type ErrorLocation, errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { parseQuery, type ParsedQuery } from '@shoal/query';
import type { Aggregator, AggregationType, BuildSite, ParseSite } from '../aggregation-type.js';
import { growDoubles } from '../collect/growable.js';
import {
  type FieldReader,
  type FieldReaders,
  countField,
  integerFrom,
  objectField,
  type ReadFields,
  readFields,
  stringField,
  tokenAfter,
} from '../parse/body-fields.js';
import { resolveField, sourceFields, sourceOf, type SourceRequest } from '../source/values-source.js';
import { type Background, backgroundOf } from './background.js';
import { excludeField, includeExclude, type IncludeExclude, includeField } from './include-exclude.js';
import { HEURISTIC_NAMES, HEURISTIC_OPTIONS, heuristicOf } from './significance.js';
import {
  type SignificantPartial,
  reduceSignificant,
  significantPartial,
  type SignificantRequest,
} from './significant-reduce.js';
import { NumberTerms } from './number-terms.js';
import { OrdinalTerms } from './ordinal-terms.js';
import type { TermsOptions } from './terms-collect.js';
import { didYouMean } from '@shoal/values';
import { defaultShardSize } from './terms-request.js';
import { TERM_KINDS } from '../source/value-kinds.js';

/** Readers of the fields that significant_terms and significant_text share. */
export const significantFields = {
  size: integerFrom(1, 'size'),
  shard_size: integerFrom(1, 'shardSize'),
  min_doc_count: countField('minDocCount'),
  shard_min_doc_count: countField('shardMinDocCount'),
  include: includeField,
  exclude: excludeField,
  background_filter: objectField,
  execution_hint: stringField,
  ...(Object.fromEntries(HEURISTIC_NAMES.map((name) => [name, objectField])) as Record<
    string,
    FieldReader<Readonly<Record<string, unknown>>>
  >),
};

/**
 * Reads the fields of a body. 8.12 takes a key that it does not know for the name of a heuristic, whose body it reads
 * with errors of its own.
 */
export function readSignificant<S extends FieldReaders>(site: ParseSite, readers: S): ReadFields<S> {
  const { body } = site;
  for (const key of Object.keys(body)) {
    if (HEURISTIC_OPTIONS.has(key)) checkHeuristic(body, key);
    else if (!Object.hasOwn(readers, key))
      throw unknownHeuristic(site, key, [...Object.keys(readers), ...HEURISTIC_OPTIONS.keys()]);
  }
  return readFields(body, site, readers);
}

function unknownHeuristic({ body, type }: ParseSite, key: string, known: readonly string[]): ApiError {
  const cause = errors.namedObjectNotFound(`unknown field [${key}]`, { location: { container: body, key } });
  const location: ErrorLocation = { container: body, key, at: 'key' };
  const reason = `[${type}] unknown field [${key}]${didYouMean(key, known)}`;
  return errors.xContentParse(reason, { location, cause, rootCauses: [cause] });
}

/** Refuses a heuristic that is no object, and options that it does not have. */
function checkHeuristic(body: ParseSite['body'], key: string): void {
  const options = body[key];
  if (!isPlainObject(options))
    throw errors.xContentParse(`[${key}] Expected START_OBJECT but was: ${followingToken(body, key)}`, {
      location: { container: body, key, at: 'next' },
    });
  for (const name of Object.keys(options))
    if (!HEURISTIC_OPTIONS.get(key)!.includes(name))
      throw errors.xContentParse(`[${key}] unknown field [${name}]`, {
        location: { container: options, key: name, at: 'key' },
      });
}

/** The token behind the first one of the value of a key. */
function followingToken(body: ParseSite['body'], key: string): string {
  const value = body[key];
  if (Array.isArray(value)) return tokenAfter(value, -1);
  return Object.keys(body).at(-1) === key ? 'END_OBJECT' : 'FIELD_NAME';
}

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
  if (field.column === 'double') throw errors.unsupportedOperation('No support for examining floating point numerics');
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
    const fields = readSignificant(site, { ...sourceFields, ...significantFields });
    const source = sourceOf(fields, site, 'keyword');
    const request = significantRequest(site, fields);
    const filter = includeExclude(fields.include, fields.exclude);
    const background =
      fields.background_filter === undefined ? null : parseQuery(fields.background_filter, site.context);
    return {
      acceptsSubs: true,
      shape: 'multi',
      reads: [{ source, kind: 'terms' }],
      collector: (build) => collector(source, request, filter, background, build),
      reduce: (partials, reduceSite) => reduceSignificant(request, partials, reduceSite),
    };
  },
};
