/** Scores of outliers from the neighbours of points: one function a method, higher is stranger. */

/** Neighbours of all rows: `k` for each, nearest first. */
export interface Neighbours {
  readonly rows: number;
  readonly k: number;
  readonly near: Int32Array;
  readonly distances: Float64Array;
}

/** Names of methods as in Elasticsearch. */
export type OutlierMethod = 'lof' | 'ldof' | 'distance_kth_nn' | 'distance_knn';

/** Distances between points that two neighbours of a point have. */
export type Distance = (a: number, b: number) => number;

type Method = (found: Neighbours, k: number, distance: Distance) => Float64Array;

/** Where points lie on each other their density has no end: distances count as at least this. */
const DISTANCE_LEAST = 1e-9;

/** Distance to the k-th neighbour (Ramaswamy et al. 2000). */
const kthDistance: Method = ({ rows, k: stride, distances }, k) =>
  Float64Array.from({ length: rows }, (_, row) => distances[row * stride + k - 1]!);

/** Mean distance to the neighbours (Angiulli and Pizzuti 2002). */
const meanDistance: Method = ({ rows, k: stride, distances }, k) =>
  Float64Array.from({ length: rows }, (_, row) => {
    let sum = 0;
    for (let i = 0; i < k; i++) sum += distances[row * stride + i]!;
    return sum / k;
  });

/** Local outlier factor: density of the neighbours over that of the point (Breunig et al. 2000). */
const lof: Method = (found, k) => {
  const { rows, k: stride, near, distances } = found;
  const reach = kthDistance(found, k, () => 0);
  const density = Float64Array.from({ length: rows }, (_, row) => {
    let sum = 0;
    for (let i = row * stride; i < row * stride + k; i++) sum += Math.max(reach[near[i]!]!, distances[i]!);
    return k / Math.max(DISTANCE_LEAST, sum);
  });
  return Float64Array.from({ length: rows }, (_, row) => {
    let sum = 0;
    for (let i = row * stride; i < row * stride + k; i++) sum += density[near[i]!]!;
    return sum / k / density[row]!;
  });
};

/** Local distance-based outlier factor: distance to the neighbours over that among them (Zhang et al. 2009). */
const ldof: Method = (found, k, distance) => {
  const { rows, k: stride, near } = found;
  const outer = meanDistance(found, k, distance);
  return outer.map((mean, row) => {
    let sum = 0;
    for (let i = 0; i < k; i++)
      for (let j = i + 1; j < k; j++) sum += distance(near[row * stride + i]!, near[row * stride + j]!);
    const inner = k < 2 ? 1 : (2 * sum) / (k * (k - 1));
    return row < rows ? mean / Math.max(DISTANCE_LEAST, inner) : 0;
  });
};

/** All methods by name. */
export const OUTLIER_METHODS: Readonly<Record<OutlierMethod, Method>> = {
  lof,
  ldof,
  distance_kth_nn: kthDistance,
  distance_knn: meanDistance,
};
