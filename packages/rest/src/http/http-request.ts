import type { IncomingMessage, ServerResponse } from 'node:http';
import { type IndexAccess, UNRESTRICTED } from '@shoal/state';
import { type AbortCause, LazySignal } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { isLargeJson, type ParseTurns } from '@shoal/json';
import { isClusterAction, type Subject } from '@shoal/security';
import { parseBody, parseBodyInTurns } from '../format/body-values.js';
import type { BodyFormat, Negotiated } from '../format/media-types.js';
import type { RequestParameters } from '../routing/params.js';
import { jsonBytes } from '../format/render.js';
import { traceIdOf } from './trace-parent.js';
import type { Method, RestRequest } from '../routing/route.js';

/** Parts of a request that is routed and whose body has arrived. */
export interface RequestParts {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: Method;
  readonly path: string;
  readonly pathParams: Readonly<Record<string, string>>;
  readonly params: RequestParameters;
  readonly rawBody: Uint8Array;
  readonly bodyFormat: BodyFormat;
  readonly negotiated: Negotiated;
  readonly subject: Subject;
  /** Action of the route. */
  readonly privilege: string;
}

/** The request as handlers see it. Signal and parsed body are created on first use. */
export class HttpRequest implements RestRequest {
  readonly method: Method;
  readonly path: string;
  readonly pathParams: Readonly<Record<string, string>>;
  readonly params: RequestParameters;
  readonly rawBody: Uint8Array;
  readonly compatibleWith7: boolean;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly subject: Subject;
  /** Set when the task of the request is registered. */
  taskId = '';
  waitedMs = 0;
  readonly #parts: RequestParts;
  #signal: LazySignal | null = null;
  #parsed: unknown;
  #isParsed = false;

  constructor(parts: RequestParts) {
    this.#parts = parts;
    this.method = parts.method;
    this.path = parts.path;
    this.pathParams = parts.pathParams;
    this.params = parts.params;
    this.rawBody = parts.rawBody;
    this.compatibleWith7 = parts.negotiated.compatibleWith7;
    this.subject = parts.subject;
    this.headers = parts.message.headers as Record<string, string | undefined>;
  }

  get hasBody(): boolean {
    return this.rawBody.length > 0;
  }

  get access(): IndexAccess {
    const { privilege } = this.#parts;
    return isClusterAction(privilege) ? UNRESTRICTED : this.subject.permissions.indexAccess(privilege);
  }

  get opaqueId(): string | null {
    return this.headers['x-opaque-id'] ?? null;
  }

  get traceId(): string | null {
    const header = this.headers['traceparent'];
    return header === undefined ? null : traceIdOf(header);
  }

  /** The value that `json` returned, to locate errors in it. */
  get parsedBody(): unknown {
    return this.#parsed;
  }

  /** Whether the body is better parsed in turns. */
  get isLarge(): boolean {
    return isLargeJson(this.rawBody);
  }

  /** Parses the body, so that `json` returns it at once. */
  async parseInTurns(turns: ParseTurns): Promise<void> {
    this.#parsed = await parseBodyInTurns(this.rawBody, this.#parts.bodyFormat, turns);
    this.#isParsed = true;
  }

  json(): unknown {
    if (!this.#isParsed && this.hasBody) this.#parsed = parseBody(this.rawBody, this.#parts.bodyFormat);
    this.#isParsed = true;
    return this.#parsed;
  }

  get hasQuery(): boolean {
    return this.params.hasQuery;
  }

  jsonBody(): Uint8Array {
    const { bodyFormat } = this.#parts;
    if (bodyFormat === 'json' || bodyFormat === 'ndjson' || !this.hasBody) return this.rawBody;
    return jsonBytes(this.json());
  }

  get signal(): AbortSignal {
    return this.#abort();
  }

  /** Aborts the request because of `_tasks/_cancel`. */
  cancel(reason: string): void {
    this.#abort().abort(errors.taskCancelled(`task cancelled [${reason}]`));
  }

  #abort(): LazySignal {
    return (this.#signal ??= new LazySignal(new HangUp(this.#parts.response)));
  }
}

/** Aborts if the client closes the connection before it has the answer. */
class HangUp implements AbortCause {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get aborted(): boolean {
    return this.#response.closed && !this.#response.writableFinished;
  }

  get reason(): unknown {
    return errors.taskCancelled('task cancelled [http channel closed]');
  }

  listen(aborted: () => void): () => void {
    const response = this.#response;
    const closed = (): void => void (response.writableFinished || aborted());
    response.once('close', closed);
    return () => response.off('close', closed);
  }
}
