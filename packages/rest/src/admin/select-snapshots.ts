import { matchesWildcard } from '@shoal/values';
import type { SnapshotInfo } from '@shoal/coordinator';
import { type ApiError, errors } from '@shoal/errors';

/** Error for a snapshot that does not exist. */
export function missingSnapshot(repository: string, name: string): ApiError {
  return errors.snapshotMissing(`[${repository}:${name}] is missing`);
}

function matches(pattern: string, info: SnapshotInfo): boolean {
  if (pattern === '_all') return true;
  return pattern === '_current' ? info.state === 'IN_PROGRESS' : matchesWildcard(pattern, info.name);
}

/** Snapshots that match names, wildcards, `_all`, `_current` and exclusions. */
export function selectSnapshots(
  repository: string,
  all: readonly SnapshotInfo[],
  patterns: readonly string[],
  ignoreUnavailable: boolean,
): SnapshotInfo[] {
  const chosen = new Set<SnapshotInfo>();
  for (const [i, pattern] of patterns.entries()) {
    const excludes = pattern.startsWith('-') && i > 0;
    const found = all.filter((info) => matches(excludes ? pattern.slice(1) : pattern, info));
    if (excludes) for (const info of found) chosen.delete(info);
    else for (const info of found) chosen.add(info);
    const isConcrete = !pattern.includes('*') && pattern !== '_all' && pattern !== '_current' && !excludes;
    if (isConcrete && found.length === 0 && !ignoreUnavailable) throw missingSnapshot(repository, pattern);
  }
  return all.filter((info) => chosen.has(info));
}

/** A snapshot in a list of several repositories. */
export interface ListedSnapshot {
  readonly repository: string;
  readonly info: SnapshotInfo;
}

/** What snapshots are sorted by. */
export interface SortKey {
  readonly isText: boolean;
  readonly value: (listed: ListedSnapshot) => string | number;
}

const numbers = (value: (listed: ListedSnapshot) => number): SortKey => ({ isText: false, value });
const texts = (value: (listed: ListedSnapshot) => string): SortKey => ({ isText: true, value });

const KEYS: Readonly<Record<string, SortKey>> = {
  start_time: numbers(({ info }) => info.startedAtMs),
  duration: numbers(({ info }) => info.endedAtMs - info.startedAtMs),
  name: texts(({ info }) => info.name),
  index_count: numbers(({ info }) => info.indices.length),
  repository: texts(({ repository }) => repository),
  shard_count: numbers(({ info }) => info.totalShards),
  failed_shard_count: numbers(({ info }) => info.failures.length),
};

/** Returns a sort key by its name. */
export function sortedBy(sort: string): SortKey {
  const key = Object.hasOwn(KEYS, sort) ? KEYS[sort]! : null;
  if (!key) throw errors.illegalArgument(`unknown sort order [${sort}]`);
  return key;
}

/** Where a snapshot is in a list. */
export interface SnapshotPosition {
  readonly value: string | number;
  readonly name: string;
  readonly repository: string;
}

/** Compares values of one sort key. */
export const compareValues = (a: string | number, b: string | number): number => (a === b ? 0 : a < b ? -1 : 1);

/** Compares by the key, then by name, then by repository. */
export function compareSnapshots(a: SnapshotPosition, b: SnapshotPosition): number {
  return compareValues(a.value, b.value) || compareValues(a.name, b.name) || compareValues(a.repository, b.repository);
}
