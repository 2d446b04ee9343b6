import { bitSet } from '../bit-set.js';
import { writeIds } from '../ids/ids.js';
import { writeNorms } from '../norms/norms.js';
import type { FieldLayout, SegmentSink } from '../segment-reader.js';
import { encodeMeta, type FieldMeta } from '../segment-meta.js';
import { SegmentOutput, type StreamLocation } from '../storage/part-writer.js';
import { numberEncoder } from '../values/encode-number-block.js';
import {
  type ColumnMerge,
  type GraphLimits,
  type MergedColumn,
  mergeBinary,
  mergeGeo,
  mergeNumbers,
  mergeOrdinals,
} from './merge-columns.js';
import { joinFields, type MappedInput, mapDocuments, type MergeInput } from './merge-input.js';
import { mergeVectors } from './merge-vectors.js';
import { mergeTerms } from './merge-terms.js';
import { WorkBudget } from './work-budget.js';

/** Options of a merge. */
export interface MergeOptions {
  /** Called after every few milliseconds of work; the merge waits until it resolves. */
  readonly pause?: () => Promise<void> | void;
  /** Limits of the graphs over vectors; if undefined, none are made. */
  readonly graphs?: GraphLimits | undefined;
}

/** Result of a merge. */
export interface MergeResult {
  /** Number of documents of the new segment. */
  readonly maxDoc: number;
  /**
   * For each input the new number of each old document, -1 for deleted ones. The caller applies deletes that happened
   * during the merge by it.
   */
  readonly docMaps: Int32Array[];
}

/**
 * Merges the live documents of all inputs, in order, to one segment. An input is a sealed segment or a snapshot of the
 * indexing buffer: a flush is a merge of one input. Memory: the document maps, the norms and ordinal maps of one field,
 * and the points of one field (12 bytes a value, twice while they are sorted). All other data is streamed.
 */
export async function mergeSegments(
  inputs: readonly MergeInput[],
  sink: SegmentSink,
  options: MergeOptions = {},
): Promise<MergeResult> {
  const { mapped, maxDoc } = mapDocuments(inputs);
  const output = new SegmentOutput(sink);
  const merge: ColumnMerge = {
    inputs: mapped,
    maxDoc,
    output,
    encoder: numberEncoder(),
    budget: new WorkBudget(output, options.pause),
    graphs: options.graphs ?? null,
  };
  const fields: FieldMeta[] = [];
  for (const layout of joinFields(inputs)) fields.push(await mergeField(merge, layout));
  const ids = mergeIds(merge);
  const roots = mergeRoots(merge);
  const meta = encodeMeta({ maxDoc, ids, roots, fields });
  output.part('meta').appendStream(meta);
  await output.finish();
  return { maxDoc, docMaps: mapped.map((m) => m.docMap) };
}

async function mergeField(merge: ColumnMerge, layout: FieldLayout): Promise<FieldMeta> {
  const hasDictionary = layout.terms !== null || layout.column === 'ordinals';
  const norms = layout.terms?.norms ? joinNorms(merge, layout.name) : null;
  const terms = hasDictionary ? await mergeTerms(merge, layout, norms) : null;
  const { column, points, vectors = null } = await mergeColumn(merge, layout, terms?.ordinalMaps ?? []);
  return {
    layout,
    dictionary: terms?.dictionary ?? null,
    norms: norms === null ? null : writeNorms(merge.output, norms, merge.maxDoc, merge.encoder),
    column,
    points,
    vectors,
  };
}

async function mergeColumn(
  merge: ColumnMerge,
  layout: FieldLayout,
  ordinalMaps: readonly Int32Array[],
): Promise<MergedColumn> {
  switch (layout.column) {
    case 'ordinals':
      return { column: await mergeOrdinals(merge, layout.name, ordinalMaps), points: null };
    case 'binary':
      return { column: await mergeBinary(merge, layout.name), points: null };
    case 'vectors':
      return mergeVectors(merge, layout);
    case 'geo':
      return mergeGeo(merge, layout);
    case null:
      return mergePointsOnly(merge, layout);
    default:
      return mergeNumbers(merge, layout);
  }
}

/** Merges the points of a field without doc values: its numbers or points are in a column that searches do not see. */
async function mergePointsOnly(merge: ColumnMerge, layout: FieldLayout): Promise<MergedColumn> {
  if (!layout.points) return { column: null, points: null };
  const hasGeo = merge.inputs.some(({ reader }) => (reader.indexedPoints?.(layout.name)?.docsWithField ?? 0) > 0);
  return hasGeo ? mergeGeo(merge, layout) : mergeNumbers(merge, layout);
}

function joinNorms(merge: ColumnMerge, field: string): Uint8Array {
  const norms = new Uint8Array(merge.maxDoc);
  for (const input of merge.inputs) {
    const old = input.reader.norms(field)?.bytes;
    if (old === undefined) continue;
    for (let doc = 0; doc < input.maxDoc; doc++) if (input.docMap[doc]! >= 0) norms[input.docMap[doc]!] = old[doc]!;
  }
  return norms;
}

function mergeIds(merge: ColumnMerge): StreamLocation {
  const hashes = new Int32Array(merge.maxDoc);
  const docs = new Int32Array(merge.maxDoc);
  let count = 0;
  for (const input of merge.inputs) {
    const old = new Int32Array(input.reader.maxDoc);
    input.reader.idHashes?.(old);
    count = collectIds(input, old, hashes, docs, count);
  }
  return writeIds(merge.output, hashes, docs, count);
}

function collectIds(input: MappedInput, old: Int32Array, hashes: Int32Array, docs: Int32Array, from: number): number {
  const { roots } = input.reader;
  let count = from;
  for (let doc = 0; doc < input.maxDoc; doc++) {
    const next = input.docMap[doc]!;
    if (next < 0 || (roots !== null && !roots.get(doc))) continue;
    hashes[next] = old[doc]!;
    docs[count++] = next;
  }
  return count;
}

function mergeRoots(merge: ColumnMerge): StreamLocation | null {
  if (merge.inputs.every(({ reader }) => reader.roots === null)) return null;
  const bits = bitSet(merge.maxDoc);
  for (const { reader, docMap, maxDoc } of merge.inputs) {
    for (let doc = 0; doc < maxDoc; doc++)
      if (docMap[doc]! >= 0 && (reader.roots === null || reader.roots.get(doc))) bits.set(docMap[doc]!);
  }
  return merge.output.part('index').appendStream(new Uint8Array(bits.words.buffer));
}
