import type { EnrichKind, EnrichSource, EnrichSources, ShapeRelation } from '@shoal/ingest';
import { type JsonObject, readSource, stringify } from '@shoal/json';
import type { IndexMetadata } from '@shoal/state';
import { PointInTime } from '../by-query/source-pages.js';
import type { CoordinatorContext } from '../context.js';
import { wholeSearch } from '../search/parse/whole-search.js';
import { search } from '../search/search.js';
import { copyRequest } from './copy-request.js';
import { indexOfPolicy } from './enrich-index.js';
import { ownCall } from './execute-policy.js';
import { shapeOf } from './shape-of.js';
import { type MatchTable, matchTable } from './match-table.js';

/** Bytes of JSON that the tables of a node may hold together; policies beyond are searched. */
const TABLE_BYTES_MAX = 32 * 1024 * 1024;
const PAGE_SIZE = 1000;

/** How often documents were found without and with a search. */
export interface EnrichCounters {
  hits: number;
  misses: number;
  evictions: number;
}

/** What a node does for enrich processors, for statistics. */
export interface EnrichStats extends EnrichCounters {
  /** Documents in tables. */
  readonly count: number;
}

/** The documents of one execution of a policy: its table, if it has one, or a search for each value. */
interface Loaded {
  readonly uuid: string;
  readonly source: EnrichSource;
  bytes: number;
  count: number;
}

/** Finds documents of policies, by tables in memory where they fit. */
export class PolicySources implements EnrichSources {
  readonly #context: () => CoordinatorContext;
  readonly #loaded = new Map<string, Loaded>();
  #reading: Promise<unknown> = Promise.resolve();
  readonly #counters: EnrichCounters = { hits: 0, misses: 0, evictions: 0 };

  /** `context` is called when a document comes: it holds these sources itself. */
  constructor(context: () => CoordinatorContext) {
    this.#context = context;
  }

  get(policy: string): EnrichSource | null {
    const index = indexOfPolicy(this.#context().cluster.state(), policy);
    const known = this.#loaded.get(policy);
    if (known !== undefined && known.uuid === index?.uuid) return known.source;
    if (known !== undefined) this.#forget(policy, known);
    return index && this.#load(policy, index);
  }

  stats(): EnrichStats {
    return { ...this.#counters, count: [...this.#loaded.values()].reduce((sum, { count }) => sum + count, 0) };
  }

  #forget(policy: string, { count }: Loaded): void {
    this.#loaded.delete(policy);
    this.#counters.evictions += count;
  }

  #load(policy: string, index: IndexMetadata): EnrichSource {
    const meta = index.mapping['_meta'] as { enrich_policy_type: EnrichKind; enrich_match_field: string };
    const { enrich_policy_type: kind, enrich_match_field: field } = meta;
    const filterOf = kind === 'geo_match' ? relatedShapes : equalValues;
    const bySearch: EnrichSource = {
      find: (value, max, relation) => this.#search(index, filterOf(field, value, relation), max),
    };
    const source = kind === 'match' ? this.#tableSource(policy, index, field, bySearch) : bySearch;
    this.#loaded.set(policy, { uuid: index.uuid, source, bytes: 0, count: 0 });
    return source;
  }

  /** Reads the table when the first document comes; documents meanwhile wait for it. */
  #tableSource(policy: string, index: IndexMetadata, field: string, bySearch: EnrichSource): EnrichSource {
    let table: MatchTable | 'too large' | null = null;
    let reading: Promise<void> | null = null;
    const read = async (): Promise<void> => {
      try {
        table = (await this.#inOrder(() => this.#read(policy, index, field))) ?? 'too large';
      } finally {
        reading = null;
      }
    };
    const find: EnrichSource['find'] = (value, max, relation) => {
      if (table === null) return (reading ??= read()).then(() => find(value, max, relation));
      if (table === 'too large') return bySearch.find(value, max, relation);
      this.#counters.hits++;
      return table.find(value, max);
    };
    return { find };
  }

  /** Reads tables one after the other: each gets the memory that those before have left. */
  #inOrder<T>(read: () => Promise<T>): Promise<T> {
    const own = this.#reading.then(read);
    this.#reading = own.catch(() => undefined);
    return own;
  }

  /** Reads all documents of an index to a table; null if they do not fit. */
  async #read(policy: string, index: IndexMetadata, field: string): Promise<MatchTable | null> {
    const others = [...this.#loaded.entries()].filter(([name]) => name !== policy);
    let bytesLeft = TABLE_BYTES_MAX - others.reduce((sum, [, { bytes }]) => sum + bytes, 0);
    const documents: JsonObject[] = [];
    const call = ownCall(new AbortController().signal);
    const pages = await PointInTime.open(this.#context(), copyRequest([index.name], {}, null), call);
    try {
      for (let after: readonly unknown[] | null = null; ; ) {
        const page = await pages.page(null, after, PAGE_SIZE);
        for (const { source } of page.hits) {
          documents.push(source!.read());
          bytesLeft -= source!.bytes.length;
        }
        if (bytesLeft < 0) return null;
        if (page.hits.length < PAGE_SIZE) break;
        after = page.after;
      }
    } finally {
      await pages.close();
    }
    const table = matchTable(documents, field);
    const known = this.#loaded.get(policy);
    if (known?.uuid === index.uuid) {
      known.count = table.count;
      known.bytes = TABLE_BYTES_MAX - others.reduce((sum, [, { bytes }]) => sum + bytes, 0) - bytesLeft;
    }
    return table;
  }

  async #search(index: IndexMetadata, filter: JsonObject, max: number): Promise<readonly JsonObject[]> {
    this.#counters.misses++;
    const body = { query: { constant_score: { filter } }, size: max, track_total_hits: false };
    const request = wholeSearch([index.name], Buffer.from(stringify(body), 'utf8'));
    const { chunks } = await search(this.#context(), request, ownCall(new AbortController().signal));
    const answer = readSource(Buffer.concat(chunks)) as { hits: { hits: readonly { _source: JsonObject }[] } };
    return answer.hits.hits.map(({ _source }) => _source);
  }
}

const equalValues = (field: string, value: unknown): JsonObject =>
  Array.isArray(value) ? { terms: { [field]: value } } : { term: { [field]: { value } } };

const relatedShapes = (field: string, value: unknown, relation: ShapeRelation): JsonObject => ({
  geo_shape: { [field]: { shape: shapeOf(value), relation } },
});
