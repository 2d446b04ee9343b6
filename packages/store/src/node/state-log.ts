import { ByteReader, ByteWriter } from '@shoal/codec';
import type { Files, Log, OpenFile } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { CHECKSUM_BYTES, checksumOf, readChecksum, writeChecksum } from '../level/checksum.js';

/** One entry of the state log; the log does not interpret `kind` and `payload`. */
export interface StateRecord {
  readonly kind: number;
  readonly payload: Uint8Array;
}

/** Durable log of a node's cluster state and votes: two mirrored append-only files. */
export interface StateLog {
  /** Records found at open, oldest first. */
  readonly records: readonly StateRecord[];
  /** Appends records; resolves once they are synced in both mirrors. Appends run in order. */
  append(records: readonly StateRecord[]): Promise<void>;
  /** Replaces the whole log by these records; after a crash the old or the new log is there. */
  compact(records: readonly StateRecord[]): Promise<void>;
  /** Bytes of one mirror, by which the caller decides when to compact. */
  sizeInBytes(): number;
  close(): Promise<void>;
}

/*
 * A record is `length u32 | crc32 u32 | index varint | kind u8 | payload`; length and checksum are those of the fields
 * after the checksum.
 */

/** Bytes of length and checksum. */
const PREFIX_BYTES = 4 + CHECKSUM_BYTES;
const RECORD_BYTES_MAX = 1 << 30;
const MIRRORS = ['state-a', 'state-b'] as const;
const NO_KEY = new Uint8Array(0);

interface FoundRecord extends StateRecord {
  readonly index: number;
  /** Offset after the record in its file. */
  readonly end: number;
}

interface Mirror {
  readonly records: readonly FoundRecord[];
  /** Length of the valid prefix. */
  readonly validBytes: number;
  /** Whether a valid record follows an invalid one: damage, not just a torn tail. */
  readonly isDamaged: boolean;
  readonly bytes: Uint8Array;
}

function encodeRecord(index: number, record: StateRecord): Uint8Array {
  const out = new ByteWriter(record.payload.length + 32);
  out.u32(0);
  out.u32(0);
  out.varint(index);
  out.u8(record.kind);
  out.raw(record.payload);
  const bytes = out.finish();
  writeChecksum(bytes, 0, bytes.length - PREFIX_BYTES);
  writeChecksum(bytes, 4, checksumOf(NO_KEY, bytes.subarray(PREFIX_BYTES)));
  return bytes;
}

function recordAt(bytes: Uint8Array, at: number): FoundRecord | null {
  if (at + PREFIX_BYTES > bytes.length) return null;
  const length = readChecksum(bytes, at);
  const start = at + PREFIX_BYTES;
  if (length < 2 || length > RECORD_BYTES_MAX || start + length > bytes.length) return null;
  const content = bytes.subarray(start, start + length);
  if (checksumOf(NO_KEY, content) !== readChecksum(bytes, at + 4)) return null;
  const input = new ByteReader(content);
  const index = input.varint();
  return { index, kind: input.u8(), payload: input.raw(input.remaining), end: start + length };
}

/** Whether a valid record starts at any offset after `from`. */
function hasRecordBehind(bytes: Uint8Array, from: number): boolean {
  for (let at = from + 1; at + PREFIX_BYTES < bytes.length; at++) if (recordAt(bytes, at)) return true;
  return false;
}

function readMirror(bytes: Uint8Array): Mirror {
  const records: FoundRecord[] = [];
  let at = 0;
  for (let record = recordAt(bytes, at); record; record = recordAt(bytes, at)) {
    if (records.length > 0 && record.index !== records.at(-1)!.index + 1) break;
    records.push(record);
    at = record.end;
  }
  return { records, validBytes: at, isDamaged: at < bytes.length && hasRecordBehind(bytes, at), bytes };
}

/**
 * Chooses the mirror with more valid bytes. The valid bytes that both have must be equal, except after a compaction.
 */
function chooseMirror(a: Mirror, b: Mirror): Mirror {
  if (a.isDamaged && b.isDamaged) throw errors.corruption('both mirrors of the state log are damaged');
  const [longer, shorter] = a.validBytes >= b.validBytes ? [a, b] : [b, a];
  const common = shorter.validBytes;
  const isSame = Buffer.compare(longer.bytes.subarray(0, common), shorter.bytes.subarray(0, common)) === 0;
  if (!isSame) return newerGeneration(a, b);
  return longer;
}

