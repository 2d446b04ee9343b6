import { createHash } from 'node:crypto';
import type { Files } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { decodeJson, encodeJson, encodeUtf8 } from '../json-bytes.js';
import { sharedFolder } from './shared-files.js';
import type { SnapshotIndex, SnapshotInfo } from './snapshot-info.js';

/*
 * A repository's folder (docs/formats/repository-v2.md):
 *
 *   snapshots.json                        {"format":2,"sha256":…,"snapshots":[SnapshotInfo, …]}, replaced as a whole;
 *                                         the hash is that of the array as it is written
 *   data/<index uuid>/<shard>-<sha256>    files that snapshots share, named by their content
 *   global/<sha256>.json                  parts of the cluster state, shared and named the same way
 *   <snapshot uuid>/<index uuid>/…        documents of a snapshot of format 1, which is still read
 *
 * A snapshot is there once it is in snapshots.json; files that it does not lead to are leftovers of snapshots that did
 * not finish.
 */

/** Version of the layout of the folder of a repository that is written, and those that are read. */
const FORMAT = 2;
const READ_FORMATS: readonly number[] = [1, 2];

/**
 * Names of folders and files of snapshots. Whoever may write to a repository from elsewhere must not make this cluster
 * remove `../..` or read `../other/0-0.json.gz`.
 */
const PART = /^[\w-][\w.-]*$/;

const fileOf = (folder: string): string => `${folder}/snapshots.json`;

/** Returns the folder of the files of an index of a snapshot. */
export function indexFolder(folder: string, snapshotUuid: string, { uuid, layout }: SnapshotIndex): string {
  return layout === 2 ? sharedFolder(folder, uuid) : `${folder}/${snapshotUuid}/${uuid}`;
}

/** Reads the finished snapshots of a repository, oldest first. */
export async function readCatalog(files: Files, folder: string): Promise<readonly SnapshotInfo[]> {
  const bytes = await files.read(fileOf(folder));
  if (!bytes) return [];
  const { format, snapshots } = contentOf(bytes);
  if (!READ_FORMATS.includes(format))
    throw errors.repository(`the repository in [${folder}] has format [${format}], expected [${FORMAT}]`);
  const odd = snapshots.flatMap(namesOfFiles).find((name) => !PART.test(name));
  if (odd !== undefined)
    throw errors.repository(`the repository in [${folder}] names a file [${odd}], which no snapshot writes`);
  return snapshots;
}

interface Content {
  readonly format: number;
  readonly snapshots: readonly SnapshotInfo[];
}

const HASH_AT = `{"format":${FORMAT},"sha256":"`.length;
/** Beginning of a catalog with a hash; earlier builds wrote none. */
const BEGINNING = new RegExp(`^\\{"format":${FORMAT},"sha256":"[0-9a-f]{64}","snapshots":`);
const BEGINNING_LENGTH = HASH_AT + 64 + '","snapshots":'.length;

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Decodes a catalog. Throws corrupt_index_exception if it is damaged. */
function contentOf(bytes: Uint8Array): Content {
  const damaged = errors.corruption('file [snapshots.json] of the repository is damaged');
  const beginning = Buffer.from(bytes.subarray(0, BEGINNING_LENGTH)).toString('latin1');
  const hasHash = BEGINNING.test(beginning);
  if (hasHash && hashOf(bytes.subarray(BEGINNING_LENGTH, -1)) !== beginning.slice(HASH_AT, HASH_AT + 64)) throw damaged;
  let content: Content;
  try {
    content = decodeJson(bytes) as Content;
  } catch {
    throw damaged;
  }
  if (typeof content?.format !== 'number' || !Array.isArray(content.snapshots)) throw damaged;
  return content;
}

/** Names of the folders and files of a snapshot. */
function namesOfFiles({ uuid, indices, globalState = uuid }: SnapshotInfo): readonly string[] {
  return [
    uuid,
    globalState,
    ...indices.flatMap((index) => [index.uuid, ...index.shards.flatMap(({ files }) => files)]),
  ];
}

/** Removes what crashes left of catalogs that were being written. */
export async function removeCatalogLeftovers(files: Files, folder: string): Promise<void> {
  for (const name of await files.list(folder))
    if (/^snapshots\.json\.[0-9a-f]{16}\.new$/.test(name)) await files.remove(`${folder}/${name}`);
}

/** Replaces the catalog atomically. A snapshot exists once this resolves. */
export async function writeCatalog(files: Files, folder: string, snapshots: readonly SnapshotInfo[]): Promise<void> {
  const list = encodeJson(snapshots);
  const beginning = encodeUtf8(`{"format":${FORMAT},"sha256":"${hashOf(list)}","snapshots":`);
  await files.replace(fileOf(folder), Buffer.concat([beginning, list, encodeUtf8('}')]));
}
