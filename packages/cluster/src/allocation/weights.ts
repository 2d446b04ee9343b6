import type { Allocation, AllocationNode } from './allocation.js';

interface Load {
  readonly writeLoad: number;
  readonly bytes: number;
}

const NO_LOAD: Load = { writeLoad: 0, bytes: 0 };

/** Tolerance of differences between sums of squares, for rounding errors. */
const ROUNDING = 1e-9;

/**
 * Weights of nodes: how full a node is for an index, where 0 is the average. Balance factors are scaled so that one
 * copy more than the average weighs about one, and the threshold is a number of copies.
 */
export class Weights {
  readonly #allocation: Allocation;
  readonly #shard: number;
  readonly #index: number;
  readonly #writeLoad: number;
  readonly #disk: number;
  /** Write load and bytes by node; null if only counts are used. */
  readonly #loads: Map<string, { writeLoad: number; bytes: number }> | null;

  /** `usesLoads` false: only counts of copies decide, without reading the load of every shard. */
  constructor(allocation: Allocation, usesLoads = false) {
    const { weights } = allocation.settings;
    const scale = weights.shard + weights.index || 1;
    this.#allocation = allocation;
    this.#shard = weights.shard / scale;
    this.#index = weights.index / scale;
    this.#writeLoad = weights.writeLoad / scale;
    this.#disk = weights.disk / scale;
    this.#loads =
      usesLoads && (allocation.context.writeLoad || allocation.context.shardBytes) ? this.#sumLoads() : null;
  }

  /** Returns the weight of a node for an index. */
  of(uuid: string, node: AllocationNode): number {
    const { nodes } = this.#allocation;
    const total = this.#allocation.copiesTotal;
    const indexTotal = this.#allocation.indexTotal(uuid);
    const counts =
      this.#shard * (node.shards - total / nodes.size) +
      this.#index * (this.#allocation.indexCount(uuid, node.info.id) - indexTotal / nodes.size);
    return counts + this.#loadWeight(node);
  }

  /**
   * Whether moving a copy makes two nodes more even: whether it lowers the sum of two squares, that of the weight of
   * all copies of a node and that of its number of copies of each index. As each move lowers this sum over the cluster,
   * copies cannot move in a circle.
   */
  evens(uuid: string, shard: number, from: AllocationNode, to: AllocationNode): boolean {
    const own = this.#shard + this.#weightOf(this.#loads ? this.#shardLoad(uuid, shard) : NO_LOAD);
    const total =
      this.#shard * (from.shards - to.shards) + this.#weightOf(this.#loadOf(from)) - this.#weightOf(this.#loadOf(to));
    const count = this.#allocation.indexCount(uuid, from.info.id) - this.#allocation.indexCount(uuid, to.info.id);
    return own * (total - own) + (this.#shard || 1) * this.#index * (count - 1) > ROUNDING;
  }

  /** Returns the difference of the weights of the fullest and the emptiest node for an index. */
  deltaOf(uuid: string): number {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const node of this.#allocation.nodes.values()) {
      const weight = this.of(uuid, node);
      low = Math.min(low, weight);
      high = Math.max(high, weight);
    }
    return high - low;
  }

  /** Updates the loads after a copy was assigned or moved. */
  placed(uuid: string, shard: number, nodeId: string, fromNodeId: string | null): void {
    if (!this.#loads) return;
    const { writeLoad, bytes } = this.#shardLoad(uuid, shard);
    this.#add(nodeId, writeLoad, bytes);
    if (fromNodeId !== null) this.#add(fromNodeId, -writeLoad, -bytes);
  }

  #loadWeight(node: AllocationNode): number {
    if (!this.#loads) return 0;
    const sum = { writeLoad: 0, bytes: 0 };
    for (const load of this.#loads.values()) {
      sum.writeLoad += load.writeLoad;
      sum.bytes += load.bytes;
    }
    return this.#weightOf(this.#loadOf(node)) - this.#weightOf(sum) / this.#allocation.nodes.size;
  }

  #loadOf(node: AllocationNode): Load {
    return this.#loads?.get(node.info.id) ?? NO_LOAD;
  }

  #weightOf({ writeLoad, bytes }: Load): number {
    return this.#writeLoad * writeLoad + this.#disk * bytes;
  }

  #shardLoad(uuid: string, shard: number): Load {
    return {
      writeLoad: this.#allocation.context.writeLoad?.(uuid, shard) ?? 0,
      bytes: this.#allocation.bytes(uuid, shard),
    };
  }

  #sumLoads(): Map<string, { writeLoad: number; bytes: number }> {
    const loads = new Map([...this.#allocation.nodes.keys()].map((id) => [id, { writeLoad: 0, bytes: 0 }]));
    for (const [uuid, table] of this.#allocation.state.routing) {
      table.forEach((copies, shard) => {
        const { writeLoad, bytes } = this.#shardLoad(uuid, shard);
        for (const copy of copies) {
          const load = copy.state === 'RELOCATING' ? undefined : loads.get(copy.nodeId ?? '');
          if (!load) continue;
          load.writeLoad += writeLoad;
          load.bytes += bytes;
        }
      });
    }
    return loads;
  }

  #add(nodeId: string, writeLoad: number, bytes: number): void {
    const load = this.#loads?.get(nodeId);
    if (!load) return;
    load.writeLoad += writeLoad;
    load.bytes += bytes;
  }
}

/**
 * Sorts nodes from the emptiest to the fullest for an index. Ties are sorted by id, so that the result depends on the
 * state alone.
 */
export function byWeight(
  weights: Weights,
  allocation: Allocation,
  uuid: string,
): { readonly node: AllocationNode; readonly weight: number }[] {
  const weighed = [...allocation.nodes.values()].map((node) => ({ node, weight: weights.of(uuid, node) }));
  return weighed.sort((a, b) => a.weight - b.weight || (a.node.info.id < b.node.info.id ? -1 : 1));
}
