/** Part of the clusters of a shard that the buffered values may fill, so that distant values can found further ones. */
const FILLED_PART = 0.75;

/** Number of clusters that the buffered values of a shard are divided into. */
export const initialClusters = (shardSize: number): number => Math.trunc(shardSize * FILLED_PART);

/** A cluster of values. `id` stays when clusters before it appear. */
export interface Cluster {
  readonly id: number;
  min: number;
  max: number;
  centroid: number;
  size: number;
}

/**
 * Clusters numbers in one pass, as Elasticsearch's VariableWidthHistogramAggregator does: the first values are
 * buffered, sorted and divided into clusters of equal size; each later value joins the cluster with the nearest
 * centroid, or founds one if it is further away than twice the mean distance of neighbours and there is room.
 */
export class ValueClusters {
  readonly #sizeMax: number;
  readonly #bufferMax: number;
  #buffer: Float64Array<ArrayBuffer> = new Float64Array(0);
  #buffered = 0;
  /** By centroid, ascending; null while values are buffered. */
  #clusters: Cluster[] | null = null;
  #meanDistance = 0;
  readonly #charge: (bytes: number) => void;

  constructor(sizeMax: number, bufferMax: number, charge: (bytes: number) => void) {
    this.#sizeMax = sizeMax;
    this.#bufferMax = bufferMax;
    this.#charge = charge;
  }

  /** Clusters by centroid, ascending. Ends buffering; `onDivided` is called then. */
  clusters(onDivided: (clusterOfValue: Int32Array) => void): readonly Cluster[] {
    return (this.#clusters ??= this.#divide(onDivided));
  }

  /**
   * Adds a value. Returns the id of its cluster; -1 for a buffered one, of which `onDivided` tells later: it gets the
   * ids of the clusters of all buffered values, in the order in which they were added.
   */
  add(value: number, onDivided: (clusterOfValue: Int32Array) => void): number {
    if (this.#clusters !== null) return this.#join(this.#clusters, value);
    if (this.#buffered === this.#buffer.length) this.#grow();
    this.#buffer[this.#buffered++] = value;
    if (this.#buffered === this.#bufferMax) this.clusters(onDivided);
    return -1;
  }

  #grow(): void {
    const length = Math.min(this.#bufferMax, this.#buffer.length * 2 + 64);
    this.#charge((length - this.#buffer.length) * 8);
    const grown = new Float64Array(length);
    grown.set(this.#buffer);
    this.#buffer = grown;
  }

  #divide(onDivided: (clusterOfValue: Int32Array) => void): Cluster[] {
    const values = this.#buffer.subarray(0, this.#buffered);
    const order = Int32Array.from(values, (_, i) => i).sort((a, b) => values[a]! - values[b]! || a - b);
    const perCluster = Math.ceil(values.length / initialClusters(this.#sizeMax));
    const clusterOf = new Int32Array(values.length);
    const clusters: Cluster[] = [];
    for (let i = 0; i < order.length; i++) {
      const id = Math.floor(i / perCluster);
      const value = values[order[i]!]!;
      clusterOf[order[i]!] = id;
      if (id === clusters.length) clusters.push(newCluster(id, value));
      else addTo(clusters[id]!, value);
    }
    this.#buffer = new Float64Array(0);
    this.#measure(clusters);
    onDivided(clusterOf);
    return clusters;
  }

  #join(clusters: Cluster[], value: number): number {
    const at = nearest(clusters, value);
    const cluster = clusters[at]!;
    const isDistant = Math.abs(cluster.centroid - value) > 2 * this.#meanDistance;
    if (isDistant && clusters.length < this.#sizeMax) {
      const own = newCluster(clusters.length, value);
      clusters.splice(value > cluster.centroid ? at + 1 : at, 0, own);
      this.#measure(clusters);
      return own.id;
    }
    addTo(cluster, value);
    if (at === 0 || at === clusters.length - 1) this.#measure(clusters);
    return cluster.id;
  }

  #measure(clusters: readonly Cluster[]): void {
    if (clusters.length < 2) return;
    this.#meanDistance = (clusters.at(-1)!.centroid - clusters[0]!.centroid) / (clusters.length - 1);
  }
}

const newCluster = (id: number, value: number): Cluster => ({ id, min: value, max: value, centroid: value, size: 1 });

function addTo(cluster: Cluster, value: number): void {
  cluster.min = Math.min(cluster.min, value);
  cluster.max = Math.max(cluster.max, value);
  cluster.centroid = (cluster.centroid * cluster.size + value) / (cluster.size + 1);
  cluster.size++;
}

/** Index of the cluster whose centroid is nearest to a value. */
function nearest(clusters: readonly Cluster[], value: number): number {
  let low = 0;
  let high = clusters.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (clusters[middle]!.centroid < value) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return 0;
  return value - clusters[low - 1]!.centroid < Math.abs(clusters[low]!.centroid - value) ? low - 1 : low;
}
