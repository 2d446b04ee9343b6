import type { Value } from '@shoal/codec';
import { errors } from '@shoal/errors';
import type { Aggregator, AggregationType, BuildSite, ReduceSite } from '../aggregation-type.js';
import { type FieldReader, longField, numberField, readFields } from '../parse/body-fields.js';
import type { Reduced, ReducedBucket } from '../reduce/reduced.js';
import { formatIn, termKeyText, termJson, keyPath } from '../source/format.js';
import { resolveField, sourceFields, sourceOf, type SourceRequest } from '../source/values-source.js';
import { excludeField, includeExclude, includeField } from './include-exclude.js';
import { NumberTerms } from './number-terms.js';
import { OrdinalTerms } from './ordinal-terms.js';
import type { TermsOptions } from './terms-collect.js';
import { compareKeyValues, type TermsPartial } from './terms-partial.js';
import { unmappedTerms } from './unmapped.js';
import { TERM_KINDS } from '../source/value-kinds.js';
import { present } from '../reduce/present.js';

const MAX_DOC_COUNT_LIMIT = 100;

const maxDocCountField: FieldReader<number> = (value, site) => {
  const count = longField(value, site);
  if (count <= 0)
    throw errors.illegalArgument(`[max_doc_count] must be greater than 0. Found [${count}] in [${site.name}]`);
  if (count > MAX_DOC_COUNT_LIMIT)
    throw errors.illegalArgument(`[max_doc_count] must be smaller than ${MAX_DOC_COUNT_LIMIT}in [${site.name}]`);
  return count;
};

const precisionField: FieldReader<number> = (value, site) => {
  const precision = numberField(value, site);
  if (precision < 0.00001) throw errors.illegalArgument(`[precision] must be greater than 0.00001`);
  return precision;
};

/**
 * Shards return every term, as a term is rare only by the sum of its counts over all shards. A term above the limit on
 * one shard is returned without its sub-aggregations.
 */
function collector(
  source: SourceRequest,
  options: Omit<TermsOptions<TermsPartial>, 'finish'>,
  maxDocCount: number,
  build: BuildSite,
): Aggregator<TermsPartial> {
  const field = resolveField(build.context, source.field, 'terms', 'rare_terms');
  const full: TermsOptions<TermsPartial> = {
    ...options,
    finish(kind, format, { ids, count, key }, subs) {
      return {
        t: kind,
        f: format,
        k: Array.from(ids, key),
        c: Float64Array.from(ids, count),
        s: subs.size > 0 ? Array.from(ids, (id) => (count(id) <= maxDocCount ? subs.partials(id) : [])) : null,
        o: 0,
        cut: false,
      };
    },
  };
  if (!field) return unmappedTerms(build, full);
  if (field.column === 'double')
    throw errors.illegalArgument('RareTerms aggregation does not support floating point fields.');
  return field.column === 'ordinals' ? new OrdinalTerms(build, field, full) : new NumberTerms(build, field, full);
}

interface Rare {
  readonly key: string | number | bigint;
  count: number;
  readonly subs: (readonly Value[])[];
}

function reduce(maxDocCount: number, partials: readonly (TermsPartial | null)[], site: ReduceSite): Reduced {
  const own = present(partials);
  const merged = new Map<string | number | bigint, Rare>();
  for (const { k, c, s } of own) {
    k.forEach((key, i) => {
      let one = merged.get(key);
      if (!one) merged.set(key, (one = { key, count: 0, subs: [] }));
      one.count += c[i]!;
      if (s) one.subs.push(s[i]!);
    });
  }
  const formatter = formatIn(own);
  const rare = [...merged.values()]
    .filter((one) => one.count <= maxDocCount)
    .sort((a, b) => a.count - b.count || compareKeyValues(a.key, b.key));
  site.addBuckets(rare.length);
  const buckets = rare.map((one): ReducedBucket => {
    const json = typeof one.key === 'string' ? termJson(formatter.spec, one.key) : one.key;
    const text = termKeyText(one.key, formatter);
    const bucket: ReducedBucket = {
      key: one.key,
      keyText: text ?? keyPath(json),
      docCount: one.count,
      subs: site.subs(one.subs),
      head: () => ({ key: json, ...(text === null ? {} : { key_as_string: text }), doc_count: bucket.docCount }),
    };
    return bucket;
  });
  const kind = own.find((p) => p.k.length > 0)?.t ?? own[0]?.t;
  return {
    typedName: kind === undefined ? 'sterms' : kind === 's' ? 'srareterms' : 'lrareterms',
    buckets,
    render(render) {
      return { buckets: render.list(this.buckets!) };
    },
  };
}

/**
 * `rare_terms`: terms in at most `max_doc_count` documents. Counts are exact: no filter approximates the set of
 * frequent terms. A number counts as often as a document has it, as in Elasticsearch.
 */
export const rareTerms: AggregationType<TermsPartial> = {
  name: 'rare_terms',
  valueKinds: TERM_KINDS,
  parse(site) {
    const fields = readFields(site.body, site, {
      ...sourceFields,
      max_doc_count: maxDocCountField,
      precision: precisionField,
      include: includeField,
      exclude: excludeField,
    });
    const source = sourceOf(fields, site, 'keyword');
    const maxDocCount = fields.max_doc_count ?? 1;
    const options = {
      filter: includeExclude(fields.include, fields.exclude),
      missing: source.missing,
      format: source.format,
      timeZone: null,
      withEmpty: false,
      minCount: 0,
      countsRepeats: true,
    };
    return {
      acceptsSubs: true,
      shape: 'multi',
      reads: [{ source, kind: 'terms' }],
      collector: (build) => collector(source, options, maxDocCount, build),
      reduce: (partials, reduceSite) => reduce(maxDocCount, partials, reduceSite),
    };
  },
};
