import { matchesAny, matchesWildcard } from '@shoal/values';
import { errors } from '@shoal/errors';

/** Visible fields of a role: those that `grant` matches, minus those that `except` matches. */
export interface FieldSecurity {
  readonly grant: readonly string[];
  readonly except: readonly string[];
}

/** Throws unless every exception lies within a granted pattern. */
export function checkFieldSecurity({ grant, except }: FieldSecurity): void {
  const outside = except.filter((pattern) => !matchesAny(grant, pattern));
  if (outside.length === 0) return;
  throw errors.parse('failed to parse field permissions', {
    cause: errors.illegalArgument(
      `Exceptions for field permissions must be a subset of the granted fields but [${except.join(',')}] is not a ` +
        `subset of [${grant.join(',')}]`,
    ),
  });
}

/** Whether the role shows all fields. */
export function showsAllFields({ grant, except }: FieldSecurity): boolean {
  return except.length === 0 && grant.some((pattern) => matchesWildcard(pattern, '*'));
}
