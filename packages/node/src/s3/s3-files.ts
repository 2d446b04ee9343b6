import { createHash } from 'node:crypto';
import { isS3Path, readS3Path, type S3Place } from '@shoal/coordinator';
import type { Clock, Files, Random } from '@shoal/doors';
import { type ApiError, errors } from '@shoal/errors';
import { S3Bucket } from './s3-bucket.js';
import type { S3Client } from './s3-clients.js';
import type { CurrentClients } from './shared-clients.js';
import { openStoreHttp, type StoreAnswer, type StoreHttp } from './s3-http.js';
import { sha256 } from './signature.js';
import { element, elements, escapeXml } from './xml.js';

/** Headers of objects: the hash of the content, and into how many objects it is divided. */
const [HASH, PIECES] = ['x-amz-meta-sha256', 'x-amz-meta-pieces'];
/** Objects that one request deletes. */
const DELETED_MAX = 1000;
const NOTHING = new Uint8Array(0);

const pieceOf = (key: string, number: number | ''): string => `${key}.piece-${number}`;

function storageHeaders({ storageClass, cannedAcl, encrypts }: S3Place): Record<string, string> {
  return {
    'content-type': 'application/octet-stream',
    ...(storageClass === 'standard' ? {} : { 'x-amz-storage-class': storageClass.toUpperCase() }),
    ...(cannedAcl === 'private' ? {} : { 'x-amz-acl': cannedAcl }),
    ...(encrypts ? { 'x-amz-server-side-encryption': 'AES256' } : {}),
  };
}

/** Objects of a bucket. */
class Objects {
  readonly #bucket: S3Bucket;

  constructor(bucket: S3Bucket) {
    this.#bucket = bucket;
  }

