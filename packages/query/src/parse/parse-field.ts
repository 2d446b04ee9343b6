import { type ErrorLocation, errors, isApiError } from '@shoal/errors';

/** Runs a parser; an error without a location gets `at` as the place where the parser stood. */
export function parsingAt<T>(at: ErrorLocation, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (isApiError(error) && error.location === undefined) error.parserAt ??= at;
    throw error;
  }
}

/**
 * Runs the parser of a declared field. Failures are wrapped as Elasticsearch's declarative parsers do:
 * x_content_parse_exception `[bool] failed to parse field [must]`.
 */
export function parseField<T>(type: string, container: object, key: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!isApiError(error)) throw error;
    const { isAppended: _, ...location } = error.parserAt ?? error.location ?? { container, key };
    throw errors.xContentParse(`[${type}] failed to parse field [${key}]`, { cause: error, location });
  }
}
