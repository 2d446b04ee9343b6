import { CHUNK_BYTES_MAX, type RecallPoint } from '../segment-reader.js';
import type { PartWriter } from '../storage/part-writer.js';
import type { GraphBuilder } from './graph-builder.js';
import { type GraphMeta, linksMax, type LevelMeta, neighbourBytes, recordBytes, recordHead } from './graph-format.js';

/** Nodes of each level above the lowest one, ascending: the rank of a node is its place there. */
function nodesByLevel(graph: GraphBuilder, rows: number): Int32Array[] {
  const levels = Array.from({ length: graph.topLevel }, (): number[] => []);
  for (let node = 0; node < rows; node++)
    for (let level = 1; level <= graph.levelOf(node); level++) levels[level - 1]!.push(node);
  return levels.map((nodes) => Int32Array.from(nodes));
}

/** Rank of each node on a level, by node. */
function ranksOf(nodes: Int32Array, rows: number): Int32Array {
  const ranks = new Int32Array(rows);
  for (let rank = 0; rank < nodes.length; rank++) ranks[nodes[rank]!] = rank;
  return ranks;
}

function writeNumber(bytes: Uint8Array, at: number, value: number, width: number): void {
  for (let i = 0; i < width; i++) bytes[at + i] = value >>> (8 * i);
}

/** Form of the graph that is written, and where `rest` may pause the work. */
interface GraphWriting {
  readonly part: PartWriter;
  readonly first: number;
  readonly rows: number;
  readonly m: number;
  readonly rest: (nodes: number) => Promise<void> | void;
}

/** Nodes after which writing may pause. */
const NODES_A_TURN = 1024;

async function writeLevel(
  graph: GraphBuilder,
  level: number,
  nodes: Int32Array | null,
  ranks: Int32Array | null,
  below: Int32Array | null,
  { part, rows, m, rest }: GraphWriting,
): Promise<LevelMeta> {
  part.cut();
  const firstChunk = part.end / CHUNK_BYTES_MAX;
  const record = new Uint8Array(recordBytes(rows, m, level));
  const neighbours = new Int32Array(linksMax(m, level));
  const width = neighbourBytes(rows);
  const head = recordHead(level);
  const count = nodes?.length ?? rows;
  for (let rank = 0; rank < count; rank++) {
    const node = nodes?.[rank] ?? rank;
    record.fill(0);
    if (level > 0) {
      writeNumber(record, 0, node, 4);
      writeNumber(record, 4, below?.[node] ?? node, 4);
    }
    const links = graph.neighbours(node, level, neighbours);
    writeNumber(record, head - 2, links, 2);
    for (let i = 0; i < links; i++)
      writeNumber(record, head + i * width, ranks?.[neighbours[i]!] ?? neighbours[i]!, width);
    part.append(record, 0, record.length);
    if (rank % NODES_A_TURN === NODES_A_TURN - 1) await rest(NODES_A_TURN);
  }
  return { nodes: count, firstChunk };
}

/** Writes the graph of `rows` rows to its part: records of each level from the start of a chunk on. */
export async function writeGraph(
  graph: GraphBuilder,
  recall: readonly RecallPoint[],
  writing: GraphWriting,
): Promise<GraphMeta> {
  const upper = nodesByLevel(graph, writing.rows);
  const levels: LevelMeta[] = [];
  let below: Int32Array | null = null;
  for (let level = 0; level <= graph.topLevel; level++) {
    const nodes = level === 0 ? null : upper[level - 1]!;
    const ranks = nodes === null ? null : ranksOf(nodes, writing.rows);
    levels.push(await writeLevel(graph, level, nodes, ranks, below, writing));
    below = ranks;
  }
  const top = upper.at(-1);
  const entry = top === undefined ? graph.entry : top.indexOf(graph.entry);
  return { first: writing.first, m: writing.m, levels, entry, recall };
}
