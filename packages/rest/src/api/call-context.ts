import type { CallContext, JsonAnswer } from '@shoal/coordinator';
import type { RestRequest, RestResponse } from '../route.js';

/** What a coordinator's call needs of a request besides its own arguments. The signal is made only if the call looks at it. */
export function callContext(request: RestRequest): CallContext {
  return {
    get signal() {
      return request.signal;
    },
    opaqueId: request.opaqueId,
    withType: request.compatibleWith7,
    taskId: request.taskId,
  };
}

/** A coordinator's answer as it is. */
export function jsonResponse(answer: JsonAnswer): RestResponse {
  return { status: answer.status, bytes: answer.chunks };
}
