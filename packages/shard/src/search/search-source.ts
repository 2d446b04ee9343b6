import { parseJson } from '@shoal/json';
import type { SearchOptions, shard } from '@shoal/protocol';
import { type ParseContext, parseContext, SourceCache } from '@shoal/query';
import { readSearchBody, type SearchBody, type SearchJson } from './search-body.js';

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

/** Options and body of a query phase. Nothing of it depends on the moment or the index. */
export class SearchSource {
  readonly options: SearchOptions;
  /** Options and body as text. */
  readonly text: string;
  readonly #bytes: Uint8Array;
  #json: SearchJson | null = null;
  #body: SearchBody | null = null;

  constructor(text: string, options: Uint8Array, body: Uint8Array) {
    this.text = text;
    this.options = parseJson(options) as SearchOptions;
    this.#bytes = body;
  }

  get json(): SearchJson {
    return (this.#json ??= (this.#bytes.length === 0 ? {} : parseJson(this.#bytes)) as SearchJson);
  }

  /** Throws what is wrong with the body. */
  body(context: ParseContext): SearchBody {
    return (this.#body ??= readSearchBody(this.json, this.options, context));
  }

  parseContext(): ParseContext {
    return parseContext(this.options.allowExpensiveQueries);
  }
}

/** Sources that the shards of a thread were asked lately. */
export type SearchSources = SourceCache<SearchSource>;

const SOURCES_BYTES_MAX = 2 << 20;

export function createSearchSources(): SearchSources {
  return new SourceCache(SOURCES_BYTES_MAX);
}

/** The source of a request; with `sources` it is parsed once for as long as it is asked again. */
export function sourceOf(request: shard.QueryRequest, sources: SearchSources | null): SearchSource {
  const options = textOf(request.options);
  const key = sources?.keyOf(options, request.body) ?? null;
  if (sources === null || key === null)
    return new SearchSource(`${options}\n${textOf(request.body)}`, request.options, request.body);
  let source = sources.get(key);
  if (source === undefined) {
    // A copy: the bytes are part of a message, which would be kept as a whole.
    source = new SearchSource(key, request.options, new Uint8Array(request.body));
    sources.put(key, source);
  }
  return source;
}
