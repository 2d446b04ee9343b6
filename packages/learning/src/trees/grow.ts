import { type BinnedTable } from './bins.js';
import { addToHistogram, gatherPairs, partRows } from './histogram.kernel.js';

/** How trees grow. Penalties are in units of the loss of standardised targets. */
export interface GrowSettings {
  /** Most leaves of a tree. */
  readonly leaves: number;
  /** L2 penalty on the values of leaves. */
  readonly lambda: number;
  /** Penalty on each leaf. */
  readonly gamma: number;
  /** Penalty that grows with depth: `alpha · e^((depth - limit) / tolerance)`. */
  readonly alpha: number;
  readonly softDepthLimit: number;
  readonly softDepthTolerance: number;
  /** Fewest rows of a leaf. */
  readonly rowsLeast: number;
}

/** A tree as it was grown: nodes in order of their making, the root first. */
export interface GrownTree {
  /** Feature of a node; -1 for a leaf. */
  readonly feature: number[];
  /** Last bin that goes left. */
  readonly bin: number[];
  readonly left: number[];
  readonly right: number[];
  readonly missingLeft: boolean[];
  /** Value of each node, were it a leaf. */
  readonly value: number[];
  /** Rows that have reached a node in training. */
  readonly count: number[];
  readonly gain: number[];
}

interface Split {
  readonly gain: number;
  readonly feature: number;
  readonly bin: number;
  readonly missingLeft: boolean;
}

interface OpenLeaf {
  readonly node: number;
  readonly from: number;
  readonly to: number;
  readonly depth: number;
  readonly gradient: number;
  readonly curvature: number;
  readonly histogram: Float64Array;
  readonly split: Split;
}

const CURVATURE_LEAST = 1e-3;

/**
 * Grows trees on histograms: the leaf whose split gains most is split next; of two children the smaller is summed and
 * the larger is what is left of the parent (Ke et al. 2017). Gains of second order: Chen and Guestrin 2016, "XGBoost",
 * equation 7; missing values go to the better side (ibid., algorithm 3).
 */
export class TreeGrower {
  readonly #table: BinnedTable;
  readonly #scratch: Int32Array;
  readonly #pairs: Float64Array;
  readonly #spare: Float64Array[] = [];

  constructor(table: BinnedTable) {
    this.#table = table;
    this.#scratch = new Int32Array(table.rows);
    this.#pairs = new Float64Array(2 * table.rows);
  }

