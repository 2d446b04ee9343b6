import {
  type ClusterState,
  flattenIndexSettings,
  isMounted,
  isPartiallyMounted,
  nameIndex,
  noSuchIndex,
} from '@shoal/state';
import { matchesAny, matchesWildcard } from '@shoal/values';
import { type RestoredIndex, type SnapshotIndex, type SnapshotInfo, wantedFeatures } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { isPlainObject, type Json } from '@shoal/json';
import { RE2JS } from 're2js';

/** Parses `a,b` or `["a","b"]`. */
export function names(value: unknown): string[] {
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
  const ofFeatures = new Set((snapshot.featureStates ?? []).flatMap(({ indices }) => indices));
  const all = snapshot.indices.filter(({ name }) => !ofFeatures.has(name));
  const streams = snapshot.dataStreams ?? [];
  if (patterns.length === 0 || patterns.includes('_all')) return all;
  const result = new Set<SnapshotIndex>();
  for (const pattern of patterns) {
    const excludes = pattern.startsWith('-');
    const wanted = excludes ? pattern.slice(1) : pattern;
    const ofStreams = new Set(
      streams.filter(({ name }) => matchesWildcard(wanted, name)).flatMap(({ backing }) => backing),
    );
    const found = all.filter(({ name }) => matchesWildcard(wanted, name) || ofStreams.has(name));
    if (found.length === 0 && !pattern.includes('*') && !excludes && !ignoreUnavailable) throw noSuchIndex(pattern);
    for (const index of found)
      if (excludes) result.delete(index);
      else result.add(index);
  }
  return [...result];
}

/** Begins the names of backing indices of data streams, which renames leave. */
const BACKING = '.ds-';

/** Characters of a pattern: compiling it takes some 20 us each, and names have 255 bytes at most. */
const PATTERN_LENGTH_MAX = 1024;

/**
 * Returns how a restore renames, like Java's `replaceAll`: `$1` is a group. The pattern is compiled once and matched in
 * linear time. Names of backing indices keep their beginning. Throws for a pattern that is malformed or too long.
 */
export function renamer(body: Json): (name: string, isBacking?: boolean) => string {
  const pattern = body['rename_pattern'];
  if (typeof pattern !== 'string') return (name) => name;
  if (pattern.length > PATTERN_LENGTH_MAX)
    throw errors.illegalArgument(`[rename_pattern] is longer than [${PATTERN_LENGTH_MAX}] characters`);
  const compiled = RE2JS.compile(pattern);
  const replacement = String(body['rename_replacement'] ?? '');
  const renamed = (name: string): string => compiled.matcher(name).replaceAll(replacement);
  return (name, isBacking = false) =>
    isBacking && name.startsWith(BACKING) ? `${BACKING}${renamed(name.slice(BACKING.length))}` : renamed(name);
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

/** Throws snapshot_restore_exception if an open index has a name that a restore would take. */
export function refuseOpen(state: ClusterState, repository: string, snapshot: SnapshotInfo, name: string): void {
  if (nameIndex(state).get(name)?.state !== 'open') return;
  throw errors.snapshotRestore(
    `[${repository}:${snapshot.name}/${snapshot.uuid}] cannot restore index [${name}] because an open index with ` +
      'same name already exists in the cluster. Either close or delete the existing index or restore the index under ' +
      'a different name by providing a rename pattern and replacement name',
  );
}

/** Name of the first of some indices of which a snapshot lacks shards; undefined if it has them whole. */
export function incompleteIndex({ failures }: SnapshotInfo, indices: readonly SnapshotIndex[]): string | undefined {
  const incomplete = new Set(failures.map(({ index }) => index));
  return indices.find(({ name }) => incomplete.has(name))?.name;
}

/**
 * Throws snapshot_restore_exception for a snapshot that failed or runs still, and if the snapshot lacks shards of an
 * index, unless `partial` says that such shards come back empty.
 */
export function refuseIncomplete(
  repository: string,
  snapshot: SnapshotInfo,
  indices: readonly RestoredIndex[],
  partial: unknown,
): void {
  const { name, uuid, state } = snapshot;
  if (state !== 'SUCCESS' && state !== 'PARTIAL')
    throw errors.snapshotRestore(`[${repository}:${name}/${uuid}] unsupported snapshot state [${state}]`);
  if (partial === true || partial === 'true') return;
  const found = incompleteIndex(
    snapshot,
    indices.map(({ from }) => from),
  );
  if (found === undefined) return;
  throw errors.snapshotRestore(
    `[${repository}:${name}/${uuid}] index [${found}] wasn't fully snapshotted - cannot restore`,
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
  const withAliases = body['include_aliases'] !== false;
  const backing = new Set((snapshot.dataStreams ?? []).flatMap((stream) => stream.backing));
  const indices = selectedIndices(snapshot, names(body['indices']), body['ignore_unavailable'] === true);
  const renamed = renamer(body);
  const planned = indices.map((from): RestoredIndex => {
    const name = renamed(from.name, backing.has(from.name));
    if (state) refuseOpen(state, repository, snapshot, name);
    const mount = isMounted(from) ? { mount: { isPartial: isPartiallyMounted(from) } } : {};
    return { from, name, settings: settingsOf(from, body), aliases: withAliases ? from.aliases : {}, ...mount };
  });
  return [...planned, ...featureRestores(repository, snapshot, body)];
}

/** Names of the features that a restore brings back; throws for those that the snapshot does not have. */
export function restoredFeatures(repository: string, snapshot: SnapshotInfo, body: Json): readonly string[] {
  const given = names(body['feature_states']);
  const own = (snapshot.featureStates ?? []).map(({ feature_name }) => feature_name);
  const absent = given.find((name) => name !== 'none' && !own.includes(name));
  if (absent !== undefined)
    throw errors.snapshotRestore(
      `[${repository}:${snapshot.name}/${snapshot.uuid}] requested feature states [${given.join(', ')}] are not ` +
        'present in snapshot',
    );
  return wantedFeatures(given, body['include_global_state'] === true);
}

/** Indices of the features to restore: under their names, with all that they have. */
function featureRestores(repository: string, snapshot: SnapshotInfo, body: Json): RestoredIndex[] {
  const wanted = restoredFeatures(repository, snapshot, body);
  const own = (snapshot.featureStates ?? []).filter(({ feature_name }) => wanted.includes(feature_name));
  const chosen = new Set(own.flatMap(({ indices }) => indices));
  return snapshot.indices
    .filter(({ name }) => chosen.has(name))
    .map((from) => ({ from, name: from.name, settings: from.settings, aliases: from.aliases }));
}
