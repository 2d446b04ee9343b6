import type { CoordinatorContext } from '../../context.js';
import { type RequestOptions, sendMessage } from '@shoal/doors';
import { coordinator } from '@shoal/protocol';
import { EVERYBODY } from '@shoal/security';
import { ownerOf } from '../../access.js';
import { type CallContext, endingWith, type JsonAnswer } from '../../call.js';
import { decodeJson, encodeJson, encodeUtf8 } from '../../json-bytes.js';
import { isNodeGone } from '../../retryable.js';
import { contextMissing } from '../search-failure.js';
import { decodeScrollId, type ScrollId } from './scroll-id.js';
import type { Scrolls } from './scroll.js';
import type { ScrollRequest } from '../parse/search-request.js';

/** Default members of a message to the node of a scroll. */
const NOTHING = { cursor: 0, keepAliveMs: null, totalHitsAsInt: false, withType: false } as const;

/** Action that closing the scrolls of all users is authorised as. */
const CLEAR_ALL = 'cluster:admin/indices/scroll/clear_all';

/** Pages and closes scrolls, on whatever node they are. */
export interface ScrollRouter {
  next(request: ScrollRequest, call: CallContext): Promise<JsonAnswer>;
  clear(ids: readonly string[], call: CallContext): Promise<JsonAnswer>;
  /** Handles a message of another node. */
  answer(message: coordinator.ScrollRequest, signal: AbortSignal): Promise<coordinator.Raw>;
}

/**
 * Makes the router that forwards pages and the closing of scrolls to the node that keeps the cursor, as clients may ask
 * any node.
 */
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
    if (this.#isHere(id)) return this.#scrolls.next(id, keepAliveMs, totalHitsAsInt, owner, call);
    if (!this.#isKept(id)) throw contextMissing(String(cursor), id.shards);
    const message: coordinator.ScrollRequest = {
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
    return { status: freed > 0 || isAll ? 200 : 404, chunks: [encodeUtf8(`{"succeeded":true,"num_freed":${freed}}`)] };
  }

  async answer(message: coordinator.ScrollRequest, signal: AbortSignal): Promise<coordinator.Raw> {
    const owner = message.owner ?? undefined;
    const { kind, cursor, totalHitsAsInt, withType } = message;
    if (kind === 'clear') return { body: encodeJson(await this.#scrolls.clear(cursor, owner)) };
    if (kind === 'clear-all') return { body: encodeJson(await this.#scrolls.clearAll()) };
    const call = { signal, opaqueId: null, withType, subject: EVERYBODY };
    const answer = await this.#scrolls.next(
      { cursor, shards: 1 },
      message.keepAliveMs ?? null,
      totalHitsAsInt,
      owner,
      call,
    );
    return { body: Buffer.concat(answer.chunks) };
  }

  #isHere({ nodeId, session }: ScrollId): boolean {
    return nodeId === this.#context.localNodeId && session === this.#context.operationIds.coordinator;
  }

  /** Whether the cluster has the run of the node that keeps the cursor. */
  #isKept({ nodeId, session }: ScrollId): boolean {
    return this.#context.cluster.state().nodes.get(nodeId)?.ephemeralId === session;
  }

  async #send(nodeId: string, message: coordinator.ScrollRequest, options: RequestOptions = {}): Promise<Uint8Array> {
    const channel = this.#context.channel(nodeId);
    return (await sendMessage(channel, coordinator.methods.scroll, message, options)).body;
  }

  /**
   * Sends a message to the node of a scroll. If that node is not reached, its scrolls count as missing, even while the
   * cluster state still has the node.
   */
  async #ask(id: ScrollId, message: coordinator.ScrollRequest, options: RequestOptions): Promise<Uint8Array> {
    try {
      return await this.#send(id.nodeId, message, options);
    } catch (error) {
      throw isNodeGone(this.#context.apiError(error)) ? contextMissing(String(id.cursor), id.shards) : error;
    }
  }

  /** Closes scrolls on another node and returns their number. If the node is not reached, its scrolls expire. */
  async #sendClear(nodeId: string, message: coordinator.ScrollRequest): Promise<number> {
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
    if (this.#isHere(id)) return this.#scrolls.clear(id.cursor, owner);
    return this.#isKept(id) ? this.#sendClear(id.nodeId, { ...NOTHING, kind: 'clear', cursor: id.cursor, owner }) : 0;
  }

  async #clearAll(): Promise<number> {
    const { cluster, localNodeId } = this.#context;
    const others = [...cluster.state().nodes.keys()].filter((id) => id !== localNodeId);
    const remote = await Promise.all(others.map((id) => this.#sendClear(id, { ...NOTHING, kind: 'clear-all' })));
    return remote.reduce((sum, freed) => sum + freed, await this.#scrolls.clearAll());
  }
}
