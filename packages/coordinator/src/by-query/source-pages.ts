import { errors } from '@shoal/errors';
import { parseJson, readSource, stringify } from '@shoal/json';
import type { CallContext, JsonAnswer } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import { closePointInTime, openPointInTime } from '../search/contexts/point-in-time.js';
import { wholeSearch } from '../search/parse/whole-search.js';
import { search } from '../search/search.js';
import { keepAliveMax, keptMs } from '../keep-alive.js';
import type { ByQueryRequest } from './by-query-request.js';
import type { SourceHit, SourcePage, SourceReader } from './source-reader.js';

const bytesOf = ({ chunks }: JsonAnswer): Uint8Array => (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));

/** The point in time at which a call reads its documents: exactly those are worked on. */
export class PointInTime implements SourceReader {
  readonly #context: CoordinatorContext;
  readonly #call: CallContext;
  readonly #request: ByQueryRequest;
  readonly id: string;

  private constructor(context: CoordinatorContext, call: CallContext, request: ByQueryRequest, id: string) {
    this.#context = context;
    this.#call = call;
    this.#request = request;
    this.id = id;
  }

  static async open(context: CoordinatorContext, request: ByQueryRequest, call: CallContext): Promise<PointInTime> {
    const choice = { routing: request.routing, preference: request.preference };
    const answer = await openPointInTime(context, request.source, request.keepAliveMs, choice, call);
    const { id } = parseJson(bytesOf(answer)) as { id: string };
    return new PointInTime(context, call, request, id);
  }

  async close(): Promise<void> {
    // Also of a call that was cancelled: its signal would end this too.
    const { opaqueId, withType, subject } = this.#call;
    const call = { opaqueId, withType, subject, signal: new AbortController().signal };
    await closePointInTime(this.#context, this.id, call).catch(() => undefined);
  }

  async page(
    slice: { readonly id: number; readonly max: number } | null,
    after: readonly unknown[] | null,
    size: number,
    waitMs = 0,
  ): Promise<SourcePage> {
    const { search: given, kind, keepAliveMs } = this.#request;
    const heldMs = keptMs(keepAliveMs, waitMs, keepAliveMax(this.#context.cluster.state()));
    const sort = given['sort'] === undefined ? [] : [given['sort']].flat();
    const body = {
      ...given,
      pit: { id: this.id, keep_alive: `${heldMs}ms` },
      sort: [...sort, { _shard_doc: 'asc' }],
      size,
      version: true,
      seq_no_primary_term: true,
      track_total_hits: after === null,
      ...(after === null ? {} : { search_after: after }),
      ...(slice === null ? {} : { slice }),
      ...(kind === 'delete' ? { _source: false } : {}),
    };
    const answer = await search(this.#context, wholeSearch([], Buffer.from(stringify(body), 'utf8')), this.#call);
    return pageOf(readSource(bytesOf(answer)), kind !== 'delete', after === null);
  }
}

interface AnswerHit {
  readonly _index: string;
  readonly _id: string;
  readonly _routing?: string;
  readonly _version: number;
  readonly _seq_no: number;
  readonly _primary_term: number;
  readonly _source?: Record<string, unknown>;
  readonly sort: readonly unknown[];
}

function pageOf(answer: Record<string, unknown>, needsSource: boolean, isFirst: boolean): SourcePage {
  const found = answer['hits'] as { total?: { value: number }; hits: readonly AnswerHit[] };
  return {
    hits: found.hits.map((hit) => hitOf(hit, needsSource)),
    total: isFirst ? (found.total?.value ?? 0) : null,
    after: found.hits.at(-1)?.sort ?? null,
  };
}

function hitOf(hit: AnswerHit, needsSource: boolean): SourceHit {
  if (needsSource && hit._source === undefined)
    throw errors.illegalArgument(`[${hit._index}][${hit._id}] didn't store _source`);
  return {
    index: hit._index,
    id: hit._id,
    routing: hit._routing ?? null,
    version: hit._version,
    seqNo: hit._seq_no,
    primaryTerm: hit._primary_term,
    source: hit._source ?? null,
  };
}
