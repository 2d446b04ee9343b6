import type { CallContext, JsonAnswer } from '@shoal/coordinator';
import type { Subject } from '@shoal/security';
import type { RestRequest, RestResponse } from '../routing/route.js';

/** Context of a coordinator call. The signal is created only if it is used. */
class RequestCall implements CallContext {
  readonly #request: RestRequest;
  readonly opaqueId: string | null;
  readonly withType: boolean;
  readonly taskId: string;
  readonly waitedMs: number;
  readonly subject: Subject;

  constructor(request: RestRequest) {
    this.#request = request;
    this.opaqueId = request.opaqueId;
    this.withType = request.compatibleWith7;
    this.taskId = request.taskId;
    this.waitedMs = request.waitedMs;
    this.subject = request.subject;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }
}

/** The context of a request's coordinator calls: caller, task, signal, and options of the answer. */
export function callContext(request: RestRequest): CallContext {
  return new RequestCall(request);
}

/** Converts a coordinator's answer to a response. */
export function jsonResponse(answer: JsonAnswer): RestResponse {
  return { status: answer.status, bytes: answer.chunks };
}
