import { type ApiError, errors } from '@shoal/errors';

/** Wraps a failure of the reduce as answers show it: status 400, without root causes. */
export function reduceFailure(cause: ApiError): ApiError {
  return errors.searchPhaseExecution('', {
    status: 400,
    meta: { phase: 'fetch', grouped: true, failed_shards: [] },
    cause,
    rootCauses: [],
  });
}
