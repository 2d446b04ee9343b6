import { adoptGraph } from '../graphs/adopt-graph.js';
import { connectGraph } from '../graphs/connect-graph.js';
import { GraphBuilder } from '../graphs/graph-builder.js';
import { GRAPH_PARTS, type GraphMeta, type QuantisedMeta } from '../graphs/graph-format.js';
import { RecallMeter, SAMPLE_MAX } from '../graphs/measure-recall.js';
import { quantisationScale, quantise } from '../graphs/quantise.js';
import { comparesDistance, type RowForm, RowMemory, rowMemoryBytes } from '../graphs/row-memory.js';
import { writeGraph } from '../graphs/write-graph.js';
import {
  CHUNK_BYTES_MAX,
  type RecallPoint,
  type VectorColumn,
  type VectorGraph,
  type VectorGraphOptions,
  type VectorLayout,
} from '../segment-reader.js';
import { quantisedStride } from '../vectors/vector-column.js';
import type { ColumnMerge } from './merge-columns.js';

/** Options of 8.12 for fields that set none. */
const DEFAULT_OPTIONS: VectorGraphOptions = { m: 16, efConstruction: 100 };

/** Rows of the new segment: the column and the row there that each came from. */
export interface RowOrigins {
  readonly columns: readonly (VectorColumn | null)[];
  readonly column: Uint16Array;
  readonly row: Int32Array;
  count: number;
}

/** Graphs over the rows of a merged column. */
export interface MergedGraphs {
  readonly graphs: readonly GraphMeta[];
  readonly quantised: QuantisedMeta | null;
}

/** Memory of one graph, however large the limit is: a module of WebAssembly has at most 4 GB. */
const GRAPH_BYTES_MAX = 2 ** 31;

const NONE: MergedGraphs = { graphs: [], quantised: null };

/** Rows of the new segment that get one graph, and a graph of an input over most of them. */
interface Partition {
  readonly from: number;
  readonly to: number;
  readonly base: Piece | null;
}

/** Rows that come from one graph of an input, or from an input without graphs. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly column: number;
  readonly graph: VectorGraph | null;
}

/** Part of a graph's rows that must be left if it is to be taken over: repairing more costs recall. */
const LEFT_MIN = 0.7;

function isGraphUsable({ graph, from, to }: Piece, m: number): boolean {
  return graph !== null && graph.m === m && to - from >= graph.rows * LEFT_MIN;
}

/** Rows of the new segment by the graph that they come from, in order. */
function piecesOf({ columns, column, row, count }: RowOrigins): Piece[] {
  const pieces: Piece[] = [];
  const graphOf = (i: number): VectorGraph | null =>
    columns[column[i]!]?.graphs?.find(({ first, rows }) => row[i]! >= first && row[i]! < first + rows) ?? null;
  for (let from = 0; from < count; ) {
    const graph = graphOf(from);
    const own = column[from]!;
    const end = graph === null ? Number.POSITIVE_INFINITY : graph.first + graph.rows;
    let to = from + 1;
    while (to < count && column[to] === own && row[to]! < end) to++;
    pieces.push({ from, to, column: own, graph });
    from = to;
  }
  return pieces;
}

/** Joins pieces to partitions of at most `capacity` rows; a graph that is larger already keeps its rows. */
function partitionsOf(pieces: readonly Piece[], capacity: number, m: number): Partition[] {
  const partitions: Partition[] = [];
  for (const piece of pieces) {
    const usable = isGraphUsable(piece, m) ? piece : null;
    const last = partitions.at(-1);
    if (last !== undefined && piece.to - last.from <= capacity) {
      const isLarger = usable !== null && (last.base === null || sizeOf(usable) > sizeOf(last.base));
      partitions[partitions.length - 1] = { from: last.from, to: piece.to, base: isLarger ? usable : last.base };
      continue;
    }
    const size = usable === null ? capacity : sizeOf(piece);
    for (let from = piece.from; from < piece.to; from += size)
      partitions.push({ from, to: Math.min(piece.to, from + size), base: usable });
  }
  return partitions;
}

const sizeOf = ({ from, to }: Piece): number => to - from;

/** Makes the graphs of one field. */
class GraphMerge {
  readonly #merge: ColumnMerge;
  readonly #layout: VectorLayout;
  readonly #options: VectorGraphOptions;
  readonly #origins: RowOrigins;
  readonly #scale: number | null;
  readonly #form: RowForm;
  readonly #bytes: Int8Array<ArrayBuffer>;
  /** Units of work of adding a node. */
  readonly #units: number;

  constructor(merge: ColumnMerge, layout: VectorLayout, origins: RowOrigins) {
    const { dims, element, similarity, graph: options = DEFAULT_OPTIONS } = layout;
    this.#merge = merge;
    this.#layout = layout;
    this.#options = options;
    this.#origins = origins;
    const { confidence } = options;
    this.#bytes = new Int8Array(quantisedStride(dims) * 4);
    this.#scale = element === 'float' && confidence !== undefined ? this.#scaleOf(confidence) : null;
    const kind = this.#scale === null ? element : 'byte';
    this.#form = { dims, element: kind, isDistance: comparesDistance(similarity) };
    this.#units = Math.ceil((options.efConstruction * (dims + 50)) / 2);
  }

