import type { VectorGraphOptions } from '../segment-reader.js';
import { NodeHeap } from './node-heap.js';
import type { RowMemory } from './row-memory.js';

/** Levels above the lowest that a graph has at most; with m = 2 a million nodes have about 20. */
export const LEVELS_MAX = 24;
/** Seed of the levels of nodes: the same rows in the same order give the same graph. */
const SEED = 0x5bd1e995;

/** Level of a row: geometrically distributed, so that a level has a part 1/m of the nodes of the one below it. */
function levelOf(row: number, m: number): number {
  let bits = Math.imul(row ^ SEED, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  bits = (bits ^ (bits >>> 16)) >>> 0;
  return Math.min(LEVELS_MAX, Math.floor(-Math.log((bits + 1) / 2 ** 32) / Math.log(Math.max(2, m))));
}

/**
 * Builds a hierarchical navigable small world graph in memory, node by node. Algorithms 1 to 4 of Malkov and Yashunin,
 * "Efficient and robust approximate nearest neighbor search using hierarchical navigable small world graphs" (2018);
 * neighbours are chosen by algorithm 4 without its extensions, as Lucene and hnswlib do.
 */
export class GraphBuilder {
  /** Node of the highest level where searches begin; -1 without nodes. */
  entry = -1;
  topLevel = -1;
  readonly #memory: RowMemory;
  readonly #m: number;
  readonly #ef: number;
  /** Neighbours of a node on the lowest level: their number, then their numbers. */
  readonly #lowest: Int32Array;
  readonly #lowestRecord: number;
  /** Neighbours on the other levels, in records of `m + 1`, those of a node one after the other. */
  #upper = new Int32Array(1024);
  #upperUsed = 0;
  /** First record of a node in `#upper`. */
  readonly #upperAt: Int32Array;
  readonly #levels: Int8Array;
  readonly #visited: Uint8Array;
  readonly #touched: Int32Array;
  #touchedCount = 0;
  readonly #open = new NodeHeap('nearest');
  readonly #best = new NodeHeap('farthest');
  /** Candidates for links, nearest first, and how near they are. */
  #found = new Int32Array(256);
  #foundNear = new Float32Array(256);
  readonly #chosen: Int32Array;

  /** `rows`: the nodes that the graph may get; their vectors are in `memory`. */
  constructor(memory: RowMemory, rows: number, { m, efConstruction }: VectorGraphOptions) {
    this.#memory = memory;
    this.#m = m;
    this.#ef = Math.max(efConstruction, m);
    this.#lowestRecord = 2 * m + 1;
    this.#lowest = new Int32Array(rows * this.#lowestRecord);
    this.#upperAt = new Int32Array(rows);
    this.#levels = new Int8Array(rows).fill(-1);
    this.#visited = new Uint8Array(rows);
    this.#touched = new Int32Array(rows);
    this.#chosen = new Int32Array(2 * m + 1);
  }

  /** Highest level of a node; -1 for one that was not added. */
  levelOf(node: number): number {
    return this.#levels[node]!;
  }

  /** Writes the neighbours of a node on a level to `into` and returns their number. */
  neighbours(node: number, level: number, into: Int32Array): number {
    const links = level === 0 ? this.#lowest : this.#upper;
    const at = this.#recordAt(node, level);
    const count = links[at]!;
    for (let i = 0; i < count; i++) into[i] = links[at + 1 + i]!;
    return count;
  }

  /** Adds a node without links. The first node of the highest level is where searches begin. */
  place(node: number, level: number): void {
    this.#place(node, level);
    this.#rise(node, level);
  }

  /** Sets the neighbours of a node on a level. */
  setLinks(node: number, level: number, links: Int32Array, count: number): void {
    this.#setLinks(node, level, links, count);
  }

  /** Chooses the neighbours of a node on a level from candidates, at most LIST_ROWS_MAX. */
  relink(node: number, level: number, candidates: Int32Array, count: number): void {
    const { list } = this.#memory;
    for (let i = 0; i < count; i++) list[i] = candidates[i]!;
    this.#chooseLinks(node, level, count);
  }

  /** Adds a node and links it with the nodes nearest to it. */
  insert(node: number): void {
    const level = levelOf(node, this.#m);
    this.#place(node, level);
    if (this.entry >= 0) this.#link(node, level);
    this.#rise(node, level);
  }

  /**
   * Finds the nodes nearest to the query of the memory with a list of `ef` nodes. Writes them to `into`, nearest first,
   * and to `near` how near they are; returns their number.
   */
  search(ef: number, into: Int32Array, near: Float32Array): number {
    if (this.entry < 0) return 0;
    let start = this.entry;
    for (let level = this.topLevel; level > 0; level--) start = this.#descend(start, level);
    this.#walk(start, 0, ef);
    const count = Math.min(this.#sortFound(), into.length);
    for (let i = 0; i < count; i++) {
      into[i] = this.#found[i]!;
      near[i] = this.#foundNear[i]!;
    }
    return count;
  }

  /** Writes the nodes of a level that a walk finds nearest to a node, without itself, nearest first, to `into`. */
  nearestOn(level: number, node: number, into: Int32Array): number {
    this.#memory.queryRow(node);
    let start = this.entry;
    for (let at = this.topLevel; at > level; at--) start = this.#descend(start, at);
    this.#walk(start, level, into.length);
    const found = this.#sortFound();
    let count = 0;
    for (let i = 0; i < found; i++) if (this.#found[i] !== node) into[count++] = this.#found[i]!;
    return count;
  }

  #place(node: number, level: number): void {
    this.#levels[node] = level;
    if (level === 0) return;
    const ints = level * (this.#m + 1);
    if (this.#upperUsed + ints > this.#upper.length) {
      const larger = new Int32Array(2 * Math.max(this.#upper.length, ints));
      larger.set(this.#upper);
      this.#upper = larger;
    }
    this.#upperAt[node] = this.#upperUsed;
    this.#upperUsed += ints;
  }

  #rise(node: number, level: number): void {
    if (level <= this.topLevel) return;
    this.topLevel = level;
    this.entry = node;
  }

  #recordAt(node: number, level: number): number {
    return level === 0 ? node * this.#lowestRecord : this.#upperAt[node]! + (level - 1) * (this.#m + 1);
  }

  #setLinks(node: number, level: number, links: Int32Array, count: number): void {
    const all = level === 0 ? this.#lowest : this.#upper;
    const at = this.#recordAt(node, level);
    all[at] = count;
    for (let i = 0; i < count; i++) all[at + 1 + i] = links[i]!;
  }

  #link(node: number, level: number): void {
    const memory = this.#memory;
    memory.queryRow(node);
    let start = this.entry;
    for (let at = this.topLevel; at > level; at--) start = this.#descend(start, at);
    for (let at = Math.min(level, this.topLevel); at >= 0; at--) {
      memory.queryRow(node);
      this.#walk(start, at, this.#ef);
      const found = this.#sortFound();
      start = this.#found[0]!;
      const count = this.#choose(found, this.#m);
      this.#setLinks(node, at, this.#chosen, count);
      const neighbours = this.#chosen.slice(0, count);
      for (const neighbour of neighbours) this.#linkBack(neighbour, node, at);
    }
  }

  /** Adds a node to the neighbours of another, of which only the best stay if they become too many. */
  #linkBack(of: number, node: number, level: number): void {
    const links = level === 0 ? this.#lowest : this.#upper;
    const limit = level === 0 ? 2 * this.#m : this.#m;
    const at = this.#recordAt(of, level);
    const count = links[at]!;
    if (count < limit) {
      links[at + 1 + count] = node;
      links[at] = count + 1;
      return;
    }
    const { list } = this.#memory;
    for (let i = 0; i < count; i++) list[i] = links[at + 1 + i]!;
    list[count] = node;
    this.#chooseLinks(of, level, count + 1);
  }

  /** Links a node with the best of the first `count` nodes of the memory's list. */
  #chooseLinks(node: number, level: number, count: number): void {
    const { list, out } = this.#memory;
    this.#memory.queryRow(node);
    this.#memory.nearness(count);
    this.#best.clear();
    for (let i = 0; i < count; i++) this.#best.push(list[i]!, out[i]!);
    const limit = level === 0 ? 2 * this.#m : this.#m;
    this.#setLinks(node, level, this.#chosen, this.#choose(this.#sortFound(), limit));
  }

  /** Follows the nearest neighbours on a level until no neighbour is nearer. */
  #descend(start: number, level: number): number {
    const memory = this.#memory;
    const { list, out } = memory;
    list[0] = start;
    memory.nearness(1);
    let node = start;
    let near = out[0]!;
    for (;;) {
      const count = this.neighbours(node, level, list);
      memory.nearness(count);
      const before = node;
      for (let i = 0; i < count; i++) {
        if (out[i]! <= near) continue;
        near = out[i]!;
        node = list[i]!;
      }
      if (node === before) return node;
    }
  }

  /** Fills `#best` with the `ef` nearest nodes that a walk on a level finds. */
  #walk(start: number, level: number, ef: number): void {
    const memory = this.#memory;
    const { list, out } = memory;
    const open = this.#open;
    const best = this.#best;
    open.clear();
    best.clear();
    list[0] = start;
    memory.nearness(1);
    this.#visit(start);
    open.push(start, out[0]!);
    best.push(start, out[0]!);
    while (open.size > 0 && (best.size < ef || open.near >= best.near)) {
      const node = open.node;
      open.pop();
      const count = this.#unvisited(node, level, list);
      if (count === 0) continue;
      memory.nearness(count);
      for (let i = 0; i < count; i++) {
        const near = out[i]!;
        if (best.size === ef && near <= best.near) continue;
        open.push(list[i]!, near);
        if (best.size < ef) best.push(list[i]!, near);
        else best.replace(list[i]!, near);
      }
    }
    for (let i = 0; i < this.#touchedCount; i++) this.#visited[this.#touched[i]!] = 0;
    this.#touchedCount = 0;
  }

  #visit(node: number): void {
    this.#visited[node] = 1;
    this.#touched[this.#touchedCount++] = node;
  }

  #unvisited(node: number, level: number, list: Int32Array): number {
    const links = level === 0 ? this.#lowest : this.#upper;
    const at = this.#recordAt(node, level);
    const end = at + links[at]!;
    let count = 0;
    for (let i = at + 1; i <= end; i++) {
      const neighbour = links[i]!;
      if (this.#visited[neighbour] === 1) continue;
      this.#visit(neighbour);
      list[count++] = neighbour;
    }
    return count;
  }

  /** Moves the nodes of `#best` to `#found`, nearest first; returns their number. */
  #sortFound(): number {
    const best = this.#best;
    const count = best.size;
    if (count > this.#found.length) {
      this.#found = new Int32Array(count * 2);
      this.#foundNear = new Float32Array(count * 2);
    }
    for (let i = count - 1; i >= 0; i--) {
      this.#found[i] = best.node;
      this.#foundNear[i] = best.near;
      best.pop();
    }
    return count;
  }

  /**
   * Chooses at most `limit` of the first `found` candidates: one that is nearer to a chosen one than to the node itself
   * is left out, since it is reached through that one. Writes them to `#chosen`.
   */
  #choose(found: number, limit: number): number {
    const candidates = this.#found;
    const near = this.#foundNear;
    const chosen = this.#chosen;
    let count = 0;
    for (let i = 0; i < found && count < limit; i++) {
      if (count > 0 && this.#isNearerTo(candidates[i]!, near[i]!, count)) continue;
      chosen[count++] = candidates[i]!;
    }
    return count;
  }

  #isNearerTo(candidate: number, near: number, chosenCount: number): boolean {
    const memory = this.#memory;
    const { list, out } = memory;
    for (let i = 0; i < chosenCount; i++) list[i] = this.#chosen[i]!;
    memory.queryRow(candidate);
    memory.nearness(chosenCount);
    for (let i = 0; i < chosenCount; i++) if (out[i]! > near) return true;
    return false;
  }
}