  async #get(key: string): Promise<StoreAnswer | null> {
    const answer = await this.#bucket.send({ method: 'GET', key, expected: [404] });
    if (answer.status !== 404) return answer;
    const code = element(answer.body.toString('utf8'), 'Code');
    if (code === null || code === 'NoSuchKey') return null;
    throw errors.ioError(`GET [${this.#bucket.place.bucket}/${key}] failed: status 404 ${code}`);
  }

  /** Content of an object; null if there is none. Throws corrupt_index_exception for one whose hash differs. */
  async read(key: string): Promise<Uint8Array | null> {
    const answer = await this.#get(key);
    if (answer === null) return null;
    const pieces = Number(answer.headers[PIECES] ?? 0);
    const parts: Uint8Array[] = [answer.body];
    for (let i = 0; i < pieces; i++) {
      const piece = await this.#get(pieceOf(key, i));
      if (piece === null) throw errors.corruption(`object [${pieceOf(key, i)}] is missing`);
      parts.push(piece.body);
    }
    const content = pieces === 0 ? answer.body : Buffer.concat(parts);
    const hash = answer.headers[HASH];
    if (hash !== undefined && hash !== sha256(content))
      throw errors.corruption(`object [${key}] is damaged: its hash differs`);
    return content;
  }

  /** Writes an object; readers see the old content or the new one. */
  async write(key: string, content: Uint8Array): Promise<void> {
    const { chunkBytes } = this.#bucket.place;
    if (chunkBytes === null || content.length <= chunkBytes) return this.#put(key, content, {});
    const pieces = Math.ceil(content.length / chunkBytes);
    for (let i = 0; i < pieces; i++)
      await this.#put(pieceOf(key, i), content.subarray(i * chunkBytes, (i + 1) * chunkBytes), {});
    await this.#put(key, NOTHING, { [HASH]: sha256(content), [PIECES]: String(pieces) });
  }

  async #put(key: string, content: Uint8Array, more: Readonly<Record<string, string>>): Promise<void> {
    const headers = { [HASH]: sha256(content), ...storageHeaders(this.#bucket.place), ...more };
    if (content.length > this.#bucket.place.bufferBytes) return this.#putParts(key, content, headers);
    const answer = await this.#bucket.send({ method: 'PUT', key, headers, body: content });
    const tag = String(answer.headers['etag'] ?? '').replaceAll('"', '');
    // Stores that encrypt by keys of their own have other tags.
    if (/^[0-9a-f]{32}$/.test(tag) && !this.#bucket.place.encrypts && tag !== md5(content))
      throw errors.corruption(`the store took another content for the object [${key}] than was sent`);
  }

  async #putParts(key: string, content: Uint8Array, headers: Readonly<Record<string, string>>): Promise<void> {
    const started = await this.#bucket.send({ method: 'POST', key, query: { uploads: '' }, headers });
    const uploadId = element(started.body.toString('utf8'), 'UploadId');
    if (uploadId === null) throw errors.ioError(`the store began no upload of [${key}]`);
    try {
      await this.#complete(key, uploadId, await this.#sendParts(key, uploadId, content), headers[HASH]!);
    } catch (error) {
      await this.#bucket.send({ method: 'DELETE', key, query: { uploadId }, expected: [404] }).catch(() => undefined);
      throw error;
    }
  }

  async #sendParts(key: string, uploadId: string, content: Uint8Array): Promise<readonly string[]> {
    const { bufferBytes } = this.#bucket.place;
    const tags: string[] = [];
    for (let at = 0; at < content.length; at += bufferBytes) {
      const body = content.subarray(at, at + bufferBytes);
      const query = { partNumber: String(tags.length + 1), uploadId };
      const { headers } = await this.#bucket.send({ method: 'PUT', key, query, body });
      tags.push(String(headers['etag'] ?? ''));
    }
    return tags;
  }

  /** Makes an object of parts. If its first answer was lost, the repeated request finds no upload, but the object. */
  async #complete(key: string, uploadId: string, tags: readonly string[], hash: string): Promise<void> {
    const parts = tags.map((tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`);
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
    try {
      await this.#bucket.send({ method: 'POST', key, query: { uploadId }, body });
    } catch (error) {
      if ((error as ApiError).meta?.['store_error'] !== 'NoSuchUpload') throw error;
      const found = await this.#bucket.send({ method: 'HEAD', key, expected: [404] });
      if (found.headers[HASH] !== hash) throw error;
    }
  }

  async remove(key: string): Promise<void> {
    if (this.#bucket.place.chunkBytes !== null) await this.removeBelow(pieceOf(key, ''));
    await this.#bucket.send({ method: 'DELETE', key, expected: [404] });
  }

  /** Pages of a listing of the keys that begin with `prefix`; with `isFlat` only names up to the next `/`. */
  async *#pages(prefix: string, isFlat: boolean): AsyncGenerator<string> {
    for (let token: string | null = null; ; ) {
      const query: Record<string, string> = { 'list-type': '2', 'encoding-type': 'url', prefix };
      if (isFlat) query['delimiter'] = '/';
      if (token !== null) query['continuation-token'] = token;
      const { body } = await this.#bucket.send({ method: 'GET', key: '', query });
      const xml = body.toString('utf8');
      yield xml;
      token = element(xml, 'IsTruncated') === 'true' ? element(xml, 'NextContinuationToken') : null;
      if (token === null) return;
    }
  }

  /** Names of what is directly below a prefix. */
  async names(prefix: string): Promise<string[]> {
    const names = new Set<string>();
    for await (const xml of this.#pages(prefix, true)) {
      const keys = elements(xml, 'Contents').map((one) => keyIn(one, 'Key'));
      const folders = elements(xml, 'CommonPrefixes').map((one) => keyIn(one, 'Prefix').replace(/\/$/, ''));
      for (const key of [...keys, ...folders]) names.add(key.slice(prefix.length));
    }
    names.delete('');
    return [...names];
  }

  async bytesBelow(prefix: string): Promise<number> {
    let sum = 0;
    for await (const xml of this.#pages(prefix, false))
      for (const one of elements(xml, 'Contents')) sum += Number(element(one, 'Size'));
    return sum;
  }

  async removeBelow(prefix: string): Promise<void> {
    const keys: string[] = [];
    for await (const xml of this.#pages(prefix, false))
      keys.push(...elements(xml, 'Contents').map((one) => keyIn(one, 'Key')));
    for (let at = 0; at < keys.length; at += DELETED_MAX) await this.#removeAll(keys.slice(at, at + DELETED_MAX));
  }

  async #removeAll(keys: readonly string[]): Promise<void> {
    const objects = keys.map((key) => `<Object><Key>${escapeXml(key)}</Key></Object>`).join('');
    const body = Buffer.from(`<Delete><Quiet>true</Quiet>${objects}</Delete>`);
    const headers = { 'content-type': 'application/xml' };
    const answer = await this.#bucket.send({ method: 'POST', key: '', query: { delete: '' }, headers, body });
    const [failed] = elements(answer.body.toString('utf8'), 'Error');
    if (failed !== undefined)
      throw errors.ioError(`[${element(failed, 'Key')}] was not deleted: ${element(failed, 'Message')}`);
  }
}

const md5 = (content: Uint8Array): string => createHash('md5').update(content).digest('hex');

/** A key of a listing, which is encoded as in a URL. */
function keyIn(xml: string, name: string): string {
  const text = (element(xml, name) ?? '').replaceAll('+', ' ');
  try {
    return decodeURIComponent(text);
  } catch {
    throw errors.ioError(`the store lists a key [${text}] that cannot be decoded`);
  }
}

/** Effects of the objects of stores. */
export interface S3Doors {
  readonly clock: Clock;
  readonly random: Random;
}

/** Files in buckets, and the end of their connections. */
export interface S3Files extends Files {
  close(): void;
}

/**
 * Objects of stores that speak S3, as files: the path of each begins with how to reach its bucket (`s3Folder`). They
 * cannot be opened for writing at any place.
 */
export function s3Files(current: CurrentClients, doors: S3Doors): S3Files {
  /** Connections by what they depend on: keys may change, connections stay. */
  const opened = new Map<string, (timeoutMs: number) => StoreHttp>();
  const httpOf = (client: S3Client): ((timeoutMs: number) => StoreHttp) => {
    const key = JSON.stringify([client.maxConnections, client.proxy]);
    let http = opened.get(key);
    if (!http) opened.set(key, (http = openStoreHttp(client.maxConnections, client.proxy)));
    return http;
  };
  const at = (path: string): { readonly objects: Objects; readonly key: string; readonly prefix: string } => {
    const { place, key } = readS3Path(path);
    const clients = current();
    if (!Object.hasOwn(clients, place.client))
      throw errors.illegalArgument(
        `Unknown s3 client name [${place.client}]. Existing client configs: ${Object.keys(clients).join(',')}`,
      );
    const client = clients[place.client]!;
    const objects = new Objects(new S3Bucket(place, client, { ...doors, http: httpOf(client) }));
    return { objects, key, prefix: key === '' ? '' : `${key}/` };
  };
  return {
    read: async (path) => {
      const { objects, key } = at(path);
      return objects.read(key);
    },
    replace: async (path, bytes) => {
      const { objects, key } = at(path);
      await objects.write(key, bytes);
    },
    open: async (path) => {
      throw errors.unsupportedOperation(`objects of a store cannot be opened for writing: [${readS3Path(path).key}]`);
    },
    remove: async (path) => {
      const { objects, key } = at(path);
      await objects.remove(key);
    },
    list: async (folder) => {
      const { objects, prefix } = at(folder);
      return objects.names(prefix);
    },
    folderSize: async (folder) => {
      const { objects, prefix } = at(folder);
      return objects.bytesBelow(prefix);
    },
    freeBytes: async () => Number.MAX_SAFE_INTEGER,
    removeFolder: async (folder) => {
      const { objects, prefix } = at(folder);
      await objects.removeBelow(prefix);
    },
    // There are no empty folders.
    removeEmptyFolder: async () => undefined,
    close() {
      for (const http of opened.values()) http(0).close();
    },
  };
}

/** Files of snapshot repositories: those of stores by S3, all others by `folders`. */
export function repositoryFiles(folders: Files, stores: Files): Files {
  const of = (path: string): Files => (isS3Path(path) ? stores : folders);
  return {
    read: (path) => of(path).read(path),
    replace: (path, bytes) => of(path).replace(path, bytes),
    open: (path, options) => of(path).open(path, options),
    remove: (path) => of(path).remove(path),
    list: (folder) => of(folder).list(folder),
    folderSize: (folder) => of(folder).folderSize(folder),
    freeBytes: (folder) => of(folder).freeBytes(folder),
    removeFolder: (folder) => of(folder).removeFolder(folder),
    removeEmptyFolder: (folder) => of(folder).removeEmptyFolder(folder),
  };
}
