import assert from 'node:assert/strict';
import { buildAnalysisRegistry } from '@shoal/analysis';
import { isApiError } from '@shoal/errors';
import { type Mapping, mappingOptions, parseDocument, parseMapping, type ReadQuery } from '@shoal/mapping';
import {
  type BitSet,
  bitSet,
  type FieldEntry,
  fullBitSet,
  type GraphLimits,
  type SegmentReader,
} from '@shoal/segments';
import { readStoredQuery } from '../percolate/stored-query.js';
import { withRuntime } from '../runtime/runtime-searcher.js';
import type { IndexDocuments, Searcher, SearchSettings, SegmentView, StoredDocument } from '../searcher.js';
import { type PlainDocument, plainReader, sealedSegment } from './plain-segment.js';

/** Content and options of an index in memory. */
export interface MemoryIndexOptions {
  /** Fields by name, as under `properties` of a mapping. */
  readonly mapping: Readonly<Record<string, unknown>>;
  /** Runtime fields by path, as under `runtime` of a mapping. */
  readonly runtime?: Readonly<Record<string, unknown>>;
  /** Sources in order; their ids are '1', '2', '3' … */
  readonly documents: readonly object[];
  /** Routing value of all documents; they have none by default. */
  readonly routing?: string;
  /** Ids of documents that are deleted after indexing. */
  readonly deleted?: readonly string[];
  /** Analyzers, filters and so on, as under `analysis` of index settings. */
  readonly analysis?: Readonly<Record<string, unknown>>;
  /** Settings that the mapping depends on, such as those of an index of time series. */
  readonly indexSettings?: Readonly<Record<string, unknown>>;
  /** Limits that differ from the defaults. */
  readonly settings?: Partial<SearchSettings>;
  /** Limits of the graphs over vectors; none are made if absent. */
  readonly graphs?: GraphLimits;
}

/** Documents in memory, which searchers see in segments of a test's choice. */
export interface MemoryIndex {
  readonly mapping: Mapping;
  readonly documentCount: number;
  /** A searcher over a shard with the given documents, numbered from 0, in the given segments. */
  searcher(segments: readonly (readonly number[])[]): Promise<Searcher>;
}

/** Time of `now` in date math: 2024-01-15T12:00:00Z. */
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
 * Parses documents and returns an index that makes searchers over sealed segments of them, read by the production
 * readers.
 */
export function memoryIndex(options: MemoryIndexOptions): MemoryIndex {
  const analysis = buildAnalysisRegistry(options.analysis ?? {});
  const parsing = { ...mappingOptions(options.indexSettings ?? {}, analysis), checkScript: () => {} };
  const mapping = parseMapping({ properties: options.mapping, runtime: options.runtime ?? {} }, parsing);
  const base = { mapping, analysis, settings: { ...DEFAULT_SETTINGS, ...options.settings } };
  const readQuery: ReadQuery = (query) => readStoredQuery(query, searcherOf(base, []));
  const documents = options.documents.map((source, i) =>
    partsOf(mapping, parsing, { id: String(i + 1), routing: options.routing ?? null, readQuery }, source),
  );
  const deleted = new Set(options.deleted ?? []);
  return {
    mapping,
    documentCount: documents.length,
    async searcher(segments) {
      const sealed = segments.map((numbers, i) =>
        segmentOf(
          `${i}:${numbers.join()}`,
          numbers.map((number) => documents[number]!),
          deleted,
          options.graphs,
        ),
      );
      return withRuntime(searcherOf(base, await Promise.all(sealed)));
    },
  };
}

interface FixtureDocument {
  readonly source: Uint8Array;
  readonly parts: readonly PlainDocument[];
}

function partsOf(
  mapping: Mapping,
  options: Parameters<typeof parseDocument>[3],
  given: { readonly id: string; readonly routing: string | null; readonly readQuery?: ReadQuery },
  source: object,
): FixtureDocument {
  const bytes = Buffer.from(JSON.stringify(source));
  const { id } = given;
  const { parts, dynamicUpdate } = parseDocument(mapping, bytes, { ...given, nowMs: FIXTURE_NOW_MS }, options);
  assert.equal(dynamicUpdate, null, `document [${id}] has fields that the fixture's mapping lacks`);
  const nested = parts.slice(0, -1).map((part) => ({ id: null, part }));
  const root = { nestedPath: null, entries: [...parts.at(-1)!.entries, ...metadataOf(id)] };
  return { source: bytes, parts: [...nested, { id, part: root }] };
}

/** Returns the columns that a shard adds to every root document; the first document has sequence number 1. */
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
  graphs?: GraphLimits,
): Promise<FixtureSegment> {
  const parts = documents.flatMap((document) => document.parts);
  const sealed = await sealedSegment(name, parts, graphs);
  const stored = documents.flatMap(({ parts: own, source }) => own.map(({ id }) => storedOf(id, source)));
  const live = fullBitSet(parts.length);
  // A deleted root is deleted with its nested documents, which precede it.
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
    cache: { get: (_key, make) => make().value, find: () => undefined },
    indexDocuments,
    stored: (doc) => stored[doc]!,
  };
}

/** A searcher over documents alone, which are read from plain arrays. */
const indexDocuments: IndexDocuments = (shard, sources) => {
  const options = mappingOptions({}, shard.analysis);
  const documents = sources.map((source) =>
    partsOf(shard.mapping, options, { id: '1', routing: null }, JSON.parse(Buffer.from(source).toString()) as object),
  );
  const parts = documents.flatMap((document) => document.parts);
  const stored = documents.flatMap(({ parts: own, source }) => own.map(({ id }) => storedOf(id, source)));
  return { ...searcherOf(shard, [{ reader: plainReader('documents', parts), live: null, stored }]) };
};

/** Returns the live root documents of a segment as bits. */
export function acceptedIn({ reader, live, maxDoc }: SegmentView): BitSet {
  const accepted = bitSet(maxDoc);
  for (let doc = 0; doc < maxDoc; doc++)
    if ((live?.get(doc) ?? true) && (reader.roots?.get(doc) ?? true)) accepted.set(doc);
  return accepted;
}

/** Returns an error as `type: reason`, its causes behind ` <- `. Throws an error that is not of the API. */
export function errorText(error: unknown): string {
  const texts: string[] = [];
  for (let cause: unknown = error; isApiError(cause); cause = cause.causedBy)
    texts.push(`${cause.type}: ${cause.reason ?? ''}`);
  if (texts.length > 0) return texts.join(' <- ');
  throw error;
}
