import type { ApiError } from './api-error.js';
import { errors } from './catalogue.js';

/** The error for a text where true or false is expected, in Elasticsearch's words. `rest` follows them. */
export function notBoolean(text: string, rest = '.'): ApiError {
  return errors.illegalArgument(`Failed to parse value [${text}] as only [true] or [false] are allowed${rest}`);
}
