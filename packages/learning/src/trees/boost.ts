import { type BinnedTable } from './bins.js';
import { type Draws, seededDraws } from './draws.js';
import { addTree, type GrownTree, type GrowSettings, TreeGrower } from './grow.js';
import type { Loss } from './losses.js';

/** How a model is boosted. */
export interface BoostSettings extends GrowSettings {
  /** Factor of each tree's values. */
  readonly eta: number;
  /** By what `eta` is multiplied after each round. */
  readonly etaGrowth: number;
  /** Share of the features that a tree may use. */
  readonly featureBag: number;
  /** Share of the rows that a tree is grown on. */
  readonly downsample: number;
}

/** A tree of a model: its values times `factor` are added to an output. */
export interface BoostedTree {
  readonly tree: GrownTree;
  readonly output: number;
  readonly factor: number;
}

/** What is trained on. */
export interface BoostTask {
  readonly table: BinnedTable;
  readonly targets: Float64Array;
  readonly loss: Loss;
}

const ETA_MOST = 1;

/**
 * A model in the making: gradient boosting (Friedman 2001, "Greedy function approximation") with rows and features
 * drawn anew for each tree (Friedman 2002, "Stochastic gradient boosting").
 */
export class Boosting {
  readonly #task: BoostTask;
  readonly #settings: BoostSettings;
  readonly #train: Int32Array;
  readonly #held: Int32Array;
  readonly #all: Int32Array;
  readonly #draw: Draws;
  readonly #grower: TreeGrower;
  readonly #scores: Float64Array[];
  readonly #gradients: Float64Array;
  readonly #curvatures: Float64Array;
  #eta: number;
  /** Score of each output before the first tree. */
  readonly start: Float64Array;
  readonly trees: BoostedTree[] = [];
  bestLoss: number;
  rounds = 0;
  bestRound = 0;
  /** Loss on the rows held out after each round. */
  readonly losses: number[] = [];

  constructor(task: BoostTask, settings: BoostSettings, train: Int32Array, held: Int32Array, seed: number) {
    this.#task = task;
    this.#settings = settings;
    this.#train = train;
    this.#held = held;
    this.#all = Int32Array.from([...train, ...held]);
    this.#draw = seededDraws(seed);
    this.#grower = new TreeGrower(task.table);
    this.start = task.loss.start(task.targets, train);
    this.#scores = Array.from(this.start, (value) => new Float64Array(task.table.rows).fill(value));
    this.#gradients = new Float64Array(task.table.rows);
    this.#curvatures = new Float64Array(task.table.rows);
    this.#eta = settings.eta;
    this.bestLoss = held.length === 0 ? Infinity : task.loss.mean(task.targets, this.#scores, held);
  }

  /**
   * Adds a tree for each output; returns them. `known`: the trees of this round, if the same boosting has grown them
   * before.
   */
  round(known: readonly GrownTree[] | null = null): readonly GrownTree[] {
    const { table, targets, loss } = this.#task;
    const trees = known ?? this.#grow();
    if (known !== null) this.#skipDraws();
    const grown = trees.map((tree, output) => ({ tree, output, factor: this.#eta }));
    for (const { tree, output, factor } of grown) addTree(tree, table, this.#all, factor, this.#scores[output]!);
    this.trees.push(...grown);
    this.#eta = Math.min(ETA_MOST, this.#eta * this.#settings.etaGrowth);
    this.rounds++;
    const found = this.#held.length === 0 ? 0 : loss.mean(targets, this.#scores, this.#held);
    this.losses.push(found);
    if (this.#held.length === 0 || found < this.bestLoss - 1e-12) {
      this.bestLoss = found;
      this.bestRound = this.rounds;
    }
    return trees;
  }

  #grow(): readonly GrownTree[] {
    const { targets, loss } = this.#task;
    const rows = this.#drawRows();
    const features = this.#drawFeatures();
    const grown: GrownTree[] = [];
    for (let output = 0; output < loss.outputs; output++) {
      loss.derive(targets, this.#scores, output, rows, this.#gradients, this.#curvatures);
      const own = output === loss.outputs - 1 ? rows : rows.slice();
      grown.push(this.#grower.grow(own, this.#gradients, this.#curvatures, features, this.#settings));
    }
    return grown;
  }

  /** Draws what a round that is known has drawn: later rounds draw the same then. */
  #skipDraws(): void {
    this.#drawRows();
    this.#drawFeatures();
  }

  /** Trees of the first rounds. */
  treesOf(rounds: number): readonly BoostedTree[] {
    return this.trees.slice(0, rounds * this.#task.loss.outputs);
  }

  /** Scores of all rows by the trees of the first rounds; those of rows that were not given are of no use. */
  scoresAfter(rounds: number): readonly Float64Array[] {
    const scores = Array.from(this.start, (value) => new Float64Array(this.#task.table.rows).fill(value));
    for (const { tree, output, factor } of this.treesOf(rounds))
      addTree(tree, this.#task.table, this.#held, factor, scores[output]!);
    return scores;
  }

  #drawRows(): Int32Array {
    const share = this.#settings.downsample;
    if (share >= 1) return this.#train.slice();
    const rows = this.#train.filter(() => this.#draw() < share);
    return rows.length === 0 ? this.#train.slice() : rows;
  }

  #drawFeatures(): Int32Array {
    const count = this.#task.table.columns.length;
    const wanted = Math.max(1, Math.round(this.#settings.featureBag * count));
    const left = Array.from({ length: count }, (_, f) => f);
    const drawn: number[] = [];
    while (drawn.length < wanted) drawn.push(left.splice(Math.floor(this.#draw() * left.length), 1)[0]!);
    return Int32Array.from(drawn).sort();
  }
}