/**
 * Chooses the mirror with the newer content after a compaction that replaced only one of them: the files then differ
 * from the first record on, and the newer file has higher indexes.
 */
function newerGeneration(a: Mirror, b: Mirror): Mirror {
  const lastOf = (mirror: Mirror): number => mirror.records.at(-1)?.index ?? -1;
  const firstOf = (mirror: Mirror): number => mirror.records[0]?.index ?? -1;
  if (firstOf(a) === firstOf(b)) throw errors.corruption('the mirrors of the state log contradict each other');
  return lastOf(a) >= lastOf(b) ? a : b;
}

async function openMirror(files: Files, path: string, chosen: Mirror): Promise<OpenFile> {
  const file = await files.open(path);
  const content = chosen.bytes.subarray(0, chosen.validBytes);
  const isWhole = file.size() === content.length && Buffer.compare(file.readAt(0, content.length), content) === 0;
  if (isWhole) return file;
  file.close();
  await files.replace(path, content);
  return files.open(path);
}

/** A write has failed, and the log is as it was before. */
class NothingWritten extends Error {}

/** Writes to all files, or truncates all to their old length: after a full disk the log can be written again. */
function writeOrCut(files: readonly OpenFile[], at: number, bytes: Uint8Array): void {
  try {
    for (const file of files) file.writeAt(at, bytes);
  } catch (error) {
    for (const file of files) if (file.size() > at) file.truncate(at);
    throw new NothingWritten((error as Error).message);
  }
}

/**
 * Opens the state log in `folder`. Cuts a torn tail, and repairs one mirror from the other. Throws
 * corrupt_index_exception if both are damaged or contradict each other, because a vote could be forgotten.
 */
export async function openStateLog(folder: string, doors: { files: Files; log: Log }): Promise<StateLog> {
  const paths = MIRRORS.map((name) => `${folder}/${name}`);
  const [a, b] = await Promise.all(paths.map(async (path) => readMirror((await doors.files.read(path)) ?? NO_KEY)));
  const chosen = chooseMirror(a!, b!);
  if (a!.isDamaged || b!.isDamaged)
    doors.log.write('warn', 'a mirror of the state log was damaged and is repaired', { path: folder });
  let mirrors = await Promise.all(paths.map((path) => openMirror(doors.files, path, chosen)));
  let size = chosen.validBytes;
  let nextIndex = (chosen.records.at(-1)?.index ?? -1) + 1;
  let failure: unknown;
  let last: Promise<void> = Promise.resolve();

  const inOrder = (work: () => Promise<void>): Promise<void> => {
    const run = last.then(async () => {
      if (failure !== undefined) throw failure;
      try {
        await work();
      } catch (error) {
        const failed = errors.ioError(`state log could not be written: ${(error as Error).message}`);
        // After a failed sync the content of the files is unknown, so the log refuses further writes.
        if (!(error instanceof NothingWritten)) failure = failed;
        throw failed;
      }
    });
    last = run.catch(() => undefined);
    return run;
  };
  const encodeAll = (records: readonly StateRecord[]): Uint8Array =>
    Buffer.concat(records.map((record) => encodeRecord(nextIndex++, record)));

  return {
    records: chosen.records,
    append: (records) =>
      inOrder(async () => {
        const firstIndex = nextIndex;
        const bytes = encodeAll(records);
        nextIndex = firstIndex;
        writeOrCut(mirrors, size, bytes);
        nextIndex = firstIndex + records.length;
        await Promise.all(mirrors.map((file) => file.sync()));
        size += bytes.length;
      }),
    compact: (records) =>
      inOrder(async () => {
        const bytes = encodeAll(records);
        for (const [i, path] of paths.entries()) {
          await doors.files.replace(path, bytes);
          mirrors[i]!.close();
          mirrors[i] = await doors.files.open(path);
        }
        size = bytes.length;
      }),
    sizeInBytes: () => size,
    async close() {
      await last;
      for (const file of mirrors) file.close();
      mirrors = [];
    },
  };
}
