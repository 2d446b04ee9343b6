import { isApiError } from '@shoal/errors';
import type { ParseContext } from '@shoal/query';
import { parseSearch } from './parse-search.js';
import type { SearchPlan } from './search-plan.js';
import type { SearchRequest } from './search-request.js';

/**
 * Parses a body with what was looked up for it: values of terms, documents of more_like_this. Errors have their places
 * in the body that was `given`.
 */
export function lookedUpPlan(given: SearchRequest, request: SearchRequest, parsing: ParseContext): SearchPlan {
  try {
    return parseSearch(request, parsing);
  } catch (error) {
    throw sameErrorOf(given, parsing, error);
  }
}

function sameErrorOf(given: SearchRequest, parsing: ParseContext, error: unknown): unknown {
  try {
    parseSearch(given, parsing);
  } catch (own) {
    if (isApiError(own) && isApiError(error) && own.type === error.type) return own;
  }
  return error;
}
