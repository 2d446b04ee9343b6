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
  const send = async (nodeId: string, message: ScrollMessage, options: RequestOptions = {}): Promise<Uint8Array> =>
    context.channel(nodeId).request('coordinator/scroll', encodeJson(message), options);
  const isHere = ({ nodeId, session }: ScrollId): boolean =>
    nodeId === context.localNodeId && session === context.operationIds.coordinator;
  /** Whether the start of the node that keeps the cursor is in the cluster. */
  const isKept = ({ nodeId, session }: ScrollId): boolean =>
    context.cluster.state().nodes.get(nodeId)?.ephemeralId === session;
  /** The cursors of a node that is gone are gone too, even while the state still has the node. */
  const ask = async (id: ScrollId, message: ScrollMessage, options: RequestOptions): Promise<Uint8Array> => {
    try {
      return await send(id.nodeId, message, options);
    } catch (error) {
      throw isNodeGone(context.apiError(error)) ? contextMissing(String(id.cursor)) : error;
    }
  };
  /** Scrolls of a node that cannot be asked end by themselves. */
  const sendClear = async (nodeId: string, message: ScrollMessage): Promise<number> => {
    try {
      return decodeJson(await send(nodeId, message)) as number;
    } catch (error) {
      context.log.write('debug', 'failed to free scrolls of another node', {
        'error.message': context.apiError(error).message,
      });
      return 0;
    }
  };

  const clearOne = async (text: string, owner: string | undefined): Promise<number> => {
    const id = decodeScrollId(text);
    if (isHere(id)) return (await scrolls.clear(id.cursor, owner)) ? 1 : 0;
    return isKept(id) ? sendClear(id.nodeId, { kind: 'clear', cursor: id.cursor, owner }) : 0;
  };
  const clearAll = async (): Promise<number> => {
    const others = [...context.cluster.state().nodes.keys()].filter((id) => id !== context.localNodeId);
    const remote = await Promise.all(others.map((id) => sendClear(id, { kind: 'clear-all' })));
    return remote.reduce((sum, freed) => sum + freed, await scrolls.clearAll());
  };

  return {
    async next(request, call) {
      const id = decodeScrollId(request.scrollId);
      const { cursor } = id;
      const owner = ownerOf(call.subject);
      if (isHere(id)) return scrolls.next(cursor, request.keepAliveMs, request.totalHitsAsInt, owner, call);
      if (!isKept(id)) throw contextMissing(String(cursor));
      const { keepAliveMs, totalHitsAsInt } = request;
      const bytes = await ask(
        id,
        { kind: 'next', cursor, keepAliveMs, totalHitsAsInt, withType: call.withType, owner },
        endingWith(call),
      );
      return { status: 200, chunks: [bytes] };
    },
    async clear(ids, { subject }) {
      for (const id of ids) if (id !== '_all') decodeScrollId(id);
      if (ids.includes('_all') && !subject.permissions.allowsCluster(CLEAR_ALL)) throw subject.denied(CLEAR_ALL);
      const owner = ownerOf(subject);
      const freed = ids.includes('_all')
        ? await clearAll()
        : (await Promise.all(ids.map((id) => clearOne(id, owner)))).reduce((sum, count) => sum + count, 0);
      return {
        status: freed > 0 || ids.includes('_all') ? 200 : 404,
        chunks: [utf8(`{"succeeded":true,"num_freed":${freed}}`)],
      };
    },
    async handle(payload, signal) {
      const message = decodeJson(payload) as ScrollMessage;
      if (message.kind === 'clear') return encodeJson((await scrolls.clear(message.cursor, message.owner)) ? 1 : 0);
      if (message.kind === 'clear-all') return encodeJson(await scrolls.clearAll());
      const call = { signal, opaqueId: null, withType: message.withType, subject: EVERYBODY };
      const answer = await scrolls.next(
        message.cursor,
        message.keepAliveMs,
        message.totalHitsAsInt,
        message.owner,
        call,
      );
      return Buffer.concat(answer.chunks);
    },
  };
}
