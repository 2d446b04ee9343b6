import type { Allocation, AllocationNode } from './allocation.js';

interface Load {
  readonly writeLoad: number;
  readonly bytes: number;
}

const NO_LOAD: Load = { writeLoad: 0, bytes: 0 };

/** A difference between sums of squares by no more than this is rounding. */
const ROUNDING = 1e-9;

/**
 * How full a node is for an index: 0 is the average. Weights of settings are taken relative to those of shard counts,
 * so that one copy more than the average weighs about one, and the threshold is in copies.
 */
export class Weights {
  readonly #allocation: Allocation;
  readonly #shard: number;
  readonly #index: number;
  readonly #writeLoad: number;
  readonly #disk: number;
  /** Write load and bytes by node; null where nothing is known of them. */
  readonly #loads: Map<string, { writeLoad: number; bytes: number }> | null;

  /** `usesLoads` off: counts alone decide, which spares a look at every shard. */
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

  /** Weight of a node for an index. */
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
   * Whether two nodes are more even after a copy has moved from one to the other: whether the squares of what all
   * copies on a node weigh, and of how many of each index are there, have a lower sum. Each move that does lowers the
   * sum of the cluster: no copies go back and forth, or round in a circle.
   */
  evens(uuid: string, shard: number, from: AllocationNode, to: AllocationNode): boolean {
    const own = this.#shard + this.#weightOf(this.#loads ? this.#shardLoad(uuid, shard) : NO_LOAD);
    const total =
      this.#shard * (from.shards - to.shards) + this.#weightOf(this.#loadOf(from)) - this.#weightOf(this.#loadOf(to));
    const count = this.#allocation.indexCount(uuid, from.info.id) - this.#allocation.indexCount(uuid, to.info.id);
    return own * (total - own) + (this.#shard || 1) * this.#index * (count - 1) > ROUNDING;
  }

  /** How far the fullest node for an index is from the emptiest. */
  deltaOf(uuid: string): number {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const node of this.#allocation.nodes.values()) {
      const weight = this.of(uuid, node);
      low = Math.min(low, weight);
      high = Math.max(high, weight);
    }
    return high - low;
  }

  /** Keeps the loads in step with a copy that was placed. */
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

/** Nodes from the emptiest to the fullest for an index; ties by id, so that the same state gives the same result. */
export function byWeight(
  weights: Weights,
  allocation: Allocation,
  uuid: string,
): { readonly node: AllocationNode; readonly weight: number }[] {
  const weighed = [...allocation.nodes.values()].map((node) => ({ node, weight: weights.of(uuid, node) }));
  return weighed.sort((a, b) => a.weight - b.weight || (a.node.info.id < b.node.info.id ? -1 : 1));
}
