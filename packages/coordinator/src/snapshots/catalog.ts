import { createHash } from 'node:crypto';
import type { Files } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { decodeJson, encodeUtf8 } from '../json-bytes.js';
import { sharedFolder } from './shared-files.js';
import type { SnapshotIndex, SnapshotInfo } from './snapshot-info.js';

/*
 * A repository's folder (docs/formats/repository-v3.md):
 *
 *   snapshots-<number>.json               {"format":3,"sha256":…,"snapshots":[SnapshotInfo, …]}: the highest number
 *                                         counts; the hash is that of the array as it is written
 *   snapshots.json                        the catalog of formats 1 and 2; now {"format":3}, which earlier builds refuse
 *   data/<index uuid>/<shard>-<sha256>    files that snapshots share, named by their content
 *   global/<sha256>.json                  parts of the cluster state, shared and named the same way
 *   <snapshot uuid>/<index uuid>/…        documents of a snapshot of format 1, which is still read
 *
 * A snapshot is there once it is in the catalog; files that this does not lead to are leftovers of snapshots that did
 * not finish.
 */

/** Version of the layout of the folder of a repository that is written, and those that are read. */
const FORMAT = 3;
const READ_FORMATS: readonly number[] = [1, 2, FORMAT];
/** How often a reader looks for the newest catalog: each change removes the one before it. */
const LOOKS_MAX = 10;

/**
 * Names of folders and files of snapshots. Whoever may write to a repository from elsewhere must not make this cluster
 * remove `../..` or read `../other/0-0.json.gz`.
 */
const PART = /^[\w-][\w.-]*$/;

/** Catalog of the formats 1 and 2. */
const OLD_CATALOG = 'snapshots.json';
const NUMBERED = /^snapshots-(\d{1,15})\.json$/;
const nameOf = (number: number): string => `snapshots-${number}.json`;
const numberOf = (name: string): number => Number(NUMBERED.exec(name)?.[1] ?? 0);

/** Returns the folder of the files of an index of a snapshot. */
export function indexFolder(folder: string, snapshotUuid: string, { uuid, layout }: SnapshotIndex): string {
  return layout === 2 ? sharedFolder(folder, uuid) : `${folder}/${snapshotUuid}/${uuid}`;
}

/** Number of the newest catalog of a repository; 0 if there is none with a number. */
export async function newestCatalog(files: Files, folder: string): Promise<number> {
  return Math.max(0, ...(await files.list(folder)).map(numberOf));
}

/** Returns the bytes of the catalog of a number; null if there is none. */
export const readNumbered = (files: Files, folder: string, number: number): Promise<Uint8Array | null> =>
  files.read(`${folder}/${nameOf(number)}`);

/** Reads the finished snapshots of a repository, oldest first. */
export async function readCatalog(files: Files, folder: string): Promise<readonly SnapshotInfo[]> {
  for (let look = 0; look < LOOKS_MAX; look++) {
    const number = await newestCatalog(files, folder);
    const name = number === 0 ? OLD_CATALOG : nameOf(number);
    const bytes = await files.read(`${folder}/${name}`);
    if (bytes) return snapshotsOf(bytes, folder, name);
    if (number === 0) return [];
  }
  throw errors.repository(`the repository in [${folder}] changes too often to be read`);
}

function snapshotsOf(bytes: Uint8Array, folder: string, name: string): readonly SnapshotInfo[] {
  const { format, snapshots } = contentOf(bytes, name);
  if (!READ_FORMATS.includes(format))
    throw errors.repository(`the repository in [${folder}] has format [${format}], expected [${FORMAT}]`);
  const odd = snapshots.flatMap(namesOfFiles).find((one) => !PART.test(one));
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
const BEGINNING = new RegExp(`^\\{"format":[2-${FORMAT}],"sha256":"[0-9a-f]{64}","snapshots":`);
const BEGINNING_LENGTH = HASH_AT + 64 + '","snapshots":'.length;

/** Hash of a list of snapshots, for `isCatalogOf`. */
export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const beginningOf = (listHash: string): string => `{"format":${FORMAT},"sha256":"${listHash}","snapshots":`;

/** Whether the bytes are an undamaged catalog whose list of snapshots has this hash. */
export function isCatalogOf(bytes: Uint8Array, listHash: string): boolean {
  const beginning = Buffer.from(bytes.subarray(0, BEGINNING_LENGTH)).toString('latin1');
  return beginning === beginningOf(listHash) && hashOf(bytes.subarray(BEGINNING_LENGTH, -1)) === listHash;
}

/** Decodes a catalog. Throws corrupt_index_exception if it is damaged. */
function contentOf(bytes: Uint8Array, name: string): Content {
  const damaged = errors.corruption(`file [${name}] of the repository is damaged`);
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
    if (/^snapshots(?:-\d+)?\.json\.[0-9a-f]{16}\.new$/.test(name)) await files.remove(`${folder}/${name}`);
}

/** Removes catalogs older than a number, and puts what earlier builds refuse in the place of theirs. */
export async function removeOldCatalogs(files: Files, folder: string, number: number): Promise<void> {
  const names = await files.list(folder);
  const old = names.filter((name) => NUMBERED.test(name) && numberOf(name) < number);
  const mark = encodeUtf8(`{"format":${FORMAT}}`);
  const known = await files.read(`${folder}/${OLD_CATALOG}`);
  if (known === null || !Buffer.from(known).equals(mark)) await files.replace(`${folder}/${OLD_CATALOG}`, mark);
  for (const name of old) await files.remove(`${folder}/${name}`);
}

/**
 * Writes the catalog of a number; `list` is the JSON of its snapshots. They exist once this resolves, unless there is a
 * catalog of a higher number.
 */
export async function writeCatalog(
  files: Files,
  folder: string,
  number: number,
  list: Uint8Array,
  hash = hashOf(list),
): Promise<void> {
  const content = Buffer.concat([encodeUtf8(beginningOf(hash)), list, encodeUtf8('}')]);
  await files.replace(`${folder}/${nameOf(number)}`, content);
}
