import type { RestResponse } from '../routing/route.js';

/** Answer of a call that deletes an entry of the security configuration: `{found}`, with 404 if it did not exist. */
export function deleted(found: boolean): RestResponse {
  return { status: found ? 200 : 404, json: { found } };
}
