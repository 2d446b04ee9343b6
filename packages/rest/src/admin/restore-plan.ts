import { type ClusterState, flattenIndexSettings, nameIndex, noSuchIndex } from '@shoal/state';
import { matchesAny, matchesWildcard } from '@shoal/values';
import type { RestoredIndex, SnapshotIndex, SnapshotInfo } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { isPlainObject, type Json } from '@shoal/json';
import { RE2JS } from 're2js';

function names(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value.map(String) : String(value).split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function selectedIndices(
  snapshot: SnapshotInfo,
  patterns: readonly string[],
  ignoreUnavailable: boolean,
): SnapshotIndex[] {
  if (patterns.length === 0 || patterns.includes('_all')) return [...snapshot.indices];
  const result = new Set<SnapshotIndex>();
  for (const pattern of patterns) {
    const excludes = pattern.startsWith('-');
    const found = snapshot.indices.filter((index) =>
      matchesWildcard(excludes ? pattern.slice(1) : pattern, index.name),
    );
    if (found.length === 0 && !pattern.includes('*') && !excludes && !ignoreUnavailable) throw noSuchIndex(pattern);
    for (const index of found)
      if (excludes) result.delete(index);
      else result.add(index);
  }
  return [...result];
}

/** Renames like Java's `replaceAll`: `$1` is a group. The pattern is matched in linear time. */
function renameIndex(name: string, body: Json): string {
  const pattern = body['rename_pattern'];
  if (typeof pattern !== 'string') return name;
  return RE2JS.compile(pattern)
    .matcher(name)
    .replaceAll(String(body['rename_replacement'] ?? ''));
}

function settingsOf(index: SnapshotIndex, body: Json): SnapshotIndex['settings'] {
  const ignored = names(body['ignore_index_settings']);
  const given = isPlainObject(body['index_settings']) ? flattenIndexSettings(body['index_settings']) : {};
  const fixed = ['index.number_of_shards', 'index.version.created', 'index.uuid', 'index.creation_date'].find(
    (name) => given[name] !== undefined,
  );
  if (fixed) throw errors.snapshotRestore(`cannot modify setting [${fixed}] on restore`);
  const kept = Object.entries(index.settings).filter(
    ([name]) =>
      !matchesAny(
        ignored.map((one) => (one.startsWith('index.') ? one : `index.${one}`)),
        name,
      ),
  );
  return { ...Object.fromEntries(kept), ...given };
}

function refuseOpen(state: ClusterState, repository: string, snapshot: SnapshotInfo, name: string): void {
  if (nameIndex(state).get(name)?.state !== 'open') return;
  throw errors.snapshotRestore(
    `[${repository}:${snapshot.name}/${snapshot.uuid}] cannot restore index [${name}] because an open index with ` +
      'same name already exists in the cluster. Either close or delete the existing index or restore the index under ' +
      'a different name by providing a rename pattern and replacement name',
  );
}

/**
 * Indices of a restore with their new names, settings and aliases. If a state is given, throws for names that exist.
 */
export function planRestore(
  repository: string,
  snapshot: SnapshotInfo,
  body: Json,
  state: ClusterState | null = null,
): RestoredIndex[] {
  if (body['include_global_state'] === true)
    throw errors.illegalArgument('[include_global_state] is not supported when restoring');
  const withAliases = body['include_aliases'] !== false;
  const indices = selectedIndices(snapshot, names(body['indices']), body['ignore_unavailable'] === true);
  return indices.map((from) => {
    const name = renameIndex(from.name, body);
    if (state) refuseOpen(state, repository, snapshot, name);
    return { from, name, settings: settingsOf(from, body), aliases: withAliases ? from.aliases : {} };
  });
}
