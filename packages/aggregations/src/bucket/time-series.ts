import { errors } from '@shoal/errors';
import type { Aggregator, AggregationType, BuildSite, ReduceSite } from '../aggregation-type.js';
import { booleanField, type FieldReader, integerField, readFields } from '../parse/body-fields.js';
import { present } from '../reduce/present.js';
import type { Reduced, ReducedBucket } from '../reduce/reduced.js';
import { formatIn, keyPath, termJson } from '../source/format.js';
import { NO_KIND } from '../source/value-kinds.js';
import { resolveField } from '../source/values-source.js';
import { OrdinalTerms } from './ordinal-terms.js';
import type { TermsOptions } from './terms-collect.js';
import { compareKeyValues, mergeTerms, reduceTermSubs, type TermsPartial } from './terms-partial.js';
import { unmappedTerms } from './unmapped.js';

/** `size` of a request without one. */
const SIZE = 10_000;

const sizeField: FieldReader<number> = (value, site) => {
  const size = integerField(value, site);
  if (size > 0) return size;
  throw errors.illegalArgument(`[size] must be greater than 0. Found [${size}] in [${site.name}]`);
};

/** The first series of a shard, by their ids: more of them cannot be among the first of all shards. */
function collector(size: number, build: BuildSite): Aggregator<TermsPartial> {
  const options: TermsOptions<TermsPartial> = {
    filter: null,
    missing: null,
    format: null,
    timeZone: null,
    withEmpty: false,
    minCount: 0,
    finish(kind, format, { ids, count, key, compareKeys }, subs) {
      const first = Array.from(ids).sort(compareKeys).slice(0, size);
      return {
        t: kind,
        f: format,
        k: first.map(key),
        c: Float64Array.from(first, count),
        s: subs.size > 0 ? first.map((id) => subs.partials(id)) : null,
        o: 0,
        cut: false,
      };
    },
  };
  const field = resolveField(build.context, '_tsid', 'terms', 'time_series');
  return field === null ? unmappedTerms(build, options) : new OrdinalTerms(build, field, options);
}

function reduce(size: number, keyed: boolean, partials: readonly (TermsPartial | null)[], site: ReduceSite): Reduced {
  const own = present(partials);
  const { spec } = formatIn(own);
  const first = [...mergeTerms(own).terms].sort((a, b) => compareKeyValues(a.key, b.key)).slice(0, size);
  site.addBuckets(first.length);
  const buckets = first.map((term): ReducedBucket => {
    const json = termJson(spec, String(term.key));
    const bucket: ReducedBucket = {
      key: term.key,
      keyText: keyPath(json),
      docCount: term.count,
      subs: reduceTermSubs(term, site),
      head: () => ({ key: json, doc_count: bucket.docCount }),
    };
    return bucket;
  });
  return {
    typedName: 'time_series',
    buckets,
    render(render) {
      return { buckets: keyed ? render.keyed(this.buckets!) : render.list(this.buckets!) };
    },
  };
}

/**
 * `time_series`: a bucket for each time series of indices of the mode `time_series`, in the order of their ids. Other
 * indices have none.
 */
export const timeSeries: AggregationType<TermsPartial> = {
  name: 'time_series',
  valueKinds: NO_KIND,
  parse(site) {
    const { keyed = false, size = SIZE } = readFields(site.body, site, { keyed: booleanField, size: sizeField });
    return {
      acceptsSubs: true,
      shape: 'multi',
      collector: (build) => collector(size, build),
      reduce: (partials, reduceSite) => reduce(size, keyed, partials, reduceSite),
    };
  },
};
