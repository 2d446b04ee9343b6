import { errors } from '@shoal/errors';
import type { SourceSelection } from '@shoal/coordinator';
import type { RestRequest } from '../routing/route.js';

/** Parameters that select parts of `_source`. */
export const SOURCE_PARAMETERS: readonly string[] = ['_source', '_source_includes', '_source_excludes'];

/**
 * `_source`, `_source_includes`, `_source_excludes`; null if none is given. The fields that `_source` names count only
 * without `_source_includes`.
 */
export function sourceParameters(request: RestRequest): SourceSelection | null {
  const { params } = request;
  if (params.boolean('force_synthetic_source', false))
    throw errors.illegalArgument('[force_synthetic_source] is not supported: documents are answered as they were sent');
  const text = params.text('_source');
  if (text === 'false') return false;
  const includes = params.list('_source_includes');
  const excludes = params.list('_source_excludes');
  const named = text === null || text === '' || text === 'true' ? null : text.split(',').filter((part) => part !== '');
  if (includes === null && excludes === null && named === null) return text === null ? null : true;
  return { includes: includes ?? named ?? [], excludes: excludes ?? [] };
}
