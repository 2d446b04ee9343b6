import type { CallContext, JsonAnswer } from '@shoal/coordinator';
import type { Subject } from '@shoal/security';
import type { RestRequest, RestResponse } from '../routing/route.js';

/** The signal is made only if the call looks at it. */
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

/** What a coordinator's call needs of a request besides its own arguments. */
export function callContext(request: RestRequest): CallContext {
  return new RequestCall(request);
}

/** A coordinator's answer as it is. */
export function jsonResponse(answer: JsonAnswer): RestResponse {
  return { status: answer.status, bytes: answer.chunks };
}
