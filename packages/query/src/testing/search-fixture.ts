import assert from 'node:assert/strict';
import { buildAnalysisRegistry } from '@shoal/analysis';
import { isApiError } from '@shoal/errors';
import { type Mapping, mappingOptions, parseDocument, parseMapping } from '@shoal/mapping';
import { type BitSet, bitSet, type FieldEntry, fullBitSet, type SegmentReader, WINDOW_DOCS } from '@shoal/segments';
import { describeQuery } from '../describe.js';
import { windowEnd } from '../execute/matchers/gather.js';
import { createWeight } from '../execute/weight.js';
import { parseQuery } from '../parse/parse-query.js';
import type { InnerHitsRequest } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { planQuery } from '../plan-query.js';
import type { Searcher, SearchSettings, SegmentView, StoredDocument } from '../searcher.js';
import { type PlainDocument, sealedSegment } from './plain-segment.js';

/** The index that a test searches. */
export interface SearchFixtureOptions {
  /** Fields by name, as under `properties` of a mapping. */
  readonly mapping: Readonly<Record<string, unknown>>;
  /** Sources in order; their ids are '1', '2', '3' … */
  readonly documents: readonly object[];
  /** Ids of documents that are deleted after indexing. */
  readonly deleted?: readonly string[];
  /** Analyzers, filters and so on, as under `analysis` of index settings. */
  readonly analysis?: Readonly<Record<string, unknown>>;
  /** Limits that differ from the defaults. */
  readonly settings?: Partial<SearchSettings>;
}

/** What a query finds. */
export interface SearchResult {
  /** Ids of the matching documents, best score first, equal scores in order of indexing. */
  readonly ids: readonly string[];
  /** Scores beside the ids, 32-bit floats printed with seven digits at most. */
  readonly scores: readonly number[];
  /** The query as `_validate/query?explain` shows it. */
  readonly plan: string;
}

/** An index in memory that runs queries of the DSL. */
export interface SearchFixture {
  readonly mapping: Mapping;
  /** Parses, plans and runs a query. Throws the error that a search would answer with. */
  search(query: object): SearchResult;
  /** Checks a table of queries and all that each answers. */
  answers(table: readonly (readonly [query: object, result: SearchResult])[]): void;
  /** Checks a table of queries and the ids that each finds, in order of indexing. */
  finds(table: readonly (readonly [query: object, ids: readonly string[]])[]): void;
  /**
   * Checks a table of queries and the error of each: `type: reason`, its causes behind ` <- `. Places in the body
   * (`[1:19]`) are missing, because the coordinator finds them in the text of the request.
   */
  refuses(table: readonly (readonly [query: object, error: string])[]): void;
}

/** Time that `now` stands for in date math: 2024-01-15T12:00:00Z. */
export const FIXTURE_NOW_MS = Date.UTC(2024, 0, 15, 12);

const DEFAULT_SETTINGS: SearchSettings = {
  maxResultWindow: 10_000,
  maxInnerResultWindow: 100,
  maxRescoreWindow: 10_000,
  maxTermsCount: 65_536,
  maxRegexLength: 1000,
  maxClauseCount: 16_384,
  maxDocvalueFields: 100,
  maxScriptFields: 32,
  maxAnalyzedOffset: 1_000_000,
  maxSlicesPerScroll: 1024,
  defaultFields: ['*'],
  queryStringLenient: false,
  allowExpensiveQueries: true,
  similarity: () => null,
};

/**
 * Builds an index over sealed segments in memory, to test a query type beside its file:
 *
 *     const index = await searchFixture({
 *       mapping: { k: { type: 'keyword' } },
 *       documents: [{ k: 'apple' }, { k: 'apricot' }, { k: 'pear' }],
 *     });
 *
 *     test('prefix finds terms that begin with the value', () =>
 *       index.answers([[{ prefix: { k: 'ap' } }, { ids: ['1', '2'], scores: [1, 1], plan: 'k:ap*' }]]));
 *
 * Each query runs over all documents in one segment and over the same documents in two, as matches with scores, as
 * matches without, and as a filter of candidates; all must find the same.
 */
