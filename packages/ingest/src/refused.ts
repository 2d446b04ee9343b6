import { ApiError } from '@shoal/errors';

/** The error of what a pipeline must not or cannot do: a mistake of who wrote it, which 8.12 answers with 500. */
export const refused = (reason: string): ApiError => new ApiError('illegal_state_exception', 400, false, reason);
