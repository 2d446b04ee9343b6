import { errors } from '@shoal/errors';
import { decodeJson, encodeJson } from '@shoal/json';
import type { node } from '@shoal/protocol';

/** Answers one kind of call about this node (`info`, `stats`, `tasks` …): JSON in, JSON out. */
export type NodeCall = (body: unknown, signal: AbortSignal) => unknown;

/** The calls that a node answers, by name. */
export type NodeCalls = Readonly<Record<string, NodeCall>>;

/**
 * Creates the handler of `node/call`, by which coordinators ask about a node as a whole. Links are up before the calls
 * are known: calls until then wait for `serve`.
 */
export function lateNodeCalls(): { handle: node.NodeHandlers['call']; serve(calls: NodeCalls): void } {
  let ready: (calls: NodeCalls) => void = () => undefined;
  const calls = new Promise<NodeCalls>((resolve) => (ready = resolve));
  return {
    serve: (named) => ready(named),
    async handle({ action, body }, signal) {
      const known = await calls;
      if (!Object.hasOwn(known, action)) throw errors.illegalArgument(`unknown call [${action}] to a node`);
      const answer = await known[action]!(decodeJson(body) ?? {}, signal);
      return { body: encodeJson(answer) };
    },
  };
}
