import { geoPlane, LAT, LON } from '../columns/geo-plane.js';
import { numberPlane, WindowWriter } from '../columns/window-writer.js';
import { multiNumbers, multiOrdinals } from '../multi-values.js';
import { GeoPointsWriter } from '../points/geo-points.js';
import { isColumnAnIndex, POINTS_INDEX, PointsWriter } from '../points/points-writer.js';
import {
  type FieldLayout,
  type GeoColumn,
  type NumberColumn,
  type OrdinalColumn,
  WINDOW_DOCS,
} from '../segment-reader.js';
import type { ColumnMeta, PointsMeta, VectorsMeta } from '../segment-meta.js';
import type { SegmentOutput } from '../storage/part-writer.js';
import type { NumberEncoder } from '../values/encode-number-block.js';
import { liveWindow, type MappedInput } from './merge-input.js';
import type { WorkBudget } from './work-budget.js';

/** Inputs, output and budget of a merge of columns. */
export interface ColumnMerge {
  readonly inputs: readonly MappedInput[];
  readonly maxDoc: number;
  readonly output: SegmentOutput;
  readonly encoder: NumberEncoder;
  readonly budget: WorkBudget;
  /** Limits of the graphs over vectors; null: none are made. */
  readonly graphs: GraphLimits | null;
}

/** Which vectors get graphs. */
export interface GraphLimits {
  /** Rows below which all are compared. */
  readonly rowsMin: number;
  /** Memory for the rows and links of one graph while it is made, in bytes; more rows get several graphs. */
  readonly bytesMax: number;
}

/** Locations of a merged column and of its range index; null if the field has none. */
export interface MergedColumn {
  readonly column: ColumnMeta | null;
  readonly points: PointsMeta | null;
  /** Of a column of vectors. */
  readonly vectors?: VectorsMeta;
}

const NOWHERE = { address: 0, length: 0 };

/** Writes the directory of a column. */
export function endColumn(merge: ColumnMerge, writer: WindowWriter): ColumnMeta {
  const { summary, directory } = writer.finish();
  return { summary, directory: merge.output.part('index').appendStream(directory) };
}

/** Calls `take` with the live documents of each window of each input. */
export async function eachWindow(
  merge: ColumnMerge,
  take: (input: MappedInput, inputIndex: number, docs: Int32Array, count: number) => number,
): Promise<void> {
  const docs = new Int32Array(WINDOW_DOCS);
  for (let i = 0; i < merge.inputs.length; i++) {
    const input = merge.inputs[i]!;
    for (let from = 0; from < input.maxDoc; from += WINDOW_DOCS) {
      const count = liveWindow(input, from, docs);
      if (count > 0 && merge.budget.spend(take(input, i, docs, count))) await merge.budget.rest();
    }
  }
}

/** Receiver of the values of a column: the writer of the column or of its points. */
interface NumberTarget {
  add(doc: number, value: number): void;
  addRun?(doc: number, values: Float64Array, count: number): void;
  addBig(doc: number, value: bigint): void;
}

/** Copies a column with at most one value for each document, in runs of consecutive documents. */
function copySingles(
  input: MappedInput,
  from: number,
  to: number,
  column: NumberColumn,
  values: Float64Array,
  target: NumberTarget,
): void {
  column.readRange(from, to, values);
  const count = to - from;
  if (input.isWhole && target.addRun && !hasGap(values, count)) {
    target.addRun(input.base + from, values, count);
    return;
  }
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    const doc = input.docMap[from + i]!;
    if (doc >= 0 && !Number.isNaN(value)) target.add(doc, value);
  }
}

function hasGap(values: Float64Array, count: number): boolean {
  for (let i = 0; i < count; i++) if (Number.isNaN(values[i]!)) return true;
  return false;
}

