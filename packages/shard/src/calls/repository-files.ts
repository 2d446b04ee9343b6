import { createHash } from 'node:crypto';
import { ByteReader, ByteWriter } from '@shoal/codec';
import type { Files } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { Compression } from './compression.js';
import type { FileRef } from './shard-manifest.js';

/** Bytes of one file before they are packed, unless a single piece is larger. */
export const FILE_BYTES = 4 << 20;

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Files of one shard in the folder of its index in a repository. */
export interface RepositoryShard {
  readonly files: Files;
  readonly compression: Compression;
  readonly folder: string;
  readonly shard: number;
  /** Of a snapshot: number of the change of the repository, which names of new files have. */
  readonly change?: number | undefined;
  /** Of a snapshot: names of files that are there already, by the hash of their content. */
  readonly known?: ReadonlyMap<string, string>;
  /** Of a snapshot: aborts when it was deleted; then nothing more is written. */
  readonly signal?: AbortSignal | undefined;
}

/** Throws task_cancelled_exception if the snapshot that is being written was deleted. */
export function checkWanted({ signal }: RepositoryShard): void {
  if (signal?.aborted) throw errors.taskCancelled('the snapshot was aborted');
}

const HASH = /^\d+-([0-9a-f]{64})/;

/** Names of files by the hash of their content. */
export const byHash = (names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.flatMap((name) => (HASH.test(name) ? [[HASH.exec(name)![1]!, name] as const] : [])));

/**
 * Writes a file under the hash of its content; `ending` is added to the name. A file that is known to be there is not
 * written again. Others of the same content may be about to be deleted by a master that was replaced meanwhile: the
 * number of the change tells them apart.
 */
export async function writeFile(target: RepositoryShard, content: Uint8Array, ending = ''): Promise<FileRef> {
  const { files, folder, shard, change, known } = target;
  checkWanted(target);
  const hash = hashOf(content);
  const there = known?.get(hash);
  if (there !== undefined) return { name: there, bytes: content.length };
  const name = `${shard}-${hash}${change === undefined ? '' : `.g${change}`}${ending}`;
  await files.replace(`${folder}/${name}`, content);
  return { name, bytes: content.length };
}

/** Packs bytes and writes them. */
export async function writePacked(target: RepositoryShard, content: Uint8Array): Promise<FileRef> {
  checkWanted(target);
  return writeFile(target, await target.compression.pack(content));
}

/** Whether content has the hash in its name. */
export const hasItsHash = (name: string, content: Uint8Array): boolean => hashOf(content) === HASH.exec(name)?.[1];

/** Reads a file and checks its content. Throws corrupt_index_exception with the name of the file. */
export async function readFile({ files, folder }: RepositoryShard, name: string): Promise<Uint8Array> {
  const bytes = await files.read(`${folder}/${name}`);
  if (!bytes) throw errors.corruption(`file [${name}] of the snapshot is missing`);
  if (!hasItsHash(name, bytes)) throw errors.corruption(`file [${name}] of the snapshot is damaged: its hash differs`);
  return bytes;
}

/** Reads and unpacks a file. */
export async function readPacked(source: RepositoryShard, name: string): Promise<Uint8Array> {
  const bytes = await readFile(source, name);
  return source.compression.unpack(bytes).catch(() => {
    throw errors.corruption(`file [${name}] of the snapshot cannot be unpacked`);
  });
}

/** A piece of bytes with a number: a chunk of a part, or the record of an operation. */
export type Piece = readonly [number: number, bytes: Uint8Array];

/** Encodes pieces one after the other: `number varint, length varint, bytes`. */
export function encodePieces(pieces: readonly Piece[]): Uint8Array {
  const out = new ByteWriter();
  for (const [number, bytes] of pieces) {
    out.varint(number);
    out.bytes(bytes);
  }
  return out.finish();
}

/** Decodes pieces. The bytes are views of `content`. */
export function* decodePieces(content: Uint8Array): Generator<Piece> {
  const input = new ByteReader(content);
  while (input.remaining > 0) yield [input.varint(), input.bytes()];
}
