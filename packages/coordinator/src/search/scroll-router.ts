import type { CoordinatorContext } from '../context.js';
import type { CallContext, JsonAnswer } from '../call.js';
import { decodeJson, encodeJson, utf8 } from '../json-bytes.js';
import { contextMissing } from './search-failure.js';
import { decodeScrollId } from './scroll-id.js';
import type { Scrolls } from './scroll.js';
import type { ScrollRequest } from './search-request.js';

/** What one node asks another about scrolls that live there. */
type ScrollMessage =
  | { readonly kind: 'next'; readonly cursor: number; readonly keepAliveMs: number | null; readonly totalHitsAsInt: boolean; readonly withType: boolean }
  | { readonly kind: 'clear'; readonly cursor: number }
  | { readonly kind: 'clear-all' };

export interface ScrollRouter {
  next(request: ScrollRequest, call: CallContext): Promise<JsonAnswer>;
  clear(ids: readonly string[]): Promise<JsonAnswer>;
  /** Answers another node. */
  handle(payload: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;
}

/** Takes pages and ends of scrolls to the node that keeps their cursors: clients may ask any node. */
export function createScrollRouter(context: CoordinatorContext, scrolls: Scrolls): ScrollRouter {
  const send = async (nodeId: string, message: ScrollMessage, signal?: AbortSignal): Promise<Uint8Array> =>
    context.channel(nodeId).request('coordinator/scroll', encodeJson(message), signal ? { signal } : {});
  const isKnown = (nodeId: string): boolean => context.cluster.state().nodes.has(nodeId);

  const clearOne = async (id: string): Promise<number> => {
    const { nodeId, cursor } = decodeScrollId(id);
    if (nodeId === context.localNodeId) return (await scrolls.clear(cursor)) ? 1 : 0;
    if (!isKnown(nodeId)) return 0;
    return decodeJson(await send(nodeId, { kind: 'clear', cursor })) as number;
  };
  const clearAll = async (): Promise<number> => {
    const others = [...context.cluster.state().nodes.keys()].filter((id) => id !== context.localNodeId);
    const remote = await Promise.all(others.map(async (id) => decodeJson(await send(id, { kind: 'clear-all' })) as number));
    return remote.reduce((sum, freed) => sum + freed, await scrolls.clearAll());
  };

  return {
    async next(request, call) {
      const { nodeId, cursor } = decodeScrollId(request.scrollId);
      if (nodeId === context.localNodeId) return scrolls.next(cursor, request.keepAliveMs, request.totalHitsAsInt, call);
      if (!isKnown(nodeId)) throw contextMissing(String(cursor));
      const { keepAliveMs, totalHitsAsInt } = request;
      const bytes = await send(nodeId, { kind: 'next', cursor, keepAliveMs, totalHitsAsInt, withType: call.withType }, call.signal);
      return { status: 200, chunks: [bytes] };
    },
    async clear(ids) {
      for (const id of ids) if (id !== '_all') decodeScrollId(id);
      const freed = ids.includes('_all') ? await clearAll() : (await Promise.all(ids.map(clearOne))).reduce((sum, count) => sum + count, 0);
      return { status: freed > 0 || ids.includes('_all') ? 200 : 404, chunks: [utf8(`{"succeeded":true,"num_freed":${freed}}`)] };
    },
    async handle(payload, signal) {
      const message = decodeJson(payload) as ScrollMessage;
      if (message.kind === 'clear') return encodeJson((await scrolls.clear(message.cursor)) ? 1 : 0);
      if (message.kind === 'clear-all') return encodeJson(await scrolls.clearAll());
      const call = { signal, opaqueId: null, withType: message.withType };
      const answer = await scrolls.next(message.cursor, message.keepAliveMs, message.totalHitsAsInt, call);
      return Buffer.concat(answer.chunks);
    },
  };
}
