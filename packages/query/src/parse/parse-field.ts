import { errors, isApiError } from '@shoal/errors';

/**
 * Runs the parser of a declared field. Failures are wrapped as Elasticsearch's declarative parsers do:
 * x_content_parse_exception `[bool] failed to parse field [must]`.
 */
export function parseField<T>(type: string, container: object, key: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!isApiError(error)) throw error;
    throw errors.xContentParse(`[${type}] failed to parse field [${key}]`, {
      cause: error,
      location: error.location ?? { container, key },
    });
  }
}
