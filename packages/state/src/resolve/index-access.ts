import type { ApiError } from '@shoal/errors';
import { errors } from '@shoal/errors';
import type { AccessLimits } from '@shoal/mapping';

/**
 * What one caller may name for one action. Wildcards see only what is allowed; what is asked for by name and not
 * allowed is refused.
 */
export interface IndexAccess {
  /**
   * Whether the action is allowed on an index, alias or data stream of this name; one that does not exist is asked for
   * as well.
   */
  allows(name: string): boolean;
  /** The error for names that were asked for and are not allowed. */
  refuse(names: readonly string[]): ApiError;
  /** What the caller may see of an index that it reaches by some allowed names; null for all of it. */
  limits(names: readonly string[]): AccessLimits | null;
}

/** The access of the node itself, and of everybody while security is off. */
export const UNRESTRICTED: IndexAccess = {
  allows: () => true,
  refuse: (names) => errors.illegalState(`access to [${names.join(',')}] was refused without restrictions`),
  limits: () => null,
};
