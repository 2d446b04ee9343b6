import { errors } from '@shoal/errors';
import { mergeSegments, mergeSorted, openSegment } from '@shoal/segments';
import type { SealedSegment } from '@shoal/store';
import { carryDeletes } from './carry-deletes.js';
import type { Engine } from './engine.js';
import { docOrder } from './index-sort.js';
import { type BufferPart, SealedPart } from './part.js';

/** Opens a segment of the store as a part. Throws corrupt_index_exception. */
export function openPart(
  engine: Engine,
  segment: number,
  sealed: { rootHash: Uint8Array },
  live: Int32Array | null,
): SealedPart {
  const bytes = engine.store.segment(segment, sealed.rootHash);
  engine.segments.hold(segment);
  return new SealedPart({ segment, reader: openSegment(bytes), bytes, rootHash: sealed.rootHash, live });
}

/** Milliseconds after which writing a segment yields the thread, so that searches and writes proceed. */
const SLICE_MS = 3;

/**
 * Returns a function to call often during long work. It returns a promise to await when the thread is to be yielded.
 */
export function pauseBetweenSlices(engine: Engine): () => Promise<void> | void {
  const { clock } = engine.doors;
  let sliceEnd = clock.monotonic() + SLICE_MS;
  return () => {
    if (clock.monotonic() < sliceEnd) return undefined;
    return clock.yield().then(() => {
      sliceEnd = clock.monotonic() + SLICE_MS;
    });
  };
}

async function writeSegment(
  engine: Engine,
  part: BufferPart,
  segment: number,
): Promise<{ docMap: Int32Array; sealed: SealedSegment } | null> {
  const writer = engine.store.writer(segment);
  const input = { reader: part.reader, live: part.shareLive(), maxDoc: part.maxDoc };
  const { sort } = engine.settings;
  const options = { pause: pauseBetweenSlices(engine) };
  const { maxDoc, docMaps } = await (sort
    ? mergeSorted([input], docOrder(sort), writer, options)
    : mergeSegments([input], writer, options));
  return maxDoc === 0 ? null : { docMap: docMaps[0]!, sealed: await writer.finish() };
}

/** Replaces the buffer by the segment, with the deletes that arrived while it was written. */
function swapIn(
  engine: Engine,
  part: BufferPart,
  segment: number,
  written: { docMap: Int32Array; sealed: SealedSegment },
  liveBefore: ReturnType<BufferPart['shareLive']>,
): void {
  const sealed = openPart(engine, segment, written.sealed, null);
  carryDeletes(part, liveBefore, written.docMap, sealed);
  engine.sealed.push(sealed);
}

/**
 * Writes the current buffer to a segment. Writes go to a new buffer from the call on. Must not be called while a buffer
 * is being sealed.
 */
export async function sealBuffer(engine: Engine): Promise<void> {
  const part = engine.current;
  if (engine.sealing) throw errors.illegalState('a buffer is being sealed already');
  engine.current = engine.newBuffer();
  if (part.maxDoc === 0) return;
  part.isSealing = true;
  engine.sealing = part;
  const segment = engine.nextSegment++;
  const liveBefore = part.shareLive();
  try {
    const written = await writeSegment(engine, part, segment);
    if (written) swapIn(engine, part, segment, written, liveBefore);
    engine.sealing = null;
  } catch (error) {
    // The buffer stays searchable, but without its segment the shard cannot commit: ends the store.
    throw engine.store.fail(error);
  }
}
