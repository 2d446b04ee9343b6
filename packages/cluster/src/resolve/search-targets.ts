import { resolveDateMath } from '../names/date-math-name.js';
import { matchesWildcard } from '../names/wildcards.js';
import { dataStreamOf } from '../data-streams.js';
import type { AliasMetadata, ClusterState, IndexMetadata } from '../state.js';
import { OPEN_ONLY, type IndicesOptions } from './indices-options.js';
import { isAllIndices, resolveIndices } from './resolve-indices.js';

/** An index to search with what its aliases add. */
export interface SearchTarget {
  readonly index: IndexMetadata;
  /** Query that filters the index's documents, or null. */
  readonly filter: Readonly<Record<string, unknown>> | null;
  /** Routing values that narrow the shards, or null for all. */
  readonly routings: readonly string[] | null;
}

function named(expressions: readonly string[], name: string, nowMs: number): boolean {
  return expressions.some((raw) => !raw.startsWith('-') && matchesWildcard(resolveDateMath(raw, nowMs), name));
}

function combineFilters(aliases: readonly AliasMetadata[]): Readonly<Record<string, unknown>> | null {
  const filters = aliases.map((alias) => alias.filter);
  if (filters.length === 0 || filters.some((filter) => filter === undefined)) return null;
  return filters.length === 1 ? filters[0]! : { bool: { should: filters, minimum_should_match: 1 } };
}

/** Values of aliases that route searches; null as soon as one of them searches everywhere. */
function combineRoutings(aliases: readonly AliasMetadata[]): readonly string[] | null {
  const values = aliases.map((alias) => alias.searchRouting);
  if (values.length === 0 || values.some((value) => value === undefined)) return null;
  return [...new Set(values.flatMap((value) => value!.split(',')))];
}

function narrow(routings: readonly string[] | null, requested: readonly string[] | null): readonly string[] | null {
  if (!routings || !requested) return routings ?? requested;
  return routings.filter((value) => requested.includes(value));
}

/** The indices of a search with alias filters and routing. `routing` is the request's, comma-separated values split. */
export function searchTargets(
  state: ClusterState,
  expressions: readonly string[],
  options: IndicesOptions = OPEN_ONLY,
  routing: readonly string[] | null = null,
  nowMs = 0,
): SearchTarget[] {
  const indices = resolveIndices(state, expressions, options, nowMs);
  if (isAllIndices(expressions)) return indices.map((index) => ({ index, filter: null, routings: routing }));
  return indices.map((index) => {
    const stream = dataStreamOf(state, index.uuid);
    const direct = named(expressions, index.name, nowMs) || (stream !== null && named(expressions, stream.name, nowMs));
    const aliases = direct ? [] : Object.entries(index.aliases).filter(([alias]) => named(expressions, alias, nowMs)).map(([, alias]) => alias);
    return { index, filter: combineFilters(aliases), routings: narrow(combineRoutings(aliases), routing) };
  });
}
