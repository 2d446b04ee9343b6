import { type ApiError, errors } from '@shoal/errors';

/** A failure while partial results are put together, as the answer shows it: without root causes, status 400. */
export function reduceFailure(cause: ApiError): ApiError {
  return errors.searchPhaseExecution('', {
    status: 400,
    meta: { phase: 'fetch', grouped: true, failed_shards: [] },
    cause,
    rootCauses: [],
  });
}
