import { errors } from '@shoal/errors';
import { parseJson, skipSpace, skipValue, stringify } from '@shoal/json';
import type { CallContext, JsonAnswer } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import { closePointInTime, openPointInTime } from '../search/contexts/point-in-time.js';
import { wholeSearch } from '../search/parse/whole-search.js';
import { runSearch } from '../search/search.js';
import { keepAliveMax, keptMs } from '../keep-alive.js';
import type { ByQueryRequest } from './by-query-request.js';
import { readingCall } from './reading-call.js';
import { type SourceHit, type SourcePage, type SourceReader, SourceText } from './source-reader.js';

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
    const answer = await openPointInTime(
      context,
      request.source,
      request.keepAliveMs,
      choice,
      readingCall(request, call),
    );
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
    const answer = await runSearch(this.#context, wholeSearch([], Buffer.from(stringify(body), 'utf8')), this.#call);
    return pageOf(answer.hits, answer.total?.value ?? 0, kind !== 'delete', after === null);
  }
}

/** A hit without its source. */
interface HitHead {
  readonly _index: string;
  readonly _id: string;
  readonly _routing?: string;
  readonly _version: number;
  readonly _seq_no: number;
  readonly _primary_term: number;
  readonly sort: readonly unknown[];
}

/** Key of the source in a hit. In strings its quotes are escaped, and no member before it is an object. */
const SOURCE_KEY = Buffer.from(',"_source":');
const [OPEN, COMMA, CLOSE] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];

/** End of the source that starts at `from`, with the white space around it: it is kept as the client sent it. */
const sourceEnd = (bytes: Uint8Array, from: number): number =>
  skipSpace(bytes, skipValue(bytes, skipSpace(bytes, from)));

/** Makes a page of hits as shards rendered them. Sources are not parsed. */
export function pageOf(hits: readonly Uint8Array[], total: number, needsSource: boolean, isFirst: boolean): SourcePage {
  const sources: (Uint8Array | null)[] = [];
  const parts: Uint8Array[] = [OPEN];
  for (const hit of hits) {
    const bytes = Buffer.from(hit.buffer, hit.byteOffset, hit.length);
    const at = bytes.indexOf(SOURCE_KEY);
    const from = at + SOURCE_KEY.length;
    const to = at < 0 ? 0 : sourceEnd(bytes, from);
    sources.push(at < 0 ? null : bytes.subarray(from, to));
    if (parts.length > 1) parts.push(COMMA);
    if (at >= 0) parts.push(bytes.subarray(0, at));
    parts.push(bytes.subarray(to));
  }
  parts.push(CLOSE);
  const heads = parseJson(Buffer.concat(parts)) as readonly HitHead[];
  return {
    hits: heads.map((head, i) => hitOf(head, sources[i] ?? null, needsSource)),
    total: isFirst ? total : null,
    bytes: sources.reduce((sum, source) => sum + (source?.length ?? 0), 0),
    after: heads.at(-1)?.sort ?? null,
  };
}

function hitOf(head: HitHead, source: Uint8Array | null, needsSource: boolean): SourceHit {
  if (needsSource && source === null)
    throw errors.illegalArgument(`[${head._index}][${head._id}] didn't store _source`);
  return {
    index: head._index,
    id: head._id,
    routing: head._routing ?? null,
    version: head._version,
    seqNo: head._seq_no,
    primaryTerm: head._primary_term,
    source: source && new SourceText(source),
  };
}
