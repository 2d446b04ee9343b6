import { memorySegment } from '../memory-segment.js';
import { openSegment } from '../segment.js';
import type { SegmentReader, SegmentSink } from '../segment-reader.js';
import { type MergeOptions, type MergeResult, mergeSegments } from './merge.js';
import type { MergeInput } from './merge-input.js';
import { sortedInput } from './sorted-input.js';

/** Returns the numbers of a segment's first `maxDoc` documents in index sort order. */
export type DocOrder = (reader: SegmentReader, maxDoc: number) => Int32Array;

/**
 * As `mergeSegments`, with the documents in index sort order. Several inputs are first merged to one segment in memory,
 * because ordinals of terms compare only within one segment. This costs a second merge, and the memory of that segment.
 */
export async function mergeSorted(
  inputs: readonly MergeInput[],
  order: DocOrder,
  sink: SegmentSink,
  options: MergeOptions = {},
): Promise<MergeResult> {
  if (inputs.length === 1) return mergeOne(inputs[0]!, order, sink, options);
  const memory = memorySegment();
  const joined = await mergeSegments(inputs, memory, { ...options, graphs: undefined });
  if (joined.maxDoc === 0) return joined;
  const reader = openSegment(memory.source('joined'));
  const { maxDoc, docMaps } = await mergeOne({ reader, live: null, maxDoc: joined.maxDoc }, order, sink, options);
  return { maxDoc, docMaps: joined.docMaps.map((map) => map.map((doc) => (doc < 0 ? -1 : docMaps[0]![doc]!))) };
}

async function mergeOne(
  input: MergeInput,
  order: DocOrder,
  sink: SegmentSink,
  options: MergeOptions,
): Promise<MergeResult> {
  const { input: sorted, position } = sortedInput(input, order(input.reader, input.maxDoc));
  const { maxDoc, docMaps } = await mergeSegments([sorted], sink, options);
  return { maxDoc, docMaps: [position.map((doc) => docMaps[0]![doc]!)] };
}
