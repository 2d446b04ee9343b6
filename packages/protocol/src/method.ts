import type { LocalHandler, MessagePair, RequestOrigin, ShardKey } from '@shoal/doors';

/** Where a message is answered on the node that gets it; `proto/options.proto` explains each. */
export type Route = 'SHARD' | 'TARGETS' | 'THREADS' | 'NODE' | 'CONTROL' | 'INSIDE';

/** Thread pool or limit that a node's work on a message counts against. */
export type Pool = 'SEARCH' | 'GET' | 'WRITE' | 'REPLICA' | 'CALL';

/** Answers one message. `signal` aborts when the caller has given up. An error that it throws is sent to the caller. */
export type Handler<Request, Answer> = (
  request: Request,
  signal: AbortSignal,
  origin?: RequestOrigin,
) => Promise<Answer> | Answer;

/** One `rpc` of `proto/`: its messages, and its properties for routers, limits and task lists. */
export interface Method<Request extends object, Answer extends object> extends MessagePair<Request, Answer> {
  readonly route: Route;
  /** Pool that limits the message; null if it is not limited. */
  readonly pool: Pool | null;
  /** Elasticsearch's action name of its task. */
  readonly task: string;
  /** Whether its task can be cancelled by itself. */
  readonly isCancellable: boolean;
  /** Whether a caller on the handler's thread sends the message as an object (`Channel.local`), not as bytes. */
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

/** Answers one encoded message. */
export type Answerer = (payload: Uint8Array, signal: AbortSignal, origin?: RequestOrigin) => Promise<Uint8Array>;

/**
 * Returns a function for each action of a service, which decodes the request for its handler and encodes the answer.
 */
export function answerers<Handlers extends object>(
  methods: Service<Handlers>,
  handlers: Handlers,
): ReadonlyMap<string, Answerer> {
  return answerersOf(methods, () => handlers);
}

/**
 * Same as `answerers` for a service about single shards: `find` returns the handlers of the shard that a request names.
 */
export function answerersByShard<Handlers extends object>(
  methods: Service<Handlers>,
  find: (shard: ShardKey) => Handlers,
): ReadonlyMap<string, Answerer> {
  return answerersOf(methods, (method, request) => find(method.shardOf(request) ?? NO_SHARD));
}

/** Shard of a request that names none: no index has this uuid. */
const NO_SHARD: ShardKey = { indexUuid: '', shard: 0 };

/**
 * Creates the functions of `answerers`. `Service` pairs each method with the handler of its name; types are lost only
 * in this loop.
 */
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

/** Returns the handlers of those methods of a service that get objects (`isLocal`) on the same thread. */
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
