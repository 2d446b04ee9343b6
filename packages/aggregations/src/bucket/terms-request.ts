import { errors } from '@shoal/errors';
import type { AggregationNode, ParseSite } from '../aggregation-type.js';
import {
  booleanField,
  type FieldReader,
  countField,
  integerFrom,
  nameOf,
  readFields,
  stringField,
} from '../parse/body-fields.js';
import { BY_COUNT, BY_KEY, type BucketOrder, orderField } from '../reduce/order.js';
import { excludeField, type IncludeExclude, includeExclude, includeField } from './include-exclude.js';
import { sourceFields, sourceOf, type SourceRequest } from '../source/values-source.js';

/** Parsed request of `terms` and similar aggregations. */
export interface TermsRequest {
  readonly source: SourceRequest;
  readonly size: number;
  /** `shard_size` of the request; null for the default. */
  readonly shardSize: number | null;
  readonly minDocCount: number;
  readonly shardMinDocCount: number;
  readonly order: BucketOrder;
  readonly showError: boolean;
  readonly filter: IncludeExclude | null;
  /** Whether `execution_hint` is `map`. Profiles show it; counting is the same. */
  readonly isMap: boolean;
  readonly isDepthFirst: boolean;
  /** `execution_hint`; null if not given. */
  readonly hint: string | null;
}

const hint: FieldReader<string> = stringField;

/** Readers of the fields of terms aggregations, those of their source included. */
export const termsFields = {
  ...sourceFields,
  size: integerFrom(1, 'size'),
  shard_size: integerFrom(1, 'shardSize'),
  min_doc_count: countField('minDocCount'),
  shard_min_doc_count: countField('shardMinDocCount'),
  order: orderField,
  include: includeField,
  exclude: excludeField,
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
    source: sourceOf(fields, site, 'keyword'),
    size,
    shardSize: fields.shard_size ?? null,
    minDocCount: fields.min_doc_count ?? 1,
    shardMinDocCount: fields.shard_min_doc_count ?? 0,
    order: fields.order ?? [BY_COUNT, BY_KEY],
    showError: fields.show_term_doc_count_error ?? false,
    filter: includeExclude(fields.include, fields.exclude),
    hint: fields.execution_hint ?? null,
    isMap: fields.execution_hint === 'map',
    isDepthFirst: fields.collect_mode === 'depth_first',
  };
}

/** Buckets without sub-aggregations that a shard of several returns, so that counts are exact for most fields. */
const EXACT_BUCKETS_MAX = 10_000;
/** The same limit for buckets with sub-aggregations, which cost more to return. */
const EXACT_BUCKETS_WITH_SUBS_MAX = 1_000;

/** Default of `shard_size` in Elasticsearch: 1.5 · size + 10. */
export function defaultShardSize(size: number): number {
  return Math.min(2_147_483_647, Math.floor(size * 1.5) + 10);
}

/**
 * Whether the answer leaves out buckets by `min_doc_count` after the shard has chosen by counts or metrics: it then
 * needs more than `size`, and those that are left out do not count as other documents.
 */
const cutsBeforeMinimum = ({ minDocCount, order }: TermsRequest): boolean => minDocCount > 1 && order[0]!.by !== 'key';

/**
 * Number of buckets that a shard returns: `shard_size` if given, `size` on the only shard, otherwise enough for exact
 * counts of most fields.
 */
export function shardLimit(request: TermsRequest, node: AggregationNode, isOnlyShard: boolean): number {
  if (request.shardSize !== null) return Math.max(request.shardSize, request.size);
  if (isOnlyShard) return cutsBeforeMinimum(request) ? defaultShardSize(request.size) : request.size;
  return Math.max(
    defaultShardSize(request.size),
    node.subs.length > 0 ? EXACT_BUCKETS_WITH_SUBS_MAX : EXACT_BUCKETS_MAX,
  );
}
