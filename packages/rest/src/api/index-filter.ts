import type { Coordinator } from '@shoal/coordinator';
import { errors, isApiError } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';

/**
 * Throws for an `index_filter` that is no query, in the words of the parser of the body. 8.12 names the place where the
 * parser of the query stopped twice.
 */
export function checkIndexFilter(
  parser: string,
  filter: JsonObject,
  coordinator: Pick<Coordinator, 'checkFilter'>,
): void {
  try {
    coordinator.checkFilter(filter);
  } catch (error) {
    if (!isApiError(error)) throw error;
    const at = error.parserAt ?? error.location ?? { container: filter, at: 'end' as const };
    const { isAppended: _, ...location } = at;
    throw errors.xContentParse(`[${parser}] failed to parse field [index_filter]`, { cause: error, location });
  }
}
