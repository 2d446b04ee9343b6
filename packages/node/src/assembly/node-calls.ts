import type { ChannelHandler } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { decodeJson, encodeJson } from '@shoal/json';
import { shard } from '@shoal/protocol';

/** Answers one kind of call about this node (`info`, `stats`, `tasks` …): JSON in, JSON out. */
export type NodeCall = (body: unknown, signal: AbortSignal) => unknown;

/** The calls that a node answers, by name. */
export type NodeCalls = Readonly<Record<string, NodeCall>>;

/**
 * Answers `node/call`, what coordinators ask of a node as a whole, from the moment the calls are there: links are up
 * before them.
 */
export function lateNodeCalls(): { handle: ChannelHandler; serve(calls: NodeCalls): void } {
  let ready: (calls: NodeCalls) => void = () => undefined;
  const calls = new Promise<NodeCalls>((resolve) => (ready = resolve));
  return {
    serve: (named) => ready(named),
    async handle(_action, payload, signal) {
      const { action, body } = shard.decodeShardCall(payload);
      const known = await calls;
      if (!Object.hasOwn(known, action)) throw errors.illegalArgument(`unknown call [${action}] to a node`);
      const answer = await known[action]!(decodeJson(body) ?? {}, signal);
      return shard.encodeShardCallResponse({ body: encodeJson(answer) });
    },
  };
}
