import { decodeValue } from '@shoal/codec';
import { type Channel, sendMessage } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { recovery } from '@shoal/protocol';
import type { SegmentDraft, ShardStore } from '@shoal/store';
import { arrivedSegment, type Filling } from './filling.js';
import { encodeKnown, type KnownRecords, knownRecords } from './known-records.js';
import { copied } from './wire.js';
import type { RecoveryProgress } from './recovery-progress.js';

/** Bytes of one answer. */
const PIECE_BYTES = 512 * 1024;

/** Effects and progress of filling a store. */
export interface FillOptions {
  readonly indexUuid: string;
  readonly shard: number;
  readonly recoveryId: string;
  readonly source: Channel;
  /** Waits until the rate limit of recoveries lets this many bytes pass. */
  readonly limit: (bytes: number) => Promise<void>;
  readonly progress: RecoveryProgress;
}

/** Number of known records in one request. */
const KNOWN_MAX = 8_000;

const sizeOf = (pieces: readonly Uint8Array[]): number => pieces.reduce((sum, piece) => sum + piece.length, 0);

async function copyPart(
  writer: ReturnType<ShardStore['writer']>,
  segment: number,
  part: recovery.Part,
  options: FillOptions,
): Promise<void> {
  const { indexUuid, shard, recoveryId, source, limit, progress } = options;
  for (let first = 0; first < part.chunks; ) {
    const { chunks } = await sendMessage(source, recovery.methods.chunk, {
      indexUuid,
      shard,
      recoveryId,
      segment,
      part: part.name,
      first,
      bytesMax: PIECE_BYTES,
    });
    if (chunks.length === 0) throw errors.illegalState(`chunk [${first}] of part [${part.name}] was not sent`);
    for (const chunk of chunks) await writer.write(part.name, chunk);
    first += chunks.length;
    progress.recoveredBytes += sizeOf(chunks);
    await limit(sizeOf(chunks));
  }
}

async function takeSegment(filling: Filling, segment: recovery.Segment, options: FillOptions): Promise<SegmentDraft> {
  const words = segment.live && new Int32Array(copied(segment.live).buffer);
  const live = words ? { words, isChanged: true } : null;
  const draft = arrivedSegment(filling, segment, live) ?? {
    ...(await copySegment(filling.store, segment, options)),
    live,
  };
  filling.segments.set(segment.number, draft);
  if (filling.reused.has(segment.number)) {
    options.progress.reusedFiles++;
    options.progress.reusedBytes += draft.byteSize;
  } else options.progress.recoveredFiles++;
  return draft;
}

async function copySegment(
  store: ShardStore,
  segment: recovery.Segment,
  options: FillOptions,
): Promise<Omit<SegmentDraft, 'live'>> {
  const writer = store.writer(segment.number, segment.madeBy === undefined ? null : copied(segment.madeBy));
  for (const part of segment.parts) await copyPart(writer, segment.number, part, options);
  const { byteSize, rootHash } = await writer.finish();
  if (Buffer.compare(rootHash, segment.rootHash) !== 0)
    throw errors.illegalState(`segment [${segment.number}] did not arrive whole`);
  return { segment: segment.number, maxDoc: segment.maxDoc, byteSize, rootHash, deletedDocs: segment.deletedDocs };
}

/** Applies an answer of the primary: writes its records, and keeps own records that it has too. */
async function takeOperations(
  filling: Filling,
  known: KnownRecords,
  answer: recovery.OperationsAnswer,
  progress: RecoveryProgress,
): Promise<void> {
  const { records, next } = answer;
  const numbers = new Float64Array(copied(answer.seqNos).buffer);
  const end = next < 0 ? Number.POSITIVE_INFINITY : next;
  const held = new Set(Array.from(new Uint32Array(copied(answer.held).buffer), (step) => known.from + step));
  const sent = new Set(numbers);
  const gone: number[] = [];
  let heldBytes = 0;
  for (const [seqNo, { byteSize }] of known.records) {
    if (held.has(seqNo)) heldBytes += byteSize;
    else if (seqNo < end && !sent.has(seqNo)) gone.push(seqNo);
  }
  if (records.length > 0 || gone.length > 0)
    await filling.store.importRecords(
      records.map((record, i) => [numbers[i]!, record] as const),
      gone,
    );
  filling.heldBytes += heldBytes;
  progress.reusedBytes += heldBytes;
  progress.recoveredBytes += sizeOf(records);
  progress.totalBytes += heldBytes + sizeOf(records);
  filling.operationBytes += heldBytes + sizeOf(records);
  filling.nextOperation = Math.max(filling.nextOperation, next, (numbers.at(-1) ?? -1) + 1);
}

async function copyOperations(filling: Filling, options: FillOptions): Promise<void> {
  const { indexUuid, shard, recoveryId, source, limit, progress } = options;
  for (let from = filling.nextOperation; from >= 0; ) {
    const known = await knownRecords(filling.store, from, filling.ownBelow, KNOWN_MAX);
    const answer = await sendMessage(source, recovery.methods.operations, {
      indexUuid,
      shard,
      recoveryId,
      from,
      bytesMax: PIECE_BYTES,
      known: encodeKnown(known),
      knownBelow: known.below,
    });
    await takeOperations(filling, known, answer, progress);
    await limit(sizeOf(answer.records));
    from = answer.next;
  }
}

/**
 * Fills a store with a commit of the primary (R3, R4). Segments and operations are written first, the commit point
 * last, so that a partly filled store is never taken for a complete one. Files that have arrived before from the same
 * primary are skipped.
 */
export async function fillStore(filling: Filling, commit: recovery.CommitInfo, options: FillOptions): Promise<void> {
  options.progress.recoveredFiles = 0;
  options.progress.reusedFiles = 0;
  options.progress.reusedBytes = filling.heldBytes;
  options.progress.totalFiles = commit.segments.length;
  options.progress.totalBytes = commit.segments.reduce(
    (sum, segment) => sum + (segment.parts[0]?.bytes ?? 0),
    filling.operationBytes,
  );
  const segments: SegmentDraft[] = [];
  for (const segment of commit.segments) segments.push(await takeSegment(filling, segment, options));
  await copyOperations(filling, options);
  const { store } = filling;
  // All in-sync copies have acknowledged the operations of the commit.
  store.setGlobalCheckpoint(commit.maxSeqNo);
  await store.writeCommit({
    segments,
    maxSeqNo: commit.maxSeqNo,
    primaryTerm: commit.primaryTerm,
    nextSegment: commit.nextSegment,
    superseded: [],
    tombstones: decodeValue(commit.tombstones) as unknown as number[],
    leases: [],
    retriesFrom: commit.retriesFrom,
    historyFloor: commit.historyFloor,
    epochs: commit.epochs.map(({ term, firstSeqNo }) => ({ term, firstSeqNo })),
  });
}