  async run(bytesMax: number): Promise<MergedGraphs> {
    const quantised = this.#scale === null ? null : await this.#writeQuantised(this.#scale);
    const { m } = this.#options;
    // Rows, links with their number, levels, places, marks and origins.
    const rowBytes = rowMemoryBytes(this.#form) + (2 * m + 1) * 4 + (m + 1) * 1 + 24;
    const capacity = Math.max(this.#merge.graphs!.rowsMin, Math.floor(Math.min(bytesMax, GRAPH_BYTES_MAX) / rowBytes));
    const graphs: GraphMeta[] = [];
    for (const partition of partitionsOf(piecesOf(this.#origins), capacity, m))
      graphs.push(await this.#make(partition));
    return { graphs, quantised };
  }

  /** The elements and the length of a row. */
  #read(i: number): { readonly elements: Uint8Array; readonly length: number } {
    const { columns, column, row } = this.#origins;
    const at = row[i]!;
    const { first, stride, floats, bytes } = columns[column[i]!]!.rows(at);
    const start = (at - first) * stride;
    const size = this.#layout.element === 'float' ? this.#layout.dims * 4 : this.#layout.dims;
    const elements = new Uint8Array(bytes.buffer, bytes.byteOffset + start * 4, size);
    return { elements, length: floats[start + stride - 1]! };
  }

  #floats(i: number): Float32Array {
    const { elements } = this.#read(i);
    return new Float32Array(elements.buffer, elements.byteOffset, this.#layout.dims);
  }

  #quantised(i: number, scale: number): Uint8Array {
    quantise(this.#floats(i), this.#layout.dims, scale, this.#bytes);
    return new Uint8Array(this.#bytes.buffer);
  }

  #scaleOf(confidence: number): number {
    const { dims } = this.#layout;
    const { count } = this.#origins;
    const step = Math.max(1, Math.floor(count / QUANTISED_SAMPLE));
    const rows = Math.ceil(count / step);
    const elements = new Float32Array(rows * dims);
    for (let i = 0, at = 0; i < count; i += step) for (const value of this.#floats(i)) elements[at++] = Math.abs(value);
    return quantisationScale(elements, confidence);
  }

  async #writeQuantised(scale: number): Promise<QuantisedMeta> {
    const part = this.#merge.output.part(GRAPH_PARTS.quantised);
    part.cut();
    const firstChunk = part.end / CHUNK_BYTES_MAX;
    for (let i = 0; i < this.#origins.count; i++) {
      part.append(this.#quantised(i, scale), 0, this.#bytes.length);
      await this.#spend(this.#layout.dims / 8);
    }
    return { scale, firstChunk };
  }

  #spend(units: number): Promise<void> | void {
    const { budget } = this.#merge;
    return budget.spend(units) ? budget.rest() : undefined;
  }

  async #make({ from, to, base }: Partition): Promise<GraphMeta> {
    const rows = to - from;
    const isCosine = this.#layout.element === 'byte' && this.#layout.similarity === 'cosine';
    const memory = new RowMemory(this.#form, rows, isCosine);
    for (let i = from; i < to; i++) {
      const { elements, length } = this.#read(i);
      memory.set(i - from, this.#scale === null ? elements : this.#quantised(i, this.#scale), length);
      if (i % 64 === 0) await this.#spend(this.#layout.dims * 8);
    }
    const builder = new GraphBuilder(memory, rows, this.#options);
    if (base !== null) await this.#adopt(builder, base, from);
    const recall = await this.#insert(builder, memory, rows, base);
    const rest = (nodes: number): Promise<void> | void => this.#spend(nodes * 16);
    await connectGraph(builder, rows, this.#options.m, rest);
    const writing = { first: from, rows, m: this.#options.m, rest };
    return writeGraph(builder, recall, { ...writing, part: this.#merge.output.part(GRAPH_PARTS.links) });
  }

  #adopt(builder: GraphBuilder, { graph, from, to }: Piece, first: number): Promise<void> {
    const map = new Int32Array(graph!.rows).fill(-1);
    for (let i = from; i < to; i++) map[this.#origins.row[i]! - graph!.first] = i - first;
    return adoptGraph(builder, graph!, map, (nodes) => this.#spend(nodes * 16));
  }

  /** Adds the rows that have no node yet. A sample of them comes last, by which the recall is measured. */
  async #insert(
    builder: GraphBuilder,
    memory: RowMemory,
    rows: number,
    base: Piece | null,
  ): Promise<readonly RecallPoint[]> {
    const meter = new RecallMeter(builder, memory, rows);
    let left = 0;
    for (let row = 0; row < rows; row++) if (builder.levelOf(row) < 0) left++;
    const step = Math.max(2, Math.ceil(left / SAMPLE_MAX));
    const sample: number[] = [];
    for (let row = 0, i = 0; row < rows; row++) {
      if (builder.levelOf(row) >= 0) continue;
      if (i++ % step === step - 1) sample.push(row);
      else {
        builder.insert(row);
        await this.#spend(this.#units);
      }
    }
    for (const row of sample) {
      meter.measure(row);
      await this.#spend(this.#units * 20);
      builder.insert(row);
    }
    const points = meter.points();
    return points.length > 0 ? points : (base?.graph?.recall ?? []);
  }
}

/** Rows whose elements say how floats become bytes. */
const QUANTISED_SAMPLE = 2000;

/** Returns whether a column of so many rows gets graphs. */
export function getsGraphs({ graphs }: ColumnMerge, { similarity }: VectorLayout, rows: number): boolean {
  return graphs !== null && similarity !== 'none' && rows >= graphs.rowsMin;
}

/**
 * Makes the graphs over the rows of a merged column, and rows of bytes if the graphs compare those. The largest graph
 * of the inputs is taken over, and the other rows are added to it.
 */
export function mergeGraphs(merge: ColumnMerge, layout: VectorLayout, origins: RowOrigins): Promise<MergedGraphs> {
  if (!getsGraphs(merge, layout, origins.count)) return Promise.resolve(NONE);
  return new GraphMerge(merge, layout, origins).run(merge.graphs!.bytesMax);
}
