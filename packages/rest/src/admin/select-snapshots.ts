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

type ListedSnapshot = { readonly repository: string; readonly info: SnapshotInfo };

const KEYS: Readonly<Record<string, (listed: ListedSnapshot) => string | number>> = {
  start_time: ({ info }) => info.startedAtMs,
  duration: ({ info }) => info.endedAtMs - info.startedAtMs,
  name: ({ info }) => info.name,
  index_count: ({ info }) => info.indices.length,
  repository: ({ repository }) => repository,
  shard_count: ({ info }) => info.totalShards,
  failed_shard_count: ({ info }) => info.failures.length,
};

/** Sorts snapshots by a key, then by name. */
export function sortSnapshots(listed: readonly ListedSnapshot[], sort: string, order: string): ListedSnapshot[] {
  const key = Object.hasOwn(KEYS, sort) ? KEYS[sort]! : null;
  if (!key) throw errors.illegalArgument(`unknown sort order [${sort}]`);
  const direction = order === 'desc' ? -1 : 1;
  const compare = (a: string | number, b: string | number): number => (a === b ? 0 : a < b ? -1 : 1);
  return [...listed].sort((a, b) => direction * (compare(key(a), key(b)) || compare(a.info.name, b.info.name)));
}
