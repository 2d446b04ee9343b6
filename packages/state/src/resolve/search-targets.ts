import type { AccessLimits } from '@shoal/mapping';
import { resolveDateMath } from '../names/date-math-name.js';
import { matchesWildcard } from '@shoal/values';
import { dataStreamOf } from '../indices/data-streams.js';
import type { AliasMetadata, ClusterState, IndexMetadata } from '../state.js';
import { allowsIndex, grantedNames } from './allows-name.js';
import { type IndexAccess, UNRESTRICTED } from './index-access.js';
import { type IndicesOptions, OPEN_ONLY } from './indices-options.js';
import { isAllIndices, resolveIndices, visible } from './resolve-indices.js';

/** An index to search, with filter and routing of the aliases that it was requested by. */
export interface SearchTarget {
  readonly index: IndexMetadata;
  /** Filter query of the aliases; null for none. */
  readonly filter: Readonly<Record<string, unknown>> | null;
  /** Routing values that select the shards to search; null for all shards. */
  readonly routings: readonly string[] | null;
  /** Documents and fields of the index that the caller may see; null for all. */
  readonly limits: AccessLimits | null;
}

/**
 * Whether expressions request a name: an exclusion behind a wildcard takes back what was requested before it. Wildcards
 * request the names that `mayMatch` lets them.
 */
function named(
  expressions: readonly string[],
  name: string,
  nowMs: number,
  mayMatch: (pattern: string) => boolean = () => true,
): boolean {
  let wildcardSeen = false;
  let isNamed = false;
  for (const raw of expressions) {
    const excluded = raw.startsWith('-') && wildcardSeen;
    if (raw.includes('*')) wildcardSeen = true;
    if (raw.includes('*') && !mayMatch(raw)) continue;
    if (matchesWildcard(resolveDateMath(excluded ? raw.slice(1) : raw, nowMs), name)) isNamed = !excluded;
  }
  return isNamed;
}

function combineFilters(aliases: readonly AliasMetadata[]): Readonly<Record<string, unknown>> | null {
  const filters = aliases.map((alias) => alias.filter);
  if (filters.length === 0 || filters.some((filter) => filter === undefined)) return null;
  return filters.length === 1 ? filters[0]! : { bool: { should: filters } };
}

/** Merges the search routing of aliases; null if one of them searches all shards. */
function combineRoutings(aliases: readonly AliasMetadata[]): readonly string[] | null {
  const values = aliases.map((alias) => alias.searchRouting);
  if (values.length === 0 || values.some((value) => value === undefined)) return null;
  return [...new Set(values.flatMap((value) => value!.split(',')))];
}

/** Returns what aliases and request have in common; all shards if that is nothing, as in 8.12. */
function narrow(routings: readonly string[] | null, requested: readonly string[] | null): readonly string[] | null {
  if (!routings || !requested) return routings ?? requested;
  const both = routings.filter((value) => requested.includes(value));
  return both.length === 0 ? null : both;
}

/**
 * Returns the names by which expressions request an index: its own name, its aliases and its data stream, as far as the
 * caller may use them.
 */
function namesOf(
  state: ClusterState,
  expressions: readonly string[],
  index: IndexMetadata,
  access: IndexAccess,
  nowMs: number,
): SearchNames {
  // 8.12 does not ask `expand_wildcards` here: hidden aliases are requested by their name only.
  const asked = (name: string): boolean => {
    const isHidden = index.aliases[name]?.isHidden === true;
    const mayMatch = (pattern: string): boolean => visible(isHidden, name, pattern, OPEN_ONLY);
    return named(expressions, name, nowMs, mayMatch) && (access === UNRESTRICTED || access.allows(name));
  };
  const stream = dataStreamOf(state, index.uuid);
  const own = named(expressions, index.name, nowMs) && allowsIndex(state, access, index) ? [index.name] : [];
  return {
    own: stream !== null && asked(stream.name) ? [...own, stream.name] : own,
    aliases: Object.keys(index.aliases).filter(asked),
  };
}

interface SearchNames {
  /**
   * Names of the index itself and of its data stream: they request all documents, so that filters of aliases do not
   * apply.
   */
  readonly own: readonly string[];
  readonly aliases: readonly string[];
}

const ALL = ['*'] as const;

/** Returns the aliases by which expressions request an index, sorted, as far as the caller may use them. */
export function requestedAliases(
  state: ClusterState,
  expressions: readonly string[],
  index: IndexMetadata,
  access: IndexAccess,
  nowMs: number,
): string[] {
  return isAllIndices(expressions) ? [] : namesOf(state, expressions, index, access, nowMs).aliases.toSorted();
}

/**
 * Resolves the indices of a search, with alias filters, routing, and the documents and fields that `access` shows.
 * `routing`: the values of the request, split at commas.
 */
export function searchTargets(
  state: ClusterState,
  expressions: readonly string[],
  options: IndicesOptions,
  routing: readonly string[] | null,
  access: IndexAccess,
  nowMs = 0,
): SearchTarget[] {
  const indices = resolveIndices(state, expressions, options, access, nowMs);
  if (access === UNRESTRICTED && isAllIndices(expressions))
    return indices.map((index) => ({ index, filter: null, routings: routing, limits: null }));
  const patterns = isAllIndices(expressions) ? ALL : expressions;
  return indices.map((index) => {
    const { own, aliases } = namesOf(state, patterns, index, access, nowMs);
    const filtering = own.length > 0 ? [] : aliases.map((alias) => index.aliases[alias]!);
    const limits = access.limits(grantedNames(state, index, [...own, ...aliases]));
    return { index, filter: combineFilters(filtering), routings: narrow(combineRoutings(filtering), routing), limits };
  });
}
