import type { Answer } from './own-call.js';

/**
 * Whether an answer says that the cluster has no such call. Elasticsearch without a module takes the first part of a
 * path for the name of an index, and then either has no handler for the rest, or another method for it, or refuses the
 * name.
 */
export function isMissingCall({ status, text }: Pick<Answer, 'status' | 'text'>): boolean {
  if (status === 405) return true;
  return status === 400 && /no handler found|must not start with '_'/.test(text);
}