async function copyColumn(
  merge: ColumnMerge,
  input: MappedInput,
  column: NumberColumn,
  target: NumberTarget,
): Promise<void> {
  if (!column.isSingleValued || !column.isExact) return copyMulti(merge, input, column, target);
  const values = new Float64Array(WINDOW_DOCS);
  for (let from = 0; from < input.maxDoc; from += WINDOW_DOCS) {
    const to = Math.min(from + WINDOW_DOCS, input.maxDoc);
    copySingles(input, from, to, column, values, target);
    if (merge.budget.spend(to - from)) await merge.budget.rest();
  }
}

async function copyMulti(
  merge: ColumnMerge,
  input: MappedInput,
  column: NumberColumn,
  target: NumberTarget,
): Promise<void> {
  const values = multiNumbers();
  await eachWindow({ ...merge, inputs: [input] }, (_, __, docs, count) => {
    column.readAll(docs, count, values);
    if (column.isExact) copyNumbers(input, docs, count, values, target);
    else copyBigs(input, docs, count, column, target);
    return count + values.starts[count]!;
  });
}

async function copyColumns(
  merge: ColumnMerge,
  columns: readonly (NumberColumn | null | undefined)[],
  target: NumberTarget,
): Promise<void> {
  for (let i = 0; i < columns.length; i++) {
    const column = columns[i];
    if (column) await copyColumn(merge, merge.inputs[i]!, column, target);
  }
}

/** Merges a column of numbers and its points. */
export async function mergeNumbers(merge: ColumnMerge, layout: FieldLayout): Promise<MergedColumn> {
  const writer = new WindowWriter(merge.output.part('columns'), merge.maxDoc, merge.encoder, [numberPlane], true);
  const columns = merge.inputs.map(({ reader }) => reader.numbers(layout.name) ?? reader.indexedNumbers?.(layout.name));
  await copyColumns(merge, columns, writer);
  const column = endColumn(merge, writer);
  if (!layout.points) return { column, points: null };
  if (isColumnAnIndex(writer.entries)) return { column, points: { mode: POINTS_INDEX.column, directory: NOWHERE } };
  const points = new PointsWriter(column.summary.valueCount);
  await copyColumns(merge, columns, points);
  return { column, points: { mode: POINTS_INDEX.blocks, directory: points.finish(merge.output) } };
}

function copyNumbers(
  input: MappedInput,
  docs: Int32Array,
  count: number,
  values: ReturnType<typeof multiNumbers>,
  target: NumberTarget,
): void {
  for (let i = 0; i < count; i++) {
    const doc = input.docMap[docs[i]!]!;
    for (let v = values.starts[i]!; v < values.starts[i + 1]!; v++) target.add(doc, values.values[v]!);
  }
}

function copyBigs(
  input: MappedInput,
  docs: Int32Array,
  count: number,
  column: NumberColumn,
  target: NumberTarget,
): void {
  for (let i = 0; i < count; i++) {
    const doc = input.docMap[docs[i]!]!;
    for (const value of column.bigs(docs[i]!)) {
      if (BigInt.asIntN(54, value) === value && value !== -(2n ** 53n)) target.add(doc, Number(value));
      else target.addBig(doc, value);
    }
  }
}

/** Merges a column of ordinals. `ordinalMaps` maps the old ordinals of each input to new ones. */
export async function mergeOrdinals(
  merge: ColumnMerge,
  field: string,
  ordinalMaps: readonly Int32Array[],
): Promise<ColumnMeta> {
  const writer = new WindowWriter(merge.output.part('columns'), merge.maxDoc, merge.encoder, [numberPlane], false);
  const columns = merge.inputs.map((input) => input.reader.ordinals(field));
  const values = multiOrdinals();
  const run = new Int32Array(WINDOW_DOCS);
  await eachWindow(merge, (input, i, docs, count) => {
    const column = columns[i];
    if (!column) return 0;
    const map = ordinalMaps[i]!;
    if (column.isSingleValued && copyOrdinals(input, docs, count, column, map, run, writer)) return count;
    column.readAll(docs, count, values);
    for (let k = 0; k < count; k++) {
      const doc = input.docMap[docs[k]!]!;
      for (let v = values.starts[k]!; v < values.starts[k + 1]!; v++) writer.add(doc, map[values.values[v]!]!);
    }
    return count + values.starts[count]!;
  });
  return endColumn(merge, writer);
}

