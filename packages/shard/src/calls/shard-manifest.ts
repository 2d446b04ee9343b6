import { errors } from '@shoal/errors';
import type { Epoch } from '@shoal/store';

/*
 * A snapshot of a shard is a manifest (JSON) and files of packed bytes, in the folder of the index in a repository
 * (docs/formats/repository-v3.md). Each file has the hash of its content in its name, so that snapshots share the files
 * that are the same.
 */

/** A file of a repository. */
export interface FileRef {
  /** `<shard>-<sha256 of the content>`. */
  readonly name: string;
  /** Size in the repository, in bytes. */
  readonly bytes: number;
}

/** A file with chunks of a segment. */
export interface SegmentFile extends FileRef {
  /** Number of the chunks; absent in manifests of earlier builds. */
  readonly chunks?: number;
}

/** A segment: its chunks are in the files in order. */
export interface SegmentEntry {
  readonly number: number;
  readonly maxDoc: number;
  readonly deletedDocs: number;
  readonly byteSize: number;
  readonly rootHash: string;
  /** Chain id of the store that wrote the segment; null for segments of an old format. */
  readonly madeBy: string | null;
  /** Names of the parts, by which chunks in the files refer to them. */
  readonly parts: readonly string[];
  readonly files: readonly SegmentFile[];
  /** Manifest of the segment in the store, base64; absent in manifests of earlier builds. */
  readonly manifest?: string;
  /** Bits of the live documents; null if none is deleted. */
  readonly live: FileRef | null;
}

/** Operations `from` … `to` (inclusive), as far as the log still had them when the file was written. */
export interface OperationRange {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Bytes of the records before they were packed. */
  readonly recordBytes: number;
  readonly file: FileRef;
}

/** Content of the manifest of a shard. */
export interface ShardManifest {
  /** 3: documents only, in `pages`. */
  readonly format: 2 | 3;
  /** Names of all files that the snapshot needs besides the manifest. */
  readonly files: readonly string[];
  readonly historyUuid: string;
  readonly maxSeqNo: number;
  readonly primaryTerm: number;
  readonly nextSegment: number;
  readonly epochs: readonly Epoch[];
  readonly tombstones: readonly number[];
  readonly documents: number;
  readonly segments: readonly SegmentEntry[];
  readonly operations: readonly OperationRange[];
  /** Operations above `maxSeqNo`, which a restore applies one by one; null for none. */
  readonly tail: OperationRange | null;
  /** Pages of documents as JSON, of a repository of type `source`; a restore indexes them. */
  readonly pages?: readonly FileRef[];
}

/** Ending of the names of manifests. */
export const MANIFEST_ENDING = '.manifest';

/** Decodes a manifest. Throws corrupt_index_exception with the name of the file. */
export function decodeManifest(name: string, bytes: Uint8Array): ShardManifest {
  try {
    const manifest = JSON.parse(Buffer.from(bytes).toString('utf8')) as ShardManifest;
    if (manifest.format === 2 || manifest.format === 3) return manifest;
  } catch {
    throw errors.corruption(`file [${name}] of the snapshot is no manifest`);
  }
  throw errors.corruption(`file [${name}] of the snapshot has a format that this version does not know`);
}