export async function searchFixture(options: SearchFixtureOptions): Promise<SearchFixture> {
  const analysis = buildAnalysisRegistry(options.analysis ?? {});
  const parsing = mappingOptions({}, analysis);
  const mapping = parseMapping({ properties: options.mapping }, parsing);
  const documents = options.documents.map((source, i) => partsOf(mapping, parsing, String(i + 1), source));
  const half = Math.ceil(documents.length / 2);
  const deleted = new Set(options.deleted ?? []);
  const base = { mapping, analysis, settings: { ...DEFAULT_SETTINGS, ...options.settings } };
  const searchers = [
    searcherOf(base, [await segmentOf('whole', documents, deleted)]),
    searcherOf(base, [
      await segmentOf('first', documents.slice(0, half), deleted),
      await segmentOf('second', documents.slice(half), deleted),
    ]),
  ];
  const search = (query: object): SearchResult => {
    const [whole, split] = searchers.map((searcher) => run(query, searcher));
    assert.deepEqual(split, whole, 'two segments answer as one does');
    return whole!;
  };
  return {
    mapping,
    search,
    answers: (table) => {
      for (const [query, result] of table) assert.deepEqual(search(query), result, JSON.stringify(query));
    },
    finds: (table) => {
      for (const [query, ids] of table) assert.deepEqual(inOrder(search(query).ids), ids, JSON.stringify(query));
    },
    refuses: (table) => {
      for (const [query, error] of table)
        assert.equal(
          failureOf(() => search(query)),
          error,
          JSON.stringify(query),
        );
    },
  };
}

const inOrder = (ids: readonly string[]): string[] => [...ids].sort((a, b) => Number(a) - Number(b));

interface FixtureDocument {
  readonly source: Uint8Array;
  readonly parts: readonly PlainDocument[];
}

function partsOf(
  mapping: Mapping,
  options: Parameters<typeof parseDocument>[3],
  id: string,
  source: object,
): FixtureDocument {
  const bytes = Buffer.from(JSON.stringify(source));
  const { parts, dynamicUpdate } = parseDocument(mapping, bytes, { id, nowMs: FIXTURE_NOW_MS }, options);
  assert.equal(dynamicUpdate, null, `document [${id}] has fields that the fixture's mapping lacks`);
  const nested = parts.slice(0, -1).map((part) => ({ id: null, part }));
  const root = { nestedPath: null, entries: [...parts.at(-1)!.entries, ...metadataOf(id)] };
  return { source: bytes, parts: [...nested, { id, part: root }] };
}

/** Columns that a shard gives every root document; the first document has sequence number 1. */
function metadataOf(id: string): FieldEntry[] {
  const column = (name: string, value: number): FieldEntry => {
    const layout = { name, terms: null, column: 'long', points: name === '_seq_no' } as const;
    return { kind: 'numbers', layout, values: [value] };
  };
  return [column('_seq_no', Number(id)), column('_primary_term', 1), column('_version', 1)];
}

interface FixtureSegment {
  readonly reader: SegmentReader;
  readonly live: BitSet | null;
  readonly stored: readonly (StoredDocument | null)[];
}

async function segmentOf(
  name: string,
  documents: readonly FixtureDocument[],
  deleted: ReadonlySet<string>,
): Promise<FixtureSegment> {
  const parts = documents.flatMap((document) => document.parts);
  const sealed = await sealedSegment(name, parts);
  const stored = documents.flatMap(({ parts: own, source }) => own.map(({ id }) => storedOf(id, source)));
  const live = fullBitSet(parts.length);
  // A document is deleted with its nested ones, which stand before it.
  for (let doc = parts.length - 1, isDeleted = false; doc >= 0; doc--) {
    const { id } = parts[doc]!;
    if (id !== null) isDeleted = deleted.has(id);
    if (isDeleted) live.clear(doc);
  }
  return { reader: sealed, live: live.cardinality() === parts.length ? null : live, stored };
}

function storedOf(id: string | null, source: Uint8Array): StoredDocument | null {
  return id === null ? null : { id, routing: null, source, seqNo: Number(id), primaryTerm: 1, version: 1 };
}

