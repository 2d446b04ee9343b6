import { filterSourceBy, parseJson } from '@shoal/json';
import { type AccessLimits, fieldFilter, indexFilter, restrictMapping } from '@shoal/mapping';
import { decodeLimits, type MessageLimits } from '@shoal/protocol';
import {
  boolPlan,
  collectBits,
  createWeight,
  parseContext,
  parseQuery,
  type Plan,
  planQuery,
  type Searcher,
  type SegmentView,
  type StoredDocument,
  withRuntime,
} from '@shoal/query';
import { type BitSet, bitSet } from '@shoal/segments';
import type { SearcherLease } from '../shard-api.js';
import { RequestTime } from '../search/request-time.js';
import { restrictReader } from './restrict-reader.js';

/** Returns the plan of the documents that the caller may see: of each list of queries at least one must match. */
function planOf(limits: AccessLimits, searcher: Searcher, now: () => number): Plan {
  const parse = parseContext();
  const plan = (query: string): Plan =>
    planQuery(parseQuery(parseJson(Buffer.from(query)), parse), { searcher, now, nestedPath: null, innerHits: [] });
  const either = limits.queries.map(
    (queries): Plan =>
      queries.length === 1 ? plan(queries[0]!) : boolPlan({ should: queries.map(plan), minimumShouldMatch: 1 }),
  );
  return boolPlan({ filter: either });
}

/** Extends visible roots to their nested documents, which precede their root. */
function withNested(seen: BitSet, roots: BitSet, maxDoc: number): void {
  let isSeen = false;
  for (let doc = maxDoc - 1; doc >= 0; doc--) {
    if (roots.get(doc)) isSeen = seen.get(doc);
    else if (isSeen) seen.set(doc);
    else seen.clear(doc);
  }
}

interface SeenDocuments {
  readonly live: BitSet;
  readonly count: number;
  readonly roots: number;
}

function countBits(bits: BitSet, maxDoc: number, also: BitSet | null): number {
  let count = 0;
  for (let doc = 0; doc < maxDoc; doc++) if (bits.get(doc) && (also === null || also.get(doc))) count++;
  return count;
}

function seenIn(view: SegmentView, plan: Plan, searcher: Searcher): SeenDocuments {
  const matcher = createWeight(plan, searcher, { needsScores: false }).matcher(view, false);
  const seen = matcher === null ? bitSet(view.maxDoc) : collectBits(matcher, view.maxDoc);
  const { roots } = view.reader;
  if (roots !== null) withNested(seen, roots, view.maxDoc);
  for (let doc = 0; view.live !== null && doc < view.maxDoc; doc++) if (!view.live.get(doc)) seen.clear(doc);
  const count = countBits(seen, view.maxDoc, null);
  return { live: seen, count, roots: roots === null ? count : countBits(seen, view.maxDoc, roots) };
}

/**
 * Returns a searcher without the documents and fields that the caller may not see. Documents matching `plan` are
 * visible, all if it is null. `full` is the searcher with its runtime fields, on which the plan was made. `key`
 * identifies what is hidden: segments of two searchers with the same key show the same.
 */
function restrictSearcher(
  searcher: Searcher,
  full: Searcher,
  limits: AccessLimits,
  plan: Plan | null,
  key: string,
): Searcher {
  const shows = fieldFilter(limits);
  const filter = shows === null ? null : filterSourceBy(shows);
  const indexed = indexFilter(limits, searcher.mapping);
  const versioned = searcher.segments.map((view, i) => ({
    ...view,
    reader: indexed === null ? view.reader : restrictReader(view.reader, searcher.mapping, indexed),
    version: `${full.segments[i]!.version}#${key}`,
  }));
  const seen =
    plan === null
      ? null
      : full.segments.map((view, i) =>
          searcher.cache.get(`access:${versioned[i]!.version}`, () => ({
            value: seenIn(view, plan, full),
            bytes: view.maxDoc / 8 + 64,
          })),
        );
  return {
    index: searcher.index,
    indexUuid: searcher.indexUuid,
    shard: searcher.shard,
    mapping: shows === null ? searcher.mapping : restrictMapping(searcher.mapping, shows),
    analysis: searcher.analysis,
    segments:
      seen === null
        ? versioned
        : versioned.map((view, i) => ({ ...view, live: seen[i]!.live, liveCount: seen[i]!.count })),
    maxDoc: searcher.maxDoc,
    liveDocCount: seen === null ? searcher.liveDocCount : seen.reduce((sum, { roots }) => sum + roots, 0),
    hidesDocuments: seen !== null,
    ...(searcher.indexDocuments === undefined ? {} : { indexDocuments: searcher.indexDocuments }),
    settings: searcher.settings,
    cache: searcher.cache,
    stored: (doc) => (filter === null ? searcher.stored(doc) : shownDocument(searcher.stored(doc), filter, shows!)),
  };
}

/** Returns a document without its hidden fields. */
function shownDocument(
  document: StoredDocument,
  filter: (source: Uint8Array) => Uint8Array,
  shows: (path: string) => boolean,
): StoredDocument {
  const shown = (source: Uint8Array): Uint8Array => (source.length === 0 ? source : filter(source));
  return {
    ...document,
    source: shown(document.source),
    ...(document.raw === undefined ? {} : { raw: shown(document.raw) }),
    ...(document.ignored === undefined ? {} : { ignored: document.ignored.filter(shows) }),
  };
}

/** Decodes the limits in the bytes of `ShardTarget.access`; null if the caller may see everything. */
export function parseLimits(access: Uint8Array | undefined): MessageLimits | null {
  return access === undefined ? null : decodeLimits(access);
}

/**
 * Returns a lease that shows what a caller with limits may see, and has the runtime fields of the mapping. Their values
 * are read from what the caller may see. Its release and counts are those of the given lease.
 */
export function restrictLease(lease: SearcherLease, access: Uint8Array | undefined): SearcherLease {
  const limits = parseLimits(access);
  if (limits === null) return withMappedRuntime(lease);
  const { searcher } = lease;
  const { nowMs, ...lasting } = limits;
  const time = new RequestTime(nowMs ?? 0);
  const full = withRuntime(searcher);
  const plan = limits.queries.length === 0 ? null : planOf(limits, full, time.now);
  const key = JSON.stringify(time.isAsked ? limits : lasting);
  const restricted = restrictSearcher(searcher, full, limits, plan, key);
  return { ...lease, searcher: withRuntime(restricted), dependsOnTime: time.isAsked };
}

function withMappedRuntime(lease: SearcherLease): SearcherLease {
  const searcher = withRuntime(lease.searcher);
  return searcher === lease.searcher ? lease : { ...lease, searcher };
}
