import type { LocalHandler, MessagePair, RequestOrigin, ShardKey } from '@shoal/doors';

/** Who answers a message on the node that it is sent to; `proto/options.proto` says what each means. */
export type Route = 'SHARD' | 'TARGETS' | 'THREADS' | 'NODE' | 'CONTROL' | 'INSIDE';

/** Limit that a node's work on a message counts against. */
export type Pool = 'SEARCH' | 'GET' | 'WRITE' | 'REPLICA' | 'CALL';

/** Answers one message. `signal` aborts when the caller gave up; what it throws is the caller's error. */
export type Handler<Request, Answer> = (
  request: Request,
  signal: AbortSignal,
  origin?: RequestOrigin,
) => Promise<Answer> | Answer;

/** One `rpc` of `proto/`: its messages, and what routers, limits and task lists have to know of it. */
export interface Method<Request extends object, Answer extends object> extends MessagePair<Request, Answer> {
  readonly route: Route;
  /** Null: it is not limited. */
  readonly pool: Pool | null;
  /** Elasticsearch's name of the task that it is on its node. */
  readonly task: string;
  /** Its task can be cancelled by itself. */
  readonly isCancellable: boolean;
  /** A caller on the thread of the handler sends the message as an object (`Channel.local`), not as bytes. */
  readonly isLocal: boolean;
  decodeRequest(bytes: Uint8Array): Request;
  encodeAnswer(answer: Answer): Uint8Array;
}

/** The methods of a service: one for each of its handlers. */
export type Service<Handlers> = {
  readonly [Name in keyof Handlers]: Handlers[Name] extends Handler<infer Request, infer Answer>
    ? Request extends object
      ? Answer extends object
        ? Method<Request, Answer>
        : never
      : never
    : never;
};

/** Answers the bytes of one message. */
export type Answerer = (payload: Uint8Array, signal: AbortSignal, origin?: RequestOrigin) => Promise<Uint8Array>;

/** What answers each action of a service: decodes the request for its handler and encodes the answer. */
export function answerers<Handlers extends object>(
  methods: Service<Handlers>,
  handlers: Handlers,
): ReadonlyMap<string, Answerer> {
  return answerersOf(methods, () => handlers);
}

/** The same for a service about single shards: `find` leads to the handlers of the shard that a request names. */
export function answerersByShard<Handlers extends object>(
  methods: Service<Handlers>,
  find: (shard: ShardKey) => Handlers,
): ReadonlyMap<string, Answerer> {
  return answerersOf(methods, (method, request) => find(method.shardOf(request) ?? NO_SHARD));
}

/** What a request without a shard asks for: no index has this uuid. */
const NO_SHARD: ShardKey = { indexUuid: '', shard: 0 };

/** `Service` pairs each method with the handler of its name and its messages; types are lost in the loop only. */
function answerersOf<Handlers extends object>(
  methods: Service<Handlers>,
  handlersFor: (method: Method<object, object>, request: object) => Handlers,
): ReadonlyMap<string, Answerer> {
  return new Map(
    Object.entries(methods as Readonly<Record<string, Method<object, object>>>).map(([name, method]) => {
      const answer: Answerer = async (payload, signal, origin) => {
        const request = method.decodeRequest(payload);
        const handlers = handlersFor(method, request) as Readonly<Record<string, Handler<object, object>>>;
        return method.encodeAnswer(await handlers[name]!(request, signal, origin));
      };
      return [method.action, answer];
    }),
  );
}

/** What answers the methods of a service that are handed over as objects (`isLocal`) on the same thread. */
export function localAnswers<Handlers extends object>(methods: Service<Handlers>, handlers: Handlers): LocalHandler {
  const known = handlers as Readonly<Record<string, Handler<object, object>>>;
  const byAction = new Map(
    Object.entries(methods as Readonly<Record<string, Method<object, object>>>)
      .filter(([, { isLocal }]) => isLocal)
      .map(([name, { action }]) => [action, known[name]!]),
  );
  return {
    actions: new Set(byAction.keys()),
    handle: async (action, message, signal, origin) => byAction.get(action)!(message, signal, origin),
  };
}
