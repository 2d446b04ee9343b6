import type { ByteReader, ByteWriter } from '@shoal/codec';
import { errors } from '@shoal/errors';
import type { RecallPoint } from '../segment-reader.js';
import { CHUNK_PAYLOAD_MAX } from '../storage/part-writer.js';
import { LEVELS_MAX } from './graph-builder.js';

/** Part with the records of nodes, and part with quantised rows. */
export const GRAPH_PARTS = { links: 'graphs', quantised: 'quantised' } as const;

/** Nodes of a level and the chunk of their first record. */
export interface LevelMeta {
  readonly nodes: number;
  readonly firstChunk: number;
}

/** A graph over consecutive rows of a field. */
export interface GraphMeta {
  readonly first: number;
  /** Links of a node on the levels above the lowest one; on that one there are twice as many. */
  readonly m: number;
  /** Levels from the lowest one, which has all rows, to the highest. */
  readonly levels: readonly LevelMeta[];
  /** Rank on the highest level of the node where walks begin. */
  readonly entry: number;
  /** Recall that was measured when the graph was made; empty if it was not. */
  readonly recall: readonly RecallPoint[];
}

/** Rows as bytes: an element is its byte times `scale`. */
export interface QuantisedMeta {
  readonly scale: number;
  readonly firstChunk: number;
}

/** Bytes of a record before its neighbours: on the lowest level their number, else also the row and the rank below. */
export const recordHead = (level: number): number => (level === 0 ? 2 : 10);

/** Bytes of a neighbour's number in a graph of so many rows. */
export const neighbourBytes = (rows: number): number => (rows <= 1 << 16 ? 2 : rows <= 1 << 24 ? 3 : 4);

export const linksMax = (m: number, level: number): number => (level === 0 ? 2 * m : m);

export const recordBytes = (rows: number, m: number, level: number): number =>
  recordHead(level) + linksMax(m, level) * neighbourBytes(rows);

export const recordsInChunk = (bytes: number): number => Math.floor(CHUNK_PAYLOAD_MAX / bytes);

/** Limit of `m` in 8.12. */
const M_MAX = 512;
const RECALL_POINTS_MAX = 64;
const GRAPHS_MAX = 1 << 16;

function writeGraph(out: ByteWriter, { first, m, levels, entry, recall }: GraphMeta): void {
  out.varint(first);
  out.varint(m);
  out.varint(levels.length);
  for (const { nodes, firstChunk } of levels) {
    out.varint(nodes);
    out.varint(firstChunk);
  }
  out.varint(entry);
  out.varint(recall.length);
  for (const { candidates, recall: share } of recall) {
    out.varint(candidates);
    out.f64(share);
  }
}

function readMany<T>(input: ByteReader, most: number, read: () => T): T[] {
  const count = input.varint();
  if (count > most) throw errors.corruption(`a graph of vectors has ${count} parts`);
  return Array.from({ length: count }, read);
}

function readGraph(input: ByteReader): GraphMeta {
  const first = input.varint();
  const m = input.varint();
  const levels = readMany(input, LEVELS_MAX + 1, () => ({ nodes: input.varint(), firstChunk: input.varint() }));
  const entry = input.varint();
  const recall = readMany(input, RECALL_POINTS_MAX, () => ({ candidates: input.varint(), recall: input.f64() }));
  const top = levels.at(-1);
  if (m < 1 || m > M_MAX || top === undefined || entry >= top.nodes)
    throw errors.corruption(`a graph of vectors has ${levels.length} levels of ${m} links`);
  return { first, m, levels, entry, recall };
}

/** Writes the graphs and the place of quantised rows of a field. */
export function writeGraphs(out: ByteWriter, graphs: readonly GraphMeta[], quantised: QuantisedMeta | null): void {
  out.varint(graphs.length);
  for (const graph of graphs) writeGraph(out, graph);
  out.u8(quantised === null ? 0 : 1);
  if (quantised === null) return;
  out.f64(quantised.scale);
  out.varint(quantised.firstChunk);
}

/** Reads what `writeGraphs` has written. Throws corrupt_index_exception. */
export function readGraphs(input: ByteReader): {
  readonly graphs: readonly GraphMeta[];
  readonly quantised: QuantisedMeta | null;
} {
  const graphs = readMany(input, GRAPHS_MAX, () => readGraph(input));
  return { graphs, quantised: input.u8() === 0 ? null : { scale: input.f64(), firstChunk: input.varint() } };
}