function searcherOf(
  base: Pick<Searcher, 'mapping' | 'analysis' | 'settings'>,
  segments: readonly FixtureSegment[],
): Searcher {
  const views: SegmentView[] = [];
  let docBase = 0;
  for (const { reader, live } of segments) {
    const { maxDoc } = reader;
    const liveCount = live?.cardinality() ?? maxDoc;
    views.push({ reader, live, docBase, maxDoc, liveCount, version: reader.id });
    docBase += maxDoc;
  }
  const stored = segments.flatMap((segment) => segment.stored);
  const isLive = segments.flatMap(({ live, reader }) =>
    Array.from({ length: reader.maxDoc }, (_, doc) => live?.get(doc) ?? true),
  );
  return {
    ...base,
    index: 'fixture',
    indexUuid: 'fixture-uuid',
    shard: 0,
    segments: views,
    maxDoc: docBase,
    liveDocCount: stored.filter((document, doc) => document !== null && isLive[doc]).length,
    cache: { get: (_key, make) => make().value },
    stored: (doc) => stored[doc]!,
  };
}

function run(query: object, searcher: Searcher): SearchResult {
  const parsed = parseQuery(query, { maxNestedDepth: 30, allowExpensiveQueries: true });
  const innerHits: InnerHitsRequest[] = [];
  const plan = planQuery(parsed, { searcher, now: () => FIXTURE_NOW_MS, nestedPath: null, innerHits });
  const scored = matchesOf(plan, searcher, true);
  const docs = scored.map(({ doc }) => doc);
  const unscored = matchesOf(plan, searcher, false).map(({ doc }) => doc);
  assert.deepEqual(unscored, docs, 'a query that is not scored matches the same documents');
  assert.deepEqual(filteredBy(plan, searcher), scored, 'a filter keeps the same documents with the same scores');
  const best = [...scored].sort((a, b) => b.score - a.score || a.doc - b.doc);
  return {
    ids: best.map(({ doc }) => searcher.stored(doc).id),
    scores: best.map(({ score }) => Number(score.toPrecision(7))),
    plan: describeQuery(plan, searcher.mapping),
  };
}

/** A matching root document, numbered over the whole searcher; the score is 0 where none was asked for. */
interface Match {
  readonly doc: number;
  readonly score: number;
}

/** Live root documents of a segment. */
function acceptedIn({ reader, live, maxDoc }: SegmentView): BitSet {
  const accepted = bitSet(maxDoc);
  for (let doc = 0; doc < maxDoc; doc++)
    if ((live?.get(doc) ?? true) && (reader.roots?.get(doc) ?? true)) accepted.set(doc);
  return accepted;
}

function matchesOf(plan: Plan, searcher: Searcher, needsScores: boolean): Match[] {
  const weight = createWeight(plan, searcher, { needsScores });
  const docs = new Int32Array(WINDOW_DOCS);
  const scores = needsScores ? new Float64Array(WINDOW_DOCS) : null;
  return searcher.segments.flatMap((view) => {
    const matcher = weight.matcher(view, needsScores);
    const accepted = acceptedIn(view);
    const found: Match[] = [];
    for (let from = 0; matcher !== null && from < view.maxDoc; from = windowEnd(from, view.maxDoc)) {
      const count = matcher.window(from, windowEnd(from, view.maxDoc), docs, scores);
      for (let i = 0; i < count; i++)
        if (accepted.get(docs[i]!)) found.push({ doc: view.docBase + docs[i]!, score: scores?.[i] ?? 0 });
    }
    return found;
  });
}

/** What `filter` keeps of all live root documents. */
function filteredBy(plan: Plan, searcher: Searcher): Match[] {
  const weight = createWeight(plan, searcher, { needsScores: true });
  return searcher.segments.flatMap((view) => {
    const accepted = acceptedIn(view);
    const docs = Int32Array.from({ length: view.maxDoc }, (_, doc) => doc).filter((doc) => accepted.get(doc));
    const scores = new Float64Array(docs.length);
    const kept = weight.matcher(view, true)?.filter(docs, docs.length, scores) ?? 0;
    return Array.from({ length: kept }, (_, i) => ({ doc: view.docBase + docs[i]!, score: scores[i]! }));
  });
}

function failureOf(search: () => unknown): string {
  try {
    search();
  } catch (error) {
    const texts: string[] = [];
    for (let cause: unknown = error; isApiError(cause); cause = cause.causedBy)
      texts.push(`${cause.type}: ${cause.reason ?? ''}`);
    if (texts.length > 0) return texts.join(' <- ');
    throw error;
  }
  return 'no error';
}
