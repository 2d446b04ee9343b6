import type { JsonObject } from '@shoal/json';
import { documentId } from './document-id.js';
import type { GroupSource } from './group-sources.js';
import { groupsOf, groupsRequest, type MadePage } from './pivot.js';
import type { LatestConfig } from './transform-config.js';

const TOP = '_newest';

/** The groups of a `latest`: its unique keys. Documents without one of them are left out. */
export const latestGroups = ({ uniqueKey }: LatestConfig): readonly GroupSource[] =>
  uniqueKey.map((name) => ({ name, type: 'terms', field: name, body: { field: name }, missingBucket: false }));

/** Returns the aggregations of a search for the newest documents of a page of groups. */
export function latestRequest(config: LatestConfig, size: number, after: JsonObject | null): JsonObject {
  const newest = { [TOP]: { top_hits: { size: 1, sort: [{ [config.sort]: { order: 'desc' } }] } } };
  return groupsRequest(latestGroups(config), newest, size, after);
}

interface TopHits {
  readonly hits: { readonly hits: readonly { readonly _source: JsonObject }[] };
}

/** Makes the documents of a page of groups: copies of the newest ones. */
export function latestPage(answer: JsonObject, config: LatestConfig): MadePage {
  const { buckets, after_key: after } = groupsOf(answer);
  return {
    documents: buckets.map((bucket) => ({
      id: documentId(config.uniqueKey.map((name) => bucket.key[name] ?? null)),
      source: (bucket[TOP] as TopHits).hits.hits[0]!._source,
    })),
    after: after ?? null,
    read: buckets.reduce((sum, { doc_count: count }) => sum + count, 0),
  };
}
