import type { GraphBuilder } from './graph-builder.js';

/** Nodes after which the work may pause. */
const NODES_A_TURN = 1024;
/** Nodes near an unreached one among which the one that gets a link to it is chosen. */
const CANDIDATES = 64;

type Rest = (nodes: number) => Promise<void> | void;

/**
 * One level of a graph in memory, of which every node is to be reached from every other one. Two passes: first every
 * node is reached from the entry, by a tree of links that are never given up again; then the entry from every node.
 * Links are added or take the place of links that are not in the tree: of any set of nodes fewer links are in the tree
 * than there are nodes, but for those that lead out of it, so there is always one that can go.
 */
class LevelConnection {
  /** Links that were made. */
  made = 0;
  readonly #graph: GraphBuilder;
  readonly #level: number;
  readonly #limit: number;
  readonly #nodes: Int32Array;
  readonly #rest: Rest;
  /** Node from which the tree leads to a node, -1 for unreached ones. */
  readonly #parent: Int32Array;
  /** 1 for nodes from which the entry is known to be reached. */
  readonly #leads: Uint8Array;
  /** Node from which the current search came to a node, -1 for others. */
  readonly #from: Int32Array;
  readonly #queue: Int32Array;
  readonly #links: Int32Array;
  readonly #near = new Int32Array(CANDIDATES);

  constructor(graph: GraphBuilder, level: number, limit: number, nodes: Int32Array, rows: number, rest: Rest) {
    this.#graph = graph;
    this.#level = level;
    this.#limit = limit;
    this.#nodes = nodes;
    this.#rest = rest;
    this.#parent = new Int32Array(rows).fill(-1);
    this.#from = new Int32Array(rows).fill(-1);
    this.#leads = new Uint8Array(rows);
    this.#queue = new Int32Array(nodes.length);
    this.#links = new Int32Array(limit);
  }

  async run(): Promise<void> {
    const { entry } = this.#graph;
    this.#parent[entry] = entry;
    let reached = await this.#spread(entry, 0);
    for (const node of this.#nodes) {
      if (this.#parent[node]! >= 0) continue;
      this.#attach(node, reached);
      reached = await this.#spread(node, reached);
      await this.#rest(CANDIDATES);
    }
    this.#leads[entry] = 1;
    let searched = 0;
    for (const node of this.#nodes) {
      if (this.#leads[node] === 0) searched += this.#lead(node);
      if (++searched < NODES_A_TURN) continue;
      await this.#rest(searched);
      searched = 0;
    }
  }

  /** Reaches all nodes that a reached one leads to, the queue having `size` nodes; returns its new size. */
  async #spread(start: number, size: number): Promise<number> {
    const queue = this.#queue;
    queue[size] = start;
    let end = size + 1;
    for (let at = size; at < end; at++) {
      const node = queue[at]!;
      const count = this.#graph.neighbours(node, this.#level, this.#links);
      for (let i = 0; i < count; i++) {
        const next = this.#links[i]!;
        if (this.#parent[next]! >= 0) continue;
        this.#parent[next] = node;
        queue[end++] = next;
      }
      if (at % NODES_A_TURN === NODES_A_TURN - 1) await this.#rest(NODES_A_TURN);
    }
    return end;
  }

  /** Links an unreached node from a reached one: one of the nearest if possible. */
  #attach(node: number, reached: number): void {
    const count = this.#graph.nearestOn(this.#level, node, this.#near);
    for (let i = 0; i < count; i++) if (this.#parent[this.#near[i]!]! >= 0 && this.#reach(this.#near[i]!, node)) return;
    // The node that was reached last leads to none in the tree.
    this.#reach(this.#queue[reached - 1]!, node);
  }

  #reach(from: number, node: number): boolean {
    if (!this.#link(from, node)) return false;
    this.#parent[node] = from;
    return true;
  }

  /** Links a node with another; returns whether it has a place for the link. */
  #link(from: number, to: number): boolean {
    const links = this.#links;
    let count = this.#graph.neighbours(from, this.#level, links);
    let at = count;
    if (count < this.#limit) count++;
    else for (at = count - 1; at >= 0 && this.#parent[links[at]!] === from; ) at--;
    if (at < 0) return false;
    links[at] = to;
    this.#graph.setLinks(from, this.#level, links, count);
    this.made++;
    return true;
  }

  /** Makes the entry reached from a node; returns the number of nodes that were looked at. */
  #lead(node: number): number {
    const queue = this.#queue;
    queue[0] = node;
    this.#from[node] = node;
    let end = 1;
    let last = -1;
    for (let at = 0; at < end && last < 0; at++) {
      const count = this.#graph.neighbours(queue[at]!, this.#level, this.#links);
      for (let i = 0; i < count && last < 0; i++) {
        const next = this.#links[i]!;
        if (this.#leads[next] === 1) last = queue[at]!;
        else if (this.#from[next]! < 0) {
          this.#from[next] = queue[at]!;
          queue[end++] = next;
        }
      }
    }
    this.#markPath(node, last < 0 ? this.#linkOut(node, end) : last);
    for (let i = 0; i < end; i++) this.#from[queue[i]!] = -1;
    return end;
  }

  /** Links one of the first `count` nodes of the queue, from which no other is reached, with one that leads. */
  #linkOut(node: number, count: number): number {
    const found = this.#graph.nearestOn(this.#level, node, this.#near);
    const target = this.#near.subarray(0, found).find((near) => this.#leads[near] === 1) ?? this.#graph.entry;
    for (let i = 0; i < count; i++) if (this.#link(this.#queue[i]!, target)) return this.#queue[i]!;
    return node;
  }

  /** The nodes on the way of the current search from `start` to `end` lead to the entry. */
  #markPath(start: number, end: number): void {
    let node = end;
    for (this.#leads[node] = 1; node !== start; this.#leads[node] = 1) node = this.#from[node]!;
  }
}

/**
 * Makes every node of each level of a graph of `rows` rows reachable from every other one, so that no document is out
 * of reach of a walk. Returns the number of links that were made. Choosing the best of too many neighbours
 * (`GraphBuilder`) may cut the last link to a node; so may the nodes that a merge leaves out.
 */
export async function connectGraph(graph: GraphBuilder, rows: number, m: number, rest: Rest): Promise<number> {
  let made = 0;
  let nodes = new Int32Array(rows);
  for (let node = 0; node < rows; node++) nodes[node] = node;
  for (let level = 0; level <= graph.topLevel; level++) {
    nodes = nodes.filter((node) => graph.levelOf(node) >= level);
    const connection = new LevelConnection(graph, level, level === 0 ? 2 * m : m, nodes, rows, rest);
    await connection.run();
    made += connection.made;
  }
  return made;
}
