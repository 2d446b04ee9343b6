import { parseJson, stringify } from '@shoal/json';
import type { IndexMetadata } from '@shoal/state';
import { broadcast } from '../admin/broadcast.js';
import { refresh } from '../admin/refresh.js';
import { activePrimary } from '../active-primary.js';
import type { CallContext, JsonAnswer } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import { wholeSearch } from '../search/parse/whole-search.js';
import type { SearchRequest } from '../search/parse/search-request.js';
import { search } from '../search/search.js';
import { OPEN_ONLY } from '@shoal/state';
import { withQuarantines } from './quarantine-access.js';
import type { Quarantine } from './quarantine-index.js';

/** A pattern that no name matches: a search of no names would be one of all indices. */
const NOTHING = '.quarantine-#*';
/** Quarantine indices that are counted, at most. */
const INDICES_MAX = 10_000;

/** How much a quarantine holds. */
export interface QuarantineSize {
  readonly name: string;
  readonly documents: number;
  /** Bytes of the primaries. */
  readonly bytes: number;
  /** Time of the first refusal, in milliseconds; null for an empty one. */
  readonly oldestMs: number | null;
  readonly indices: readonly string[];
  /** Whether all of its indices could be counted: one that was just made, or is red, is not. */
  readonly isWhole: boolean;
}

const opened = (found: readonly Quarantine[]): IndexMetadata[] =>
  found.flatMap(({ indices }) => indices.filter(({ state }) => state === 'open'));

/** Runs a search over the entries of quarantines as the caller. All entries that were answered are found. */
export async function searchEntries(
  context: CoordinatorContext,
  found: readonly Quarantine[],
  request: SearchRequest,
  call: CallContext,
): Promise<JsonAnswer> {
  const indices = opened(found);
  if (indices.length > 0) await refresh(context, indices);
  const names = indices.length === 0 ? [NOTHING] : indices.map(({ name }) => name);
  return search(context, { ...request, target: { names, options: OPEN_ONLY } }, withQuarantines(call, found));
}

/** The entries of one index. */
interface EntryBucket {
  readonly key: string;
  readonly doc_count: number;
  readonly oldest: { readonly value: number | null };
}

interface Counted {
  readonly aggregations: { readonly indices: { readonly buckets: readonly EntryBucket[] } };
}

/** Counts the entries of indices of quarantines, by the name of the index; those without any are left out. */
export async function countEntries(
  context: CoordinatorContext,
  indices: readonly IndexMetadata[],
  call: CallContext,
): Promise<ReadonlyMap<string, EntryBucket>> {
  if (indices.length === 0) return new Map();
  await refresh(context, indices);
  const body = {
    size: 0,
    aggs: {
      indices: { terms: { field: '_index', size: INDICES_MAX }, aggs: { oldest: { min: { field: '@timestamp' } } } },
    },
  };
  const names = indices.map(({ name }) => name);
  const { chunks } = await search(context, wholeSearch(names, Buffer.from(stringify(body))), call);
  const { aggregations } = parseJson(Buffer.concat(chunks)) as Counted;
  return new Map(aggregations.indices.buckets.map((bucket) => [bucket.key, bucket]));
}

/** Returns how much quarantines hold. */
export async function quarantineSizes(
  context: CoordinatorContext,
  found: readonly Quarantine[],
  call: CallContext,
): Promise<QuarantineSize[]> {
  const state = context.cluster.state();
  const isActive = ({ uuid, numberOfShards }: IndexMetadata): boolean =>
    Array.from({ length: numberOfShards }).every((_none, shard) => activePrimary(state, uuid, shard) !== null);
  const indices = opened(found).filter(isActive);
  const [buckets, stats] = await Promise.all([
    countEntries(context, indices, withQuarantines(call, found)),
    broadcast(context, indices, 'stats', {}, 'primaries'),
  ]);
  const bytes = new Map<string, number>();
  for (const { index, body: told } of stats.shards) {
    const { store } = told as { store?: { size_in_bytes?: number } };
    bytes.set(index, (bytes.get(index) ?? 0) + (store?.size_in_bytes ?? 0));
  }
  const counted = new Set(indices);
  return found.map((one) => sizeOf(one, buckets, bytes, counted));
}

function sizeOf(
  { name, indices }: Quarantine,
  buckets: ReadonlyMap<string, EntryBucket>,
  bytes: ReadonlyMap<string, number>,
  counted: ReadonlySet<IndexMetadata>,
): QuarantineSize {
  const own = indices.flatMap((index) => buckets.get(index.name) ?? []);
  const times = own.flatMap(({ oldest }) => oldest.value ?? []);
  return {
    name,
    documents: own.reduce((sum, bucket) => sum + bucket.doc_count, 0),
    bytes: indices.reduce((sum, index) => sum + (bytes.get(index.name) ?? 0), 0),
    oldestMs: times.length === 0 ? null : Math.min(...times),
    indices: indices.map((index) => index.name),
    isWhole: indices.every((index) => counted.has(index)),
  };
}
