import type { Files } from '@shoal/doors';
import { verifyRecord, appendChecksum } from '../level/checksum.js';
import { markerPath, openFlag, restPath, witnessPath } from '../shard-paths.js';
import type { ShardStoreInfo } from './store-info.js';
import { newestWitness, type Witness } from '../log/witness.js';

/** What a copy that was closed in order says of itself without its key-value store being opened. */
export interface StoreAtRest {
  readonly info: ShardStoreInfo;
  /** What its owner had to say of it when it was closed. JSON. */
  readonly note: unknown;
}

interface Content extends StoreAtRest {
  /** The end of the log, as the witness has it too. */
  readonly batch: number;
  readonly link: string;
}

const NO_KEY = new Uint8Array(0);

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/**
 * Written when the key-value store is closed and before the flag of the open store goes. Not synced: it is of use only
 * when it is whole, and without it the store is opened and verified.
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

/** A file that is there, read without a turn in the pool for each step: it is small, and there are thousands. */
async function wholeOf(files: Files, path: string): Promise<Uint8Array> {
  const file = await files.open(path, { syncsFolder: false });
  try {
    return file.readAt(0, file.size());
  } finally {
    file.close();
  }
}

/**
 * Null when the store has to be opened to be known: it was not closed in order, is marked as damaged, or its witness
 * has seen something else.
 */
export async function readAtRest(files: Files, path: string): Promise<StoreAtRest | null> {
  const found = new Set((await files.list(path)).map((name) => `${path}/${name}`));
  const witness = witnessPath(path);
  if (!found.has(restPath(path)) || !found.has(witness) || found.has(openFlag(path)) || found.has(markerPath(path)))
    return null;
  const content = contentOf(await wholeOf(files, restPath(path)));
  const seen = newestWitness(await wholeOf(files, witness));
  return content && seen && seen.batch === content.batch && hex(seen.link) === content.link
    ? { info: content.info, note: content.note }
    : null;
}
