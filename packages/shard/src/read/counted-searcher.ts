import type { Search } from '@shoal/aggregations';
import type { Mapping } from '@shoal/mapping';
import type { Searcher } from '@shoal/query';
import { docsWithNumbers, type PostingsUse, type SegmentReader } from '@shoal/segments';
import type { SearcherLease } from '../shard-api.js';
import { type FieldUse, FieldUses } from '../stats/field-usage.js';

/** Runs a phase of a search and counts what it reads of fields, unless it fails. */
export async function withFieldUses<T>(
  lease: SearcherLease,
  { fetch, highlight }: Pick<Search, 'fetch' | 'highlight'>,
  run: (lease: SearcherLease) => Promise<T>,
): Promise<T> {
  const uses = new FieldUses(fetch.source.isShown || fetch.fields.length > 0 || highlight !== null);
  const result = await run({ ...lease, searcher: countedSearcher(lease.searcher, uses) });
  lease.fieldUsage.count(uses);
  return result;
}

/** Returns a searcher that notes in `uses` what is read of which field. Runtime fields are not in the index. */
function countedSearcher(searcher: Searcher, uses: FieldUses): Searcher {
  const segments = searcher.segments.map((view) => ({
    ...view,
    reader: new CountedReader(view.reader, uses, searcher.mapping.runtime),
  }));
  const { index, indexUuid, shard, mapping, analysis, maxDoc, liveDocCount, settings, cache } = searcher;
  return {
    index,
    indexUuid,
    shard,
    mapping,
    analysis,
    segments,
    maxDoc,
    liveDocCount,
    settings,
    cache,
    ...(searcher.hidesDocuments === undefined ? {} : { hidesDocuments: searcher.hidesDocuments }),
    ...(searcher.indexDocuments === undefined ? {} : { indexDocuments: searcher.indexDocuments }),
    ...(searcher.runtime === undefined ? {} : { runtime: countedRuntime(searcher.runtime, uses) }),
    stored(doc) {
      uses.addStored();
      return searcher.stored(doc);
    },
  };
}

type Runtime = NonNullable<Searcher['runtime']>;

/** The runtime fields with a counted searcher beneath, on which a request may put runtime fields of its own. */
const countedRuntime = (runtime: Runtime, uses: FieldUses): Runtime =>
  Object.create(runtime, { beneath: { value: countedSearcher(runtime.beneath, uses) } }) as Runtime;

/** A reader that notes the uses of fields that the segment has. */
class CountedReader implements SegmentReader {
  readonly #reader: SegmentReader;
  readonly #uses: FieldUses;
  readonly #runtime: Mapping['runtime'];

  constructor(reader: SegmentReader, uses: FieldUses, runtime: Mapping['runtime']) {
    this.#reader = reader;
    this.#uses = uses;
    this.#runtime = runtime;
  }

  get id(): string {
    return this.#reader.id;
  }

  get maxDoc(): number {
    return this.#reader.maxDoc;
  }

  get byteSize(): number {
    return this.#reader.byteSize;
  }

  get fields(): readonly string[] {
    return this.#reader.fields;
  }

  get roots(): SegmentReader['roots'] {
    return this.#reader.roots;
  }

  layout(field: string): ReturnType<SegmentReader['layout']> {
    return this.#reader.layout(field);
  }

  findId(id: string): readonly number[] {
    return this.#reader.findId(id);
  }

  terms(field: string): ReturnType<SegmentReader['terms']> {
    return this.#noted(field, 'terms', this.#reader.terms(field));
  }

  notePostings(field: string, use: PostingsUse): void {
    const uses = this.#uses;
    uses.add(field, 'postings');
    if (use === 'documents') return;
    uses.add(field, 'term_frequencies');
    if (use === 'frequencies') return;
    uses.add(field, 'positions');
    uses.add(field, 'proximity');
  }

  norms(field: string): ReturnType<SegmentReader['norms']> {
    return this.#noted(field, 'norms', this.#reader.norms(field));
  }

  numbers(field: string): ReturnType<SegmentReader['numbers']> {
    return this.#noted(field, 'doc_values', this.#reader.numbers(field));
  }

  /** Opens no column, so that it is no use of one. */
  docsWithNumbers(field: string): number {
    return docsWithNumbers(this.#reader, field);
  }

  ordinals(field: string): ReturnType<SegmentReader['ordinals']> {
    return this.#noted(field, 'doc_values', this.#reader.ordinals(field));
  }

  geo(field: string): ReturnType<SegmentReader['geo']> {
    return this.#noted(field, 'doc_values', this.#reader.geo(field));
  }

  binary(field: string): ReturnType<SegmentReader['binary']> {
    return this.#noted(field, 'doc_values', this.#reader.binary(field));
  }

  vectors(field: string): ReturnType<SegmentReader['vectors']> {
    return this.#noted(field, 'knn_vectors', this.#reader.vectors(field));
  }

  points(field: string): ReturnType<SegmentReader['points']> {
    return this.#noted(field, 'points', this.#reader.points(field));
  }

  geoPoints(field: string): ReturnType<SegmentReader['geoPoints']> {
    return this.#noted(field, 'points', this.#reader.geoPoints(field));
  }

  indexedNumbers(field: string): ReturnType<SegmentReader['numbers']> {
    return this.#noted(field, 'points', this.#reader.indexedNumbers?.(field) ?? null);
  }

  indexedPoints(field: string): ReturnType<SegmentReader['geo']> {
    return this.#noted(field, 'points', this.#reader.indexedPoints?.(field) ?? null);
  }

  #noted<T>(field: string, use: FieldUse, found: T | null): T | null {
    if (found !== null && !this.#runtime.has(field)) this.#uses.add(field, use);
    return found;
  }
}
