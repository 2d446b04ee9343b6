import { parseSearchBody, type Search } from '@shoal/aggregations';
import { parseJson, withScriptParams } from '@shoal/json';
import { shard } from '@shoal/protocol';
import { parseContext, SourceCache, type WithSearch } from '@shoal/query';

/** Members of a message that define the search. */
export interface SearchMessage {
  /** Encoded `shard.SearchOptions`. */
  readonly options: Uint8Array;
  /** JSON; empty bytes mean `{}`. */
  readonly body: Uint8Array;
}

/** A search message; one that was passed on the same thread may have its parsed body. */
export type LocalSearchMessage<Message> = WithSearch<Message, NonNullable<Search['aggregations']>>;

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

/** Options and body of a phase of a search. Independent of the time and of any index. */
export class SearchSource {
  readonly options: shard.SearchOptions;
  /** Options and body as text: equal keys mean equal searches. */
  readonly key: string;
  readonly #bytes: Uint8Array;
  #search: Search | null;

  /** `search` is the parsed body, null if it is not parsed yet. */
  constructor(key: string, options: Uint8Array, body: Uint8Array, search: Search | null) {
    this.key = key;
    // A copy: `after` is a view of the bytes, which are part of a message.
    this.options = shard.decodeSearchOptions(new Uint8Array(options));
    this.#bytes = body;
    this.#search = search;
  }

  /** Returns the body, parsed at the first use. Throws its parse errors. */
  get search(): Search {
    return (this.#search ??= parseSearchBody(
      (this.#bytes.length === 0 ? {} : withScriptParams(parseJson(this.#bytes), this.#bytes)) as Search['json'],
      parseContext(this.options.allowExpensiveQueries),
    ));
  }
}

/** Cache of the search sources that the shards of a thread were asked last. */
export type SearchSources = SourceCache<SearchSource>;

const SOURCES_BYTES_MAX = 2 << 20;

/** Returns an empty cache of sources. */
export function createSearchSources(): SearchSources {
  return new SourceCache(SOURCES_BYTES_MAX);
}

/**
 * Returns the source of a message. A parsed body that the message brings is used as it is. Bytes are parsed once while
 * `sources` has them, for the query phase, the fetch phase and equal searches. With `sources` null nothing is cached.
 */
export function sourceOf(message: LocalSearchMessage<SearchMessage>, sources: SearchSources | null): SearchSource {
  const options = textOf(message.options);
  const search = message.search ?? null;
  const key = sources?.keyOf(options, message.body) ?? null;
  if (sources === null || key === null)
    return new SearchSource(`${options}\n${textOf(message.body)}`, message.options, message.body, search);
  let source = sources.get(key);
  if (source === undefined) {
    // Copied, because the bytes are a part of the message: the cache would keep the whole message alive.
    source = new SearchSource(key, message.options, new Uint8Array(message.body), search);
    sources.put(key, source);
  }
  return source;
}
