import { errors } from '@shoal/errors';
import { murmur3 } from '@shoal/codec';
import type { AggregationNode, AggregationType, ReduceSite } from '../aggregation-type.js';
import { addPair, type Pairs, pairs, resetPairs } from '../collect/pairs.js';
import { type FieldReader, integerField, numberField, readFields } from '../parse/body-fields.js';
import { present } from '../reduce/present.js';
import type { Reduced } from '../reduce/reduced.js';
import { scaleResults } from '../reduce/scale-results.js';
import { docCounts } from '../source/doc-counts.js';
import { NO_KIND } from '../source/value-kinds.js';
import { type SinglePartial, singleBucket } from './single-bucket.js';

/** Partial result: the sampled documents, and the seed `r` that chose them. */
type RandomPartial = SinglePartial & { readonly r: number };

/** Aggregations whose results can be estimated from a sample, as 8.12 has them. */
const SAMPLED: ReadonlySet<string> = new Set([
  ...['avg', 'sum', 'min', 'max', 'stats', 'extended_stats', 'value_count', 'cardinality', 'weighted_avg'],
  ...['percentiles', 'percentile_ranks', 'median_absolute_deviation', 'boxplot', 'geo_bounds', 'geo_centroid'],
  ...['terms', 'rare_terms', 'multi_terms', 'significant_terms', 'significant_text', 'composite', 'categorize_text'],
  ...['histogram', 'date_histogram', 'auto_date_histogram', 'range', 'date_range', 'ip_range', 'geo_distance'],
  ...['geohash_grid', 'geotile_grid', 'filter', 'filters', 'top_metrics'],
]);

const probabilityField: FieldReader<number> = (value, site) => {
  const number = numberField(value, site);
  const shown = Number.isInteger(number) ? `${number}.0` : String(number);
  if (number <= 0) throw errors.illegalArgument(`[probability] must be greater than 0.0, was [${shown}]`);
  if (number <= 0.5 || number === 1) return number;
  throw errors.illegalArgument(`[probability] must be between 0.0 and 0.5 or exactly 1.0, was [${shown}]`);
};

function checkPlace(node: AggregationNode, probability: number | undefined): void {
  const own = `[random_sampler] aggregation [${node.name}]`;
  if (node.parent !== null) throw errors.illegalArgument(`${own} cannot have a parent aggregation`);
  if (node.subs.length === 0) throw errors.illegalArgument(`${own} must have sub-aggregations`);
  if (probability === undefined) throw errors.illegalArgument(`${own} must have [probability] set`);
  checkSampled(own, node.subs);
}

function checkSampled(own: string, nodes: readonly AggregationNode[]): void {
  for (const { type, name, subs } of nodes) {
    if (!SAMPLED.has(type))
      throw errors.illegalArgument(`${own} does not support sampling [${type}] aggregation [${name}]`);
    checkSampled(own, subs);
  }
}

/**
 * Whether a document is in the sample. The numbers of documents are mixed with the seed by the finalizer of MurmurHash3
 * (Appleby), whose results are spread evenly: the same seed chooses the same documents of unchanged segments.
 */
export function isSampled(doc: number, seed: number, probability: number): boolean {
  let h = Math.imul(doc ^ seed, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0 < probability * 2 ** 32;
}

/** A seed for a request without one. All shards of an index have the same time. */
const seedOfTime = (nowMs: number): number => murmur3(String(nowMs)) | 0;

function reduce(
  probability: number,
  given: number | undefined,
  partials: readonly (RandomPartial | null)[],
  site: ReduceSite,
): Reduced {
  const own = present(partials);
  const docCount = own.reduce((sum, p) => sum + p.c, 0);
  const subs = site.subs(own.map((p) => p.s));
  if (probability < 1) site.settled(() => scaleResults(subs, site.node.subs, probability));
  const seed = given ?? own[0]?.r ?? seedOfTime(site.now());
  return {
    typedName: 'random_sampler',
    buckets: null,
    subs,
    docCount,
    value: (property) => (property === null ? docCount : undefined),
    render: (render) => ({ seed, probability, doc_count: docCount, ...render.subs(subs) }),
  };
}

/**
 * `random_sampler`: a random share of the documents, of which counts and sums are scaled up to all. Its own count
 * is that of the documents that were sampled.
 */
export const randomSampler: AggregationType<RandomPartial> = {
  name: 'random_sampler',
  valueKinds: NO_KIND,
  parse(site) {
    const fields = readFields(site.body, site, { seed: integerField, probability: probabilityField });
    const probability = fields.probability ?? 1;
    return {
      acceptsSubs: true,
      shape: 'single',
      checkPlace: (node) => checkPlace(node, fields.probability),
      collector(build) {
        const { searcher, now, scratch } = build.context;
        const seed = fields.seed ?? seedOfTime(now());
        const mixed = murmur3(`${searcher.indexUuid}/${searcher.shard}/${seed}`);
        let base = 0;
        const parts = {
          segment: ({ docBase }: { readonly docBase: number }) => void (base = docBase),
          select(docs: Int32Array, _: unknown, count: number, scores: Float32Array | null, into: Pairs) {
            resetPairs(into, count);
            for (let i = 0; i < count; i++)
              if (probability === 1 || isSampled(base + docs[i]!, mixed, probability))
                addPair(into, docs[i]!, 0, scores ? scores[i]! : 0);
          },
        };
        const list = pairs(scratch);
        const single = singleBucket(build, parts, list, docCounts);
        return {
          ...single,
          partial(bucket): RandomPartial | null {
            const partial = single.partial(bucket);
            return partial === null ? null : { ...partial, r: seed };
          },
        };
      },
      reduce: (partials, reduceSite) => reduce(probability, fields.seed, partials, reduceSite),
    };
  },
};
