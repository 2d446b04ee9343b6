import { coversTogether } from '../privileges/action-patterns.js';
import { indexPrivilege } from '../privileges/index-privileges.js';
import type { Permissions } from '../subject.js';
import { isRestricted, mayBeRestricted } from './restricted-names.js';

/**
 * Whether a caller may read all documents with all fields of every index that a name or pattern ever matches, also of
 * those that are not there yet.
 */
export function readsPattern({ grants }: Permissions, pattern: string): boolean {
  const needsRestricted = pattern.includes('*') ? mayBeRestricted(pattern) : isRestricted(pattern);
  return grants.every(({ indices }) => {
    const whole = indices.filter(
      ({ names, query, fields, restrictedToo }) =>
        query === null && fields === null && (restrictedToo || !needsRestricted) && names.coversPattern(pattern),
    );
    return coversTogether(
      whole.flatMap(({ actions }) => actions),
      indexPrivilege('read'),
    );
  });
}