/** Maps a run of ordinals in place; returns false if a document of the run has none. */
function mapOrdinals(run: Int32Array, count: number, map: Int32Array): boolean {
  for (let k = 0; k < count; k++) {
    const ordinal = run[k]!;
    if (ordinal < 0) return false;
    run[k] = map[ordinal]!;
  }
  return true;
}

/**
 * Copies the ordinals of consecutive documents, if all stay and each has exactly one. Returns false, without copying,
 * if not.
 */
function copyOrdinals(
  input: MappedInput,
  docs: Int32Array,
  count: number,
  column: OrdinalColumn,
  map: Int32Array,
  run: Int32Array,
  writer: WindowWriter,
): boolean {
  if (!input.isWhole) return false;
  column.readRange(docs[0]!, docs[0]! + count, run);
  if (!mapOrdinals(run, count, map)) return false;
  writer.addRun(input.base + docs[0]!, run, count);
  return true;
}

function eachPoint(
  input: MappedInput,
  docs: Int32Array,
  count: number,
  column: GeoColumn,
  into: PointBuffers,
  take: (doc: number, lat: number, lon: number) => void,
): number {
  column.readAll(docs, count, into.lats, into.lons);
  for (let k = 0; k < count; k++) {
    const doc = input.docMap[docs[k]!]!;
    for (let v = into.lats.starts[k]!; v < into.lats.starts[k + 1]!; v++)
      take(doc, requantise(LAT_STEPS, into.lats.values[v]!), requantise(LON_STEPS, into.lons.values[v]!));
  }
  return count + into.lats.starts[count]!;
}

interface PointBuffers {
  readonly lats: ReturnType<typeof multiNumbers>;
  readonly lons: ReturnType<typeof multiNumbers>;
}

const LAT_STEPS = 2 ** 32 / 180;
const LON_STEPS = 2 ** 32 / 360;

/** Quantises degrees that were read from a column: they are on the grid of steps, so rounding gives their step. */
const requantise = (steps: number, degrees: number): number => Math.round(degrees * steps) + 0;

/** Merges a column of geo points and its k-d tree. */
export async function mergeGeo(merge: ColumnMerge, layout: FieldLayout): Promise<MergedColumn> {
  const planes = [geoPlane(LAT), geoPlane(LON)];
  const writer = new WindowWriter(merge.output.part('columns'), merge.maxDoc, merge.encoder, planes, false);
  const points = layout.points ? new GeoPointsWriter() : null;
  const columns = merge.inputs.map(({ reader }) => reader.geo(layout.name) ?? reader.indexedPoints?.(layout.name));
  const buffers = { lats: multiNumbers(), lons: multiNumbers() };
  await eachWindow(merge, (input, i, docs, count) => {
    const column = columns[i];
    if (!column) return 0;
    return eachPoint(input, docs, count, column, buffers, (doc, lat, lon) => {
      writer.add(doc, lat, lon);
      points?.add(doc, lat, lon);
    });
  });
  const column = endColumn(merge, writer);
  if (points === null) return { column, points: null };
  return { column, points: { mode: POINTS_INDEX.geo, directory: points.finish(merge.output, merge.encoder) } };
}

/** Merges a column of byte strings. */
export async function mergeBinary(merge: ColumnMerge, field: string): Promise<ColumnMeta> {
  const writer = new WindowWriter(
    merge.output.part('columns'),
    merge.maxDoc,
    merge.encoder,
    [numberPlane, numberPlane],
    false,
  );
  const bytes = merge.output.part('binary');
  const columns = merge.inputs.map((input) => input.reader.binary(field));
  await eachWindow(merge, (input, i, docs, count) => {
    let copied = 0;
    for (let k = 0; k < count; k++) {
      const value = columns[i]?.get(docs[k]!);
      if (!value) continue;
      const place = bytes.appendStream(value);
      writer.add(input.docMap[docs[k]!]!, place.address, place.length);
      copied += value.length;
    }
    return count + (copied >>> 4);
  });
  return endColumn(merge, writer);
}
