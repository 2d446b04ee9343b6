import { parseSearchBody, type Search } from '@shoal/aggregations';
import { parseJson } from '@shoal/json';
import type { SearchOptions } from '@shoal/protocol';
import { parseContext, SourceCache, type WithSearch } from '@shoal/query';

/** The part of a message that says what is searched for. */
export interface SearchMessage {
  /** JSON SearchOptions. */
  readonly options: Uint8Array;
  /** JSON; empty means `{}`. */
  readonly body: Uint8Array;
}

/** A message that may bring what its body was parsed to. */
export type LocalSearchMessage<Message> = WithSearch<Message, NonNullable<Search['aggregations']>>;

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

/** Options and body of a phase of a search. Nothing of it depends on the moment or the index. */
export class SearchSource {
  readonly options: SearchOptions;
  /** Options and body as they came: equal ones ask for the same. */
  readonly key: string;
  readonly #bytes: Uint8Array;
  #search: Search | null;

  /** `search` is what the body was parsed to; null: nobody on this thread has parsed it. */
  constructor(key: string, options: Uint8Array, body: Uint8Array, search: Search | null) {
    this.key = key;
    this.options = parseJson(options) as SearchOptions;
    this.#bytes = body;
    this.#search = search;
  }

  /** The body, parsed when it is asked for first. Throws what is wrong with it. */
  get search(): Search {
    return (this.#search ??= parseSearchBody(
      (this.#bytes.length === 0 ? {} : parseJson(this.#bytes)) as Search['json'],
      parseContext(this.options.allowExpensiveQueries),
    ));
  }
}

/** Sources that the shards of a thread were asked lately. */
export type SearchSources = SourceCache<SearchSource>;

const SOURCES_BYTES_MAX = 2 << 20;

/** An empty cache of sources. */
export function createSearchSources(): SearchSources {
  return new SourceCache(SOURCES_BYTES_MAX);
}

/**
 * The source of a message. What it was handed over with is taken as it is; bytes are parsed once for as long as
 * `sources` has them: by the query phase, the fetch phase and all that ask the same. Null: there are none.
 */
export function sourceOf(message: LocalSearchMessage<SearchMessage>, sources: SearchSources | null): SearchSource {
  const options = textOf(message.options);
  const search = message.search ?? null;
  const key = sources?.keyOf(options, message.body) ?? null;
  if (sources === null || key === null)
    return new SearchSource(`${options}\n${textOf(message.body)}`, message.options, message.body, search);
  let source = sources.get(key);
  if (source === undefined) {
    // A copy: the bytes are part of a message, which would be kept as a whole.
    source = new SearchSource(key, message.options, new Uint8Array(message.body), search);
    sources.put(key, source);
  }
  return source;
}
