import type { ApiError } from '@shoal/errors';
import { errors } from '@shoal/errors';
import type { AccessLimits } from '@shoal/mapping';

/**
 * The indices that one caller may use for one action. Wildcards match allowed names only; a concrete name that is not
 * allowed is refused.
 */
export interface IndexAccess {
  /**
   * Whether the action is allowed on an index, alias or data stream of this name. Also called for names that do not
   * exist.
   */
  allows(name: string): boolean;
  /** Makes the error for names that are not allowed. */
  refuse(names: readonly string[]): ApiError;
  /**
   * Returns the documents and fields that the caller may see of an index, given the allowed names that it is requested
   * by; null for all.
   */
  limits(names: readonly string[]): AccessLimits | null;
}

/** Access to everything: for the node itself, and for all callers if security is off. */
export const UNRESTRICTED: IndexAccess = {
  allows: () => true,
  refuse: (names) => errors.illegalState(`access to [${names.join(',')}] was refused without restrictions`),
  limits: () => null,
};
