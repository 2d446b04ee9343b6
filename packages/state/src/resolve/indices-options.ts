import { errors } from '@shoal/errors';

/** What an index expression may match; see "multi-target syntax" of the Elasticsearch reference. */
export interface IndicesOptions {
  readonly expandOpen: boolean;
  readonly expandClosed: boolean;
  readonly expandHidden: boolean;
  /** Wildcards that match nothing are fine. */
  readonly allowNoIndices: boolean;
  /** Missing and closed concrete names are left out instead of refused. */
  readonly ignoreUnavailable: boolean;
  /** Closed indices are errors when named. */
  readonly forbidClosed: boolean;
  /** False: names of aliases are refused, wildcards look at index names only (delete index). */
  readonly allowAliases: boolean;
}

/** Search, count, refresh, stats …: open indices, closed ones are errors. */
export const OPEN_ONLY: IndicesOptions = {
  expandOpen: true,
  expandClosed: false,
  expandHidden: false,
  allowNoIndices: true,
  ignoreUnavailable: false,
  forbidClosed: true,
  allowAliases: true,
};

/** Metadata calls: open indices by wildcard, closed ones by name. */
export const OPEN_BY_WILDCARD: IndicesOptions = { ...OPEN_ONLY, forbidClosed: false };

/** Calls that also see closed indices by wildcard. */
export const OPEN_AND_CLOSED: IndicesOptions = { ...OPEN_BY_WILDCARD, expandClosed: true };

export const EVERYTHING: IndicesOptions = { ...OPEN_AND_CLOSED, expandHidden: true };

/**
 * Reads `expand_wildcards`, `allow_no_indices`, `ignore_unavailable` as given with a request, over the defaults of a
 * call.
 */
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
