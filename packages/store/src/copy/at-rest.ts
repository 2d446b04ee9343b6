import type { Files } from '@shoal/doors';
import { verifyRecord, appendChecksum } from '../level/checksum.js';
import { markerPath, openFlag, restPath, witnessPath } from '../shard-paths.js';
import type { ShardStoreInfo } from './store-info.js';
import { newestWitness, type Witness } from '../log/witness.js';

/** Description of a cleanly closed store, read without opening its key-value store. */
export interface StoreAtRest {
  readonly info: ShardStoreInfo;
  /** Note that the owner passed to `ShardStore.close`; JSON. */
  readonly note: unknown;
}

interface Content extends StoreAtRest {
  /** Last batch of the log; equal to that of the witness. */
  readonly batch: number;
  readonly link: string;
}

const NO_KEY = new Uint8Array(0);

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/**
 * Writes the description, after the key-value store is closed and before the open flag is removed. It is not synced:
 * without an intact description the store is opened and verified.
 */
export async function writeAtRest(
  files: Files,
  path: string,
  { batch, link }: Pick<Witness, 'batch' | 'link'>,
  { info, note }: StoreAtRest,
): Promise<void> {
  const content: Content = { info, note, batch, link: hex(link) };
  const file = await files.open(restPath(path), { syncsFolder: false });
  try {
    file.truncate(0);
    file.writeAt(0, appendChecksum(NO_KEY, Buffer.from(JSON.stringify(content))));
  } finally {
    file.close();
  }
}

function contentOf(bytes: Uint8Array): Content | null {
  try {
    return JSON.parse(Buffer.from(verifyRecord(NO_KEY, bytes, 'rest')).toString('utf8')) as Content;
  } catch {
    return null;
  }
}

/** Content of an existing file, read synchronously: files are small, and thousands are read at the start of a node. */
async function contentOfFile(files: Files, path: string): Promise<Uint8Array> {
  const file = await files.open(path, { syncsFolder: false });
  try {
    return file.readAt(0, file.size());
  } finally {
    file.close();
  }
}

/**
 * Reads the description of a cleanly closed store. Returns null if the store has to be opened instead: it was not
 * closed cleanly, is marked as damaged, or its witness names another batch.
 */
export async function readAtRest(files: Files, path: string): Promise<StoreAtRest | null> {
  const found = new Set((await files.list(path)).map((name) => `${path}/${name}`));
  const witness = witnessPath(path);
  if (!found.has(restPath(path)) || !found.has(witness) || found.has(openFlag(path)) || found.has(markerPath(path)))
    return null;
  const content = contentOf(await contentOfFile(files, restPath(path)));
  const seen = newestWitness(await contentOfFile(files, witness));
  return content && seen && seen.batch === content.batch && hex(seen.link) === content.link
    ? { info: content.info, note: content.note }
    : null;
}
