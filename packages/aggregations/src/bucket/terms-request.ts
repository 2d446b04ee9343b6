import { errors } from '@shoal/errors';
import type { AggregationNode, ParseSite } from '../aggregation-type.js';
import {
  anyField,
  booleanField,
  type FieldReader,
  integerFrom,
  nameOf,
  readFields,
  stringField,
} from '../parse/body-fields.js';
import { BY_COUNT, BY_KEY, type BucketOrder, orderField } from '../reduce/order.js';
import { type IncludeExclude, includeExclude } from './include-exclude.js';
import { sourceFields, sourceOf, type SourceRequest } from '../source/values-source.js';

/** What `terms` and its kin ask for. */
export interface TermsRequest {
  readonly source: SourceRequest;
  readonly size: number;
  /** As given; null for the default. */
  readonly shardSize: number | null;
  readonly minDocCount: number;
  readonly shardMinDocCount: number;
  readonly order: BucketOrder;
  readonly showError: boolean;
  readonly filter: IncludeExclude | null;
  /** `execution_hint: map`: shows in profiles only, counting is the same. */
  readonly isMap: boolean;
  readonly isDepthFirst: boolean;
}

const hint: FieldReader<string> = stringField;

/** Fields of terms aggregations besides those of their source. */
export const termsFields = {
  ...sourceFields,
  size: integerFrom(1, 'size'),
  shard_size: integerFrom(1, 'shardSize'),
  min_doc_count: integerFrom(0, 'minDocCount'),
  shard_min_doc_count: integerFrom(0, 'shardMinDocCount'),
  order: orderField,
  include: anyField,
  exclude: anyField,
  collect_mode: nameOf(['depth_first', 'breadth_first'], (text) =>
    errors.parse(`no [collect_mode] found for value [${text}]`),
  ),
  execution_hint: hint,
  show_term_doc_count_error: booleanField,
};

/** Reads the body of a terms aggregation. */
export function parseTerms(site: ParseSite): TermsRequest {
  const fields = readFields(site.body, site, termsFields);
  const size = fields.size ?? 10;
  return {
    source: sourceOf(fields),
    size,
    shardSize: fields.shard_size ?? null,
    minDocCount: fields.min_doc_count ?? 1,
    shardMinDocCount: fields.shard_min_doc_count ?? 0,
    order: fields.order ?? [BY_COUNT, BY_KEY],
    showError: fields.show_term_doc_count_error ?? false,
    filter: includeExclude(fields.include, fields.exclude),
    isMap: fields.execution_hint === 'map',
    isDepthFirst: fields.collect_mode === 'depth_first',
  };
}

/** Buckets that a shard returns for exact counts although others take part: without and with sub-aggregations. */
const EXACT_BUCKETS_MAX = 10_000;
const EXACT_BUCKETS_WITH_SUBS_MAX = 1_000;

/** Elasticsearch's default shard_size. */
export function defaultShardSize(size: number): number {
  return Math.min(2_147_483_647, Math.floor(size * 1.5) + 10);
}

/**
 * How many buckets a shard returns: all that the answer needs when it is alone, all there are within a budget, or the
 * given `shard_size`.
 */
export function shardLimit(request: TermsRequest, node: AggregationNode, isOnlyShard: boolean): number {
  if (request.shardSize !== null) return Math.max(request.shardSize, request.size);
  if (isOnlyShard) return request.size;
  return Math.max(
    defaultShardSize(request.size),
    node.subs.length > 0 ? EXACT_BUCKETS_WITH_SUBS_MAX : EXACT_BUCKETS_MAX,
  );
}