  /** Grows a tree on rows, which it puts into another order. `features`: those that may be split on. */
  grow(
    rows: Int32Array,
    gradients: Float64Array,
    curvatures: Float64Array,
    features: Int32Array,
    settings: GrowSettings,
  ): GrownTree {
    const tree: GrownTree = {
      ...{ feature: [], bin: [], left: [], right: [], missingLeft: [], value: [], count: [], gain: [] },
    };
    const open: OpenLeaf[] = [];
    const add = (from: number, to: number, depth: number, histogram: Float64Array, g: number, h: number): number => {
      const node = tree.feature.length;
      tree.feature.push(-1);
      for (const list of [tree.bin, tree.left, tree.right, tree.gain]) list.push(0);
      tree.missingLeft.push(false);
      tree.value.push(-g / (h + settings.lambda));
      tree.count.push(to - from);
      const split =
        to - from < 2 * settings.rowsLeast
          ? null
          : this.#bestSplit(histogram, features, g, h, to - from, depth, settings);
      if (split === null) this.#spare.push(histogram);
      else open.push({ node, from, to, depth, gradient: g, curvature: h, histogram, split });
      return node;
    };
    const root = this.#sum(rows, 0, rows.length, gradients, curvatures, features);
    add(0, rows.length, 0, root.histogram, root.gradient, root.curvature);
    for (let leaves = 1; open.length > 0 && leaves < settings.leaves; leaves++) {
      const leaf = takeBest(open);
      const { feature, bin, missingLeft } = leaf.split;
      const missing = this.#table.cuts[feature]!.length + 1;
      const column = this.#table.columns[feature]!;
      const middle = partRows(column, rows, leaf.from, leaf.to, bin, missing, missingLeft, this.#scratch);
      const isLeftSmall = middle - leaf.from < leaf.to - middle;
      const [from, to] = isLeftSmall ? [leaf.from, middle] : [middle, leaf.to];
      const small = this.#sum(rows, from, to, gradients, curvatures, features);
      subtract(leaf.histogram, small.histogram);
      const [g, h] = [leaf.gradient - small.gradient, leaf.curvature - small.curvature];
      const large = { histogram: leaf.histogram, gradient: g, curvature: h };
      const [left, right] = isLeftSmall ? [small, large] : [large, small];
      const depth = leaf.depth + 1;
      tree.feature[leaf.node] = feature;
      tree.bin[leaf.node] = bin;
      tree.missingLeft[leaf.node] = missingLeft;
      tree.gain[leaf.node] = leaf.split.gain;
      tree.left[leaf.node] = add(leaf.from, middle, depth, left.histogram, left.gradient, left.curvature);
      tree.right[leaf.node] = add(middle, leaf.to, depth, right.histogram, right.gradient, right.curvature);
    }
    for (const { histogram } of open) this.#spare.push(histogram);
    return tree;
  }

  #sum(
    rows: Int32Array,
    from: number,
    to: number,
    gradients: Float64Array,
    curvatures: Float64Array,
    features: Int32Array,
  ): { histogram: Float64Array; gradient: number; curvature: number } {
    const { columns, offsets } = this.#table;
    const histogram = this.#spare.pop() ?? new Float64Array(2 * offsets[offsets.length - 1]!);
    histogram.fill(0);
    gatherPairs(rows, from, to, gradients, curvatures, this.#pairs);
    for (const f of features) addToHistogram(columns[f]!, rows, from, to, this.#pairs, histogram, offsets[f]!);
    let [gradient, curvature] = [0, 0];
    for (let p = 0; p < 2 * (to - from); p += 2) {
      gradient += this.#pairs[p]!;
      curvature += this.#pairs[p + 1]!;
    }
    return { histogram, gradient, curvature };
  }

  #bestSplit(
    histogram: Float64Array,
    features: Int32Array,
    gradient: number,
    curvature: number,
    rows: number,
    depth: number,
    settings: GrowSettings,
  ): Split | null {
    const least = Math.max(CURVATURE_LEAST, (settings.rowsLeast * curvature) / rows);
    const parent = (gradient * gradient) / (curvature + settings.lambda);
    let best: Split | null = null;
    let top = 2 * (settings.gamma + depthPenalty(depth, settings));
    for (const f of features) {
      const cell = 2 * this.#table.offsets[f]!;
      const cuts = this.#table.cuts[f]!.length;
      const missingG = histogram[cell + 2 * (cuts + 1)]!;
      const missingH = histogram[cell + 2 * (cuts + 1) + 1]!;
      // What was subtracted may leave a trace of rounding where no row is.
      const hasMissing = missingH > 1e-9;
      let [g, h] = [0, 0];
      for (let bin = 0; bin < cuts; bin++) {
        g += histogram[cell + 2 * bin]!;
        h += histogram[cell + 2 * bin + 1]!;
        for (let side = 0; side < (hasMissing ? 2 : 1); side++) {
          const leftG = side === 1 ? g + missingG : g;
          const leftH = side === 1 ? h + missingH : h;
          const rightG = gradient - leftG;
          const rightH = curvature - leftH;
          if (leftH < least || rightH < least) continue;
          const gain =
            (leftG * leftG) / (leftH + settings.lambda) + (rightG * rightG) / (rightH + settings.lambda) - parent;
          if (gain <= top) continue;
          top = gain;
          best = { gain, feature: f, bin, missingLeft: hasMissing ? side === 1 : leftH > rightH };
        }
      }
    }
    return best;
  }
}

/** What a split at a depth adds to the penalty of depths: two leaves one deeper, less the leaf that it was. */
function depthPenalty(depth: number, { alpha, softDepthLimit, softDepthTolerance }: GrowSettings): number {
  if (alpha === 0) return 0;
  const at = (d: number): number => Math.exp(Math.min(50, (d - softDepthLimit) / softDepthTolerance));
  return alpha * (2 * at(depth + 1) - at(depth));
}

function takeBest(open: OpenLeaf[]): OpenLeaf {
  let best = 0;
  for (let i = 1; i < open.length; i++) if (open[i]!.split.gain > open[best]!.split.gain) best = i;
  return open.splice(best, 1)[0]!;
}

function subtract(from: Float64Array, what: Float64Array): void {
  for (let i = 0; i < from.length; i++) from[i] = from[i]! - what[i]!;
}

/** Adds the value of each row's leaf, times `factor`, to `scores`. */
export function addTree(
  { feature, bin, left, right, missingLeft, value }: GrownTree,
  { columns, cuts }: BinnedTable,
  rows: Int32Array,
  factor: number,
  scores: Float64Array,
): void {
  const missing = cuts.map((own) => own.length + 1);
  for (const row of rows) {
    let node = 0;
    for (let f = feature[0]!; f >= 0; f = feature[node]!) {
      const own = columns[f]![row]!;
      node = (own === missing[f]! ? missingLeft[node]! : own <= bin[node]!) ? left[node]! : right[node]!;
    }
    scores[row] = scores[row]! + factor * value[node]!;
  }
}
