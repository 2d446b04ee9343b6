import { errors } from '@shoal/errors';
import { CHUNK_BYTES_MAX, type RecallPoint, type VectorGraph } from '../segment-reader.js';
import type { PartReader } from '../storage/part-reader.js';
import { CHUNK_PADDING } from '../storage/part-writer.js';
import { type GraphMeta, linksMax, neighbourBytes, recordBytes, recordHead, recordsInChunk } from './graph-format.js';

/** A graph of a sealed segment, whose records come from the block cache one by one. */
export class SealedGraph implements VectorGraph {
  readonly first: number;
  readonly rows: number;
  readonly m: number;
  readonly topLevel: number;
  readonly entry: number;
  readonly recall: readonly RecallPoint[];
  readonly #meta: GraphMeta;
  readonly #part: PartReader;
  readonly #width: number;
  readonly #recordBytes: readonly [number, number];
  readonly #perChunk: readonly [number, number];
  /** Chunk that was read last, and the record in it. */
  #chunk: Uint8Array = new Uint8Array(0);

  constructor(meta: GraphMeta, part: PartReader) {
    const rows = meta.levels[0]!.nodes;
    this.first = meta.first;
    this.rows = rows;
    this.m = meta.m;
    this.topLevel = meta.levels.length - 1;
    this.entry = meta.entry;
    this.recall = meta.recall;
    this.#meta = meta;
    this.#part = part;
    this.#width = neighbourBytes(rows);
    this.#recordBytes = [recordBytes(rows, meta.m, 0), recordBytes(rows, meta.m, 1)];
    this.#perChunk = [recordsInChunk(this.#recordBytes[0]), recordsInChunk(this.#recordBytes[1])];
  }

  nodesOn(level: number): number {
    return this.#meta.levels[level]!.nodes;
  }

  neighbours(level: number, rank: number, into: Int32Array): number {
    const at = this.#find(level, rank) + recordHead(level);
    const chunk = this.#chunk;
    const count = chunk[at - 2]! | (chunk[at - 1]! << 8);
    const nodes = this.nodesOn(level);
    if (count > linksMax(this.m, level)) throw this.#damaged(level, rank);
    const width = this.#width;
    for (let i = 0, from = at; i < count; i++, from += width) {
      let neighbour = chunk[from]! | (chunk[from + 1]! << 8);
      if (width > 2) neighbour |= chunk[from + 2]! << 16;
      if (width > 3) neighbour |= chunk[from + 3]! << 24;
      if (!(neighbour >= 0 && neighbour < nodes)) throw this.#damaged(level, rank);
      into[i] = neighbour;
    }
    return count;
  }

  rowOf(level: number, rank: number): number {
    return level === 0 ? rank : this.#number(level, rank, 0, this.rows);
  }

  below(level: number, rank: number): number {
    return this.#number(level, rank, 4, this.nodesOn(level - 1));
  }

  #number(level: number, rank: number, offset: number, limit: number): number {
    const at = this.#find(level, rank) + offset;
    const chunk = this.#chunk;
    const value = (chunk[at]! | (chunk[at + 1]! << 8) | (chunk[at + 2]! << 16) | (chunk[at + 3]! << 24)) >>> 0;
    if (value >= limit) throw this.#damaged(level, rank);
    return value;
  }

  /** Reads the chunk of a record; returns the offset of the record. */
  #find(level: number, rank: number): number {
    const kind = level === 0 ? 0 : 1;
    const bytes = this.#recordBytes[kind];
    const perChunk = this.#perChunk[kind];
    const chunk = Math.floor(rank / perChunk);
    const offset = (rank - chunk * perChunk) * bytes;
    this.#chunk = this.#part.chunk((this.#meta.levels[level]!.firstChunk + chunk) * CHUNK_BYTES_MAX);
    if (offset + bytes > this.#chunk.length - CHUNK_PADDING) throw this.#damaged(level, rank);
    return offset;
  }

  #damaged(level: number, rank: number): Error {
    return errors.corruption(`the graph of vectors has no sound record of node ${rank} on level ${level}`);
  }
}
