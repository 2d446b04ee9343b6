import type { CoordinatorContext } from '../../context.js';
import type { RequestOptions } from '@shoal/doors';
import { EVERYBODY } from '@shoal/security';
import { ownerOf } from '../../access.js';
import { type CallContext, endingWith, type JsonAnswer } from '../../call.js';
import { decodeJson, encodeJson, utf8 } from '../../json-bytes.js';
import { isNodeGone } from '../../retryable.js';
import { contextMissing } from '../search-failure.js';
import { decodeScrollId, type ScrollId } from './scroll-id.js';
import type { Scrolls } from './scroll.js';
import type { ScrollRequest } from '../parse/search-request.js';

/** What one node asks another about scrolls that live there. */
type ScrollMessage =
  | {
      readonly kind: 'next';
      readonly cursor: number;
      readonly keepAliveMs: number | null;
      readonly totalHitsAsInt: boolean;
      readonly withType: boolean;
      readonly owner?: string | undefined;
    }
  | { readonly kind: 'clear'; readonly cursor: number; readonly owner?: string | undefined }
  | { readonly kind: 'clear-all' };

/** What freeing the scrolls of everybody is checked as. */
const CLEAR_ALL = 'cluster:admin/indices/scroll/clear_all';

export interface ScrollRouter {
  next(request: ScrollRequest, call: CallContext): Promise<JsonAnswer>;
  clear(ids: readonly string[], call: CallContext): Promise<JsonAnswer>;
  /** Answers another node. */
  handle(payload: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;
}

/** Takes pages and ends of scrolls to the node that keeps their cursors: clients may ask any node. */
export function createScrollRouter(context: CoordinatorContext, scrolls: Scrolls): ScrollRouter {
  return new NodeScrollRouter(context, scrolls);
}

class NodeScrollRouter implements ScrollRouter {
  readonly #context: CoordinatorContext;
  readonly #scrolls: Scrolls;

  constructor(context: CoordinatorContext, scrolls: Scrolls) {
    this.#context = context;
    this.#scrolls = scrolls;
  }

  async next(request: ScrollRequest, call: CallContext): Promise<JsonAnswer> {
    const id = decodeScrollId(request.scrollId);
    const { cursor } = id;
    const { keepAliveMs, totalHitsAsInt } = request;
    const owner = ownerOf(call.subject);
    if (this.#isHere(id)) return this.#scrolls.next(cursor, keepAliveMs, totalHitsAsInt, owner, call);
    if (!this.#isKept(id)) throw contextMissing(String(cursor));
    const message: ScrollMessage = {
      kind: 'next',
      cursor,
      keepAliveMs,
      totalHitsAsInt,
      withType: call.withType,
      owner,
    };
    return { status: 200, chunks: [await this.#ask(id, message, endingWith(call))] };
  }

  async clear(ids: readonly string[], { subject }: CallContext): Promise<JsonAnswer> {
    for (const id of ids) if (id !== '_all') decodeScrollId(id);
    const isAll = ids.includes('_all');
    if (isAll && !subject.permissions.allowsCluster(CLEAR_ALL)) throw subject.denied(CLEAR_ALL);
    const owner = ownerOf(subject);
    const freed = isAll
      ? await this.#clearAll()
      : (await Promise.all(ids.map((id) => this.#clearOne(id, owner)))).reduce((sum, count) => sum + count, 0);
    return { status: freed > 0 || isAll ? 200 : 404, chunks: [utf8(`{"succeeded":true,"num_freed":${freed}}`)] };
  }

  async handle(payload: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
    const message = decodeJson(payload) as ScrollMessage;
    if (message.kind === 'clear') return encodeJson((await this.#scrolls.clear(message.cursor, message.owner)) ? 1 : 0);
    if (message.kind === 'clear-all') return encodeJson(await this.#scrolls.clearAll());
    const { cursor, keepAliveMs, totalHitsAsInt, owner, withType } = message;
    const call = { signal, opaqueId: null, withType, subject: EVERYBODY };
    const answer = await this.#scrolls.next(cursor, keepAliveMs, totalHitsAsInt, owner, call);
    return Buffer.concat(answer.chunks);
  }

  #isHere({ nodeId, session }: ScrollId): boolean {
    return nodeId === this.#context.localNodeId && session === this.#context.operationIds.coordinator;
  }

  /** Whether the start of the node that keeps the cursor is in the cluster. */
  #isKept({ nodeId, session }: ScrollId): boolean {
    return this.#context.cluster.state().nodes.get(nodeId)?.ephemeralId === session;
  }

  #send(nodeId: string, message: ScrollMessage, options: RequestOptions = {}): Promise<Uint8Array> {
    return this.#context.channel(nodeId).request('coordinator/scroll', encodeJson(message), options);
  }

  /** The cursors of a node that is gone are gone too, even while the state still has the node. */
  async #ask(id: ScrollId, message: ScrollMessage, options: RequestOptions): Promise<Uint8Array> {
    try {
      return await this.#send(id.nodeId, message, options);
    } catch (error) {
      throw isNodeGone(this.#context.apiError(error)) ? contextMissing(String(id.cursor)) : error;
    }
  }

  /** Frees scrolls of another node; returns how many. Those of a node that cannot be asked end by themselves. */
  async #sendClear(nodeId: string, message: ScrollMessage): Promise<number> {
    try {
      return decodeJson(await this.#send(nodeId, message)) as number;
    } catch (error) {
      this.#context.log.write('debug', 'failed to free scrolls of another node', {
        'error.message': this.#context.apiError(error).message,
      });
      return 0;
    }
  }

  async #clearOne(text: string, owner: string | undefined): Promise<number> {
    const id = decodeScrollId(text);
    if (this.#isHere(id)) return (await this.#scrolls.clear(id.cursor, owner)) ? 1 : 0;
    return this.#isKept(id) ? this.#sendClear(id.nodeId, { kind: 'clear', cursor: id.cursor, owner }) : 0;
  }

  async #clearAll(): Promise<number> {
    const { cluster, localNodeId } = this.#context;
    const others = [...cluster.state().nodes.keys()].filter((id) => id !== localNodeId);
    const remote = await Promise.all(others.map((id) => this.#sendClear(id, { kind: 'clear-all' })));
    return remote.reduce((sum, freed) => sum + freed, await this.#scrolls.clearAll());
  }
}
