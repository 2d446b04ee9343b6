import { createHash } from 'node:crypto';
import { sectionForSnapshot, snapshotSections } from '@shoal/cluster';
import type { Files } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { type ClusterState, dataStreams, type FlatSettings, section } from '@shoal/state';
import { decodeJson, encodeJson } from '../json-bytes.js';
import type { SnapshotInfo, SnapshotStream } from './snapshot-info.js';

/** The part of the cluster state that a snapshot holds. */
export interface GlobalState {
  /** Null if only states of features are there. */
  readonly persistentSettings: FlatSettings | null;
  readonly sections: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const folderOf = (folder: string): string => `${folder}/global`;
const FILE = /^[0-9a-f]{64}(?:\.g\d+)?\.json$/;
/** A state, or what a crash left of one that was being written. */
const OWN = /^[0-9a-f]{64}(?:\.g\d+)?\.json(?:\.[0-9a-f]{16}\.new)?$/;

/** Describes the cluster state for a snapshot. */
export function describeGlobalState(
  state: ClusterState,
  withGlobal: boolean,
  features: readonly string[],
): GlobalState | null {
  const names = snapshotSections(withGlobal, features);
  if (names.length === 0) return null;
  const sections = names.map((name) => [name, sectionForSnapshot(name, section(state, name))] as const);
  return {
    persistentSettings: withGlobal ? state.persistentSettings : null,
    sections: Object.fromEntries(sections),
  };
}

/** Data streams all of whose backing indices are among some indices, with the names of these. */
export function streamsOf(state: ClusterState, indices: ReadonlySet<string>): readonly SnapshotStream[] {
  return dataStreams(state)
    .filter((stream) => stream.indices.length > 0 && stream.indices.every((uuid) => indices.has(uuid)))
    .map(({ indices: uuids, ...stream }) => ({
      ...stream,
      backing: uuids.map((uuid) => state.indices.get(uuid)!.name),
    }));
}

/**
 * Returns the name of a state: that of the same state in a snapshot before, or a new one of the hash of its content and
 * of the number of the change that writes it.
 */
export async function writeGlobalState(
  files: Files,
  folder: string,
  state: GlobalState,
  { before, number }: { readonly before: readonly SnapshotInfo[]; readonly number: number },
): Promise<string> {
  const content = encodeJson(state);
  const hash = createHash('sha256').update(content).digest('hex');
  const known = before.findLast(({ globalState }) => globalState?.startsWith(hash))?.globalState;
  if (known !== undefined) return known;
  const name = `${hash}.g${number}.json`;
  await files.replace(`${folderOf(folder)}/${name}`, content);
  return name;
}

/** Reads a state. Throws corrupt_index_exception with the name of the file. */
export async function readGlobalState(files: Files, folder: string, name: string): Promise<GlobalState> {
  const content = FILE.test(name) ? await files.read(`${folderOf(folder)}/${name}`) : null;
  if (!content) throw errors.corruption(`file [${name}] of the snapshot is missing`);
  if (createHash('sha256').update(content).digest('hex') !== name.slice(0, 64))
    throw errors.corruption(`file [${name}] of the snapshot is damaged: its hash differs`);
  const state = decodeJson(content) as GlobalState;
  if (!isPlainObject(state.sections) || !Object.values(state.sections).every(isPlainObject))
    throw errors.corruption(`file [${name}] of the snapshot is no cluster state`);
  return state;
}

/** Names of the states that no snapshot refers to. */
export async function strayStates(
  files: Files,
  folder: string,
  kept: readonly SnapshotInfo[],
): Promise<readonly string[]> {
  const referred = new Set(kept.map(({ globalState }) => globalState));
  return (await files.list(folderOf(folder))).filter((name) => OWN.test(name) && !referred.has(name));
}

/** Removes states; returns how many, and their bytes. */
export async function removeStates(
  files: Files,
  folder: string,
  strays: readonly string[],
): Promise<{ readonly bytes: number; readonly blobs: number }> {
  let bytes = 0;
  for (const name of strays) {
    bytes += (await files.read(`${folderOf(folder)}/${name}`))?.length ?? 0;
    await files.remove(`${folderOf(folder)}/${name}`);
  }
  await files.removeEmptyFolder(folderOf(folder));
  return { bytes, blobs: strays.length };
}
