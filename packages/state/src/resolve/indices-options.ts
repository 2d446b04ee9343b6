import { errors } from '@shoal/errors';

/** What an index expression may match; see "multi-target syntax" of the Elasticsearch reference. */
export interface IndicesOptions {
  readonly expandOpen: boolean;
  readonly expandClosed: boolean;
  readonly expandHidden: boolean;
  /** Whether wildcards may match nothing. */
  readonly allowNoIndices: boolean;
  /** Whether missing and closed indices that are named are skipped instead of refused. */
  readonly ignoreUnavailable: boolean;
  /** Whether naming a closed index is an error. */
  readonly forbidClosed: boolean;
  /**
   * Whether names may be aliases. False for delete index: naming an alias is an error, and wildcards match index names
   * only.
   */
  readonly allowAliases: boolean;
}

/** For search, count, refresh, stats …: open indices; naming a closed index is an error. */
export const OPEN_ONLY: IndicesOptions = {
  expandOpen: true,
  expandClosed: false,
  expandHidden: false,
  allowNoIndices: true,
  ignoreUnavailable: false,
  forbidClosed: true,
  allowAliases: true,
};

/** For metadata calls: wildcards match open indices, names also closed ones. */
export const OPEN_BY_WILDCARD: IndicesOptions = { ...OPEN_ONLY, forbidClosed: false };

/** For calls whose wildcards match closed indices too. */
export const OPEN_AND_CLOSED: IndicesOptions = { ...OPEN_BY_WILDCARD, expandClosed: true };

/** For calls whose wildcards match open, closed and hidden indices. */
export const EVERYTHING: IndicesOptions = { ...OPEN_AND_CLOSED, expandHidden: true };

/** Applies `expand_wildcards`, `allow_no_indices` and `ignore_unavailable` of a request to the defaults of its call. */
export function withExpandWildcards(defaults: IndicesOptions, values: readonly string[]): IndicesOptions {
  let { expandOpen, expandClosed, expandHidden } = { expandOpen: false, expandClosed: false, expandHidden: false };
  for (const value of values.flatMap((text) => text.split(','))) {
    if (value === 'open') expandOpen = true;
    else if (value === 'closed') expandClosed = true;
    else if (value === 'hidden') expandHidden = true;
    else if (value === 'all') expandOpen = expandClosed = expandHidden = true;
    else if (value === 'none') expandOpen = expandClosed = expandHidden = false;
    else throw errors.illegalArgument(`No valid expand wildcard value [${value}]`);
  }
  return { ...defaults, expandOpen, expandClosed, expandHidden };
}
