import { type ApiError, errors } from '@shoal/errors';
import { type JsonObject, readSource, stringify } from '@shoal/json';
import type { CallContext } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import { keptMs } from '../keep-alive.js';
import type { ByQueryRequest } from './by-query-request.js';
import type { RemoteAnswer, RemoteHttp } from './remote-http.js';
import type { RemoteSource } from './remote-source.js';
import { type SourceHit, type SourcePage, type SourceReader, SourceText } from './source-reader.js';
import { pause } from './write-page.js';

const RETRY_FIRST_MS = 500;
const RETRIES_MAX = 11;
const TOO_MANY_REQUESTS = 429;
/** Bytes of an answer that an error shows. */
const SHOWN_BYTES = 2000;

interface ScrollAnswer {
  readonly _scroll_id: string;
  readonly _shards?: { readonly failed?: number };
  readonly hits: {
    readonly total?: number | { readonly value: number };
    readonly hits: readonly {
      readonly _index: string;
      readonly _id: string;
      readonly _routing?: string;
      readonly _version?: number;
      readonly _source?: Record<string, unknown>;
    }[];
  };
}

/** Reads the documents of another cluster by a scroll, as all versions from 6 on, and their forks, know it. */
export class RemoteScroll implements SourceReader {
  readonly #context: CoordinatorContext;
  readonly #request: ByQueryRequest;
  readonly #remote: RemoteSource;
  readonly #http: RemoteHttp;
  readonly #call: CallContext;
  #scrollId: string | null = null;

  constructor(context: CoordinatorContext, request: ByQueryRequest, remote: RemoteSource, call: CallContext) {
    if (context.remoteHttp === null) throw errors.illegalArgument('copying from another cluster is not available');
    this.#context = context;
    this.#request = request;
    this.#remote = remote;
    this.#http = context.remoteHttp;
    this.#call = call;
  }

  async page(_slice: unknown, after: readonly unknown[] | null, size: number, waitMs = 0): Promise<SourcePage> {
    const keepAlive = `${keptMs(this.#request.keepAliveMs, waitMs)}ms`;
    const answer =
      after === null
        ? await this.#send('POST', this.#searchPath(size, keepAlive), this.#body())
        : await this.#send('POST', '/_search/scroll', { scroll: keepAlive, scroll_id: this.#scrollId });
    const found = readSource(answer.body) as unknown as ScrollAnswer;
    this.#scrollId = found._scroll_id;
    if ((found._shards?.failed ?? 0) > 0)
      throw errors.status(`shards of the remote cluster failed: ${shown(answer.body)}`, { status: 503 });
    const { total, hits } = found.hits;
    return {
      hits: hits.map(hitOf),
      total: after === null ? (typeof total === 'number' ? total : (total?.value ?? 0)) : null,
      bytes: Infinity,
      after: hits.length === 0 ? null : [0],
    };
  }

  #searchPath(size: number, keepAlive: string): string {
    const names = this.#request.source.names.map(encodeURIComponent).join(',');
    const parameters = `scroll=${keepAlive}&size=${size}&version=true&allow_partial_search_results=false`;
    return `/${names}/_search?${parameters}`;
  }

  #body(): JsonObject {
    const { query, _source: source, ...rest } = this.#request.search as Record<string, unknown>;
    return { query: query ?? { match_all: {} }, _source: source ?? true, sort: ['_doc'], ...rest };
  }

  /** Sends a request, again while the other cluster is too busy. */
  async #send(method: 'POST' | 'DELETE', path: string, json: JsonObject): Promise<RemoteAnswer> {
    const { clock } = this.#context;
    const body = Buffer.from(stringify(json));
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#http({ source: this.#remote, method, path, body }, this.#call.signal);
      if (answer.status < 300) return answer;
      if (answer.status !== TOO_MANY_REQUESTS || attempt === RETRIES_MAX) throw refused(answer);
      await pause(clock, RETRY_FIRST_MS * 2 ** attempt, this.#call.signal);
      this.#call.signal.throwIfAborted();
    }
  }

  async close(): Promise<void> {
    if (this.#scrollId === null) return;
    const body = Buffer.from(stringify({ scroll_id: [this.#scrollId] }));
    // Also of a call that was cancelled: its signal would end this too.
    const { signal } = new AbortController();
    const request = { source: this.#remote, method: 'DELETE', path: '/_search/scroll', body } as const;
    await this.#http(request, signal).catch(() => undefined);
  }
}

const shown = (body: Uint8Array): string => Buffer.from(body.subarray(0, SHOWN_BYTES)).toString();

function refused({ status, body }: RemoteAnswer): ApiError {
  if (status < 400)
    return errors.status(`the remote cluster answered with status ${status}, which is not followed`, { status: 400 });
  return errors.status(`body=${shown(body)}`, { status });
}

function hitOf(hit: ScrollAnswer['hits']['hits'][number]): SourceHit {
  if (hit._source === undefined) throw errors.illegalArgument(`[${hit._index}][${hit._id}] didn't store _source`);
  return {
    index: hit._index,
    id: hit._id,
    routing: hit._routing ?? null,
    version: hit._version ?? 1,
    seqNo: 0,
    primaryTerm: 0,
    source: new SourceText(Buffer.from(stringify(hit._source))),
  };
}
