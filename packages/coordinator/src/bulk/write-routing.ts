import { errors } from '@shoal/errors';
import type { WriteTarget } from '@shoal/state';

/**
 * Returns the routing of a write: that of the alias if it has one, otherwise that of the request. Throws if both exist
 * and differ.
 */
export function writeRouting(target: WriteTarget, name: string, routing: string | null): string | null {
  const fixed = target.alias?.indexRouting;
  if (fixed === undefined) return routing;
  if (fixed.includes(',')) {
    throw errors.illegalArgument(
      `index/alias [${name}] provided with routing value [${fixed}] that resolved to several routing values, ` +
        'rejecting operation',
    );
  }
  if (routing !== null && routing !== fixed) {
    throw errors.illegalArgument(
      `Alias [${name}] has index routing associated with it [${fixed}], and was provided with routing value ` +
        `[${routing}], rejecting operation`,
    );
  }
  return fixed;
}
