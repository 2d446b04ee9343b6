import { Boosting, type BoostedTree, type BoostSettings, type BoostTask } from './boost.js';
import { type Draws, seededDraws, shuffle } from './draws.js';
import type { TrainingLog } from './training-log.js';
import { haltonPoint, PLAIN_SETTINGS, SEARCHED, settingsAt } from './settings.js';

/** What a training is told. */
export interface TrainOptions {
  readonly seed: number;
  /** Settings that are not searched for. */
  readonly fixed: Partial<BoostSettings>;
  /** Trees of the model at most. */
  readonly treesMost: number;
  /** Whether a model stops growing when rows held out say so. */
  readonly stopsEarly: boolean;
  /** Settings that are tried near the best ones; null for as many as the size of the table allows. */
  readonly fineTrials: number | null;
  /** What an earlier training of the same task has done, and where this one notes what it does. */
  readonly log?: TrainingLog;
}

export type TrainPhase = 'coarse_parameter_search' | 'fine_tuning_parameters' | 'final_training';

/** How far a training is, between two of its steps. */
export interface TrainProgress {
  readonly phase: TrainPhase;
  /** Share of the phase that is done, from 0 to 1. */
  readonly share: number;
  /** Rounds and trials so far. */
  readonly trial: number;
  readonly loss: number;
}

/** A model that has been trained. */
export interface TrainedTrees {
  readonly start: Float64Array;
  readonly trees: readonly BoostedTree[];
  readonly settings: BoostSettings;
  /** Loss on rows held out, of the best settings. */
  readonly loss: number;
  readonly trials: number;
  /** Rounds of a member of the model, in the mean. */
  readonly rounds: number;
  /** Scores of rows by members that were trained without them, by output; NaN for rows that no member was without. */
  readonly heldScores: readonly Float64Array[];
}

interface Trial {
  readonly point: readonly number[];
  readonly settings: BoostSettings;
  readonly losses: number[];
}

const SEARCH_ETA = 0.12;
const SEARCH_ROUNDS = 250;
const SEARCH_PATIENCE = 12;
const FINAL_ETA = 0.06;
const FINAL_ROUNDS = 800;
const FINAL_PATIENCE = 40;
/** Rounds below which a model has fewer members instead, and rounds for which `FINAL_ETA` is right. */
const ROUNDS_LEAST = 60;
const ROUNDS_WANTED = 500;
const ETA_MOST = 0.5;
/** Members whose differences say how sure their mean loss is. */
const MEMBERS_COMPARED = 5;
const FOLDS = 4;
const COARSE_TRIALS = 16;
const FINE_TRIALS = 10;
/** Cells of a table times rounds, of all trials together: what bounds the time of a search. */
const SEARCH_WORK_MOST = 4e8;
const ROUNDS_OF_TRIAL = 80;
/** Rows of a sample on which settings are tried. */
const SAMPLE_MOST = 20_000;

/**
 * Trains a model. Settings are tried by cross-validation: first spread evenly, the worse half going after each fold
 * (Karnin et al. 2013, "sequential halving"), then near the best. The model is the mean of members that were each
 * trained without one fold and stopped by it (Parmanto et al. 1996, "cross-validation committees"). Yields between two
 * rounds; the same task, rows and options give the same model.
 */
export function* trainTrees(
  task: BoostTask,
  rows: Int32Array,
  options: TrainOptions,
): Generator<TrainProgress, TrainedTrees> {
  const draw = seededDraws(options.seed);
  const order = shuffle(rows.slice(), draw);
  const search = new Search(task, order, options, draw);
  const best = yield* search.run();
  return yield* finalTraining(task, order, options, best, search.trials, draw);
}

/** Rows of a fold, and all others. */
function foldOf(order: Int32Array, fold: number, folds: number): readonly [train: Int32Array, held: Int32Array] {
  return [order.filter((_, i) => i % folds !== fold), order.filter((_, i) => i % folds === fold)];
}

class Search {
  readonly #task: BoostTask;
  readonly #rows: Int32Array;
  readonly #options: TrainOptions;
  readonly #draw: Draws;
  readonly #dimensions = SEARCHED.length;
  /** Settings that hold without a search. */
  readonly #plain: Trial;
  trials = 0;

  constructor(task: BoostTask, order: Int32Array, options: TrainOptions, draw: Draws) {
    this.#task = task;
    this.#rows = order.subarray(0, SAMPLE_MOST);
    this.#options = options;
    this.#draw = draw;
    const point = new Array<number>(this.#dimensions).fill(0.5);
    this.#plain = { point, settings: { ...PLAIN_SETTINGS, ...options.fixed }, losses: [] };
  }

  /** Evaluations (a trial on a fold) that the size of the table allows. */
  #evaluationsMost(): number {
    const { table, loss } = this.#task;
    const each = this.#rows.length * table.columns.length * loss.outputs * ROUNDS_OF_TRIAL;
    return Math.max(FOLDS, Math.floor(SEARCH_WORK_MOST / each));
  }

  *run(): Generator<TrainProgress, Trial> {
    const scale = Math.min(1, this.#evaluationsMost() / (3 * COARSE_TRIALS + FOLDS * FINE_TRIALS));
    const isFixed = SEARCHED.every(({ name }) => this.#options.fixed[name] !== undefined);
    const coarse = isFixed || this.#rows.length < 2 * FOLDS ? 1 : Math.max(2, Math.round(COARSE_TRIALS * scale));
    const fine = coarse === 1 ? 0 : (this.#options.fineTrials ?? Math.round(FINE_TRIALS * scale));
    if (coarse === 1) return this.#plain;
    const first = Array.from({ length: coarse - 1 }, (_, i) => this.#trialAt(haltonPoint(i + 1, this.#dimensions)));
    const known = yield* this.#halve([this.#plain, ...first]);
    for (let i = 0; i < fine; i++) {
      const trial = this.#trialAt(this.#near(bestOf(known), i / fine));
      for (let fold = 0; fold < FOLDS; fold++) {
        trial.losses.push(
          yield* this.#evaluate(trial.settings, fold, 'fine_tuning_parameters', (i + fold / FOLDS) / fine),
        );
        // A trial that is clearly worse after half of the folds is not tried on the others.
        if (fold === 1 && lossOn(trial, 2) > 1.03 * lossOn(bestOf(known), 2)) break;
      }
      if (trial.losses.length === FOLDS) known.push(trial);
    }
    const best = bestOf(known);
    return isClearlyBetter(best, this.#plain) ? best : this.#plain;
  }

  #trialAt(point: readonly number[]): Trial {
    const { fixed } = this.#options;
    const settings = settingsAt(point, this.#rows.length, this.#task.table.columns.length, fixed);
    return { point, settings, losses: [] };
  }

  /** A point near a trial's, the nearer the later. */
  #near({ point }: Trial, share: number): number[] {
    const width = 0.3 * (1 - 0.6 * share);
    return point.map((at) => {
      const moved = at + width * (this.#draw() + this.#draw() + this.#draw() - 1.5);
      return Math.min(1, Math.max(0, moved));
    });
  }

  /** Tries all on a fold, the better half on the next one. */
  *#halve(trials: readonly Trial[]): Generator<TrainProgress, Trial[]> {
    let left = [...trials];
    const total = trials.length * 3;
    let done = 0;
    for (let fold = 0; fold < FOLDS; fold++) {
      for (const trial of left) {
        const share = Math.min(1, done++ / total);
        trial.losses.push(yield* this.#evaluate(trial.settings, fold, 'coarse_parameter_search', share));
      }
      left.sort((a, b) => lossOn(a, fold + 1) - lossOn(b, fold + 1));
      if (fold === FOLDS - 1) break;
      left = left.slice(0, Math.max(3, Math.ceil(left.length / 2)));
      if (!left.includes(this.#plain)) left.push(this.#plain);
    }
    return left;
  }

  *#evaluate(
    settings: BoostSettings,
    fold: number,
    phase: TrainPhase,
    share: number,
  ): Generator<TrainProgress, number> {
    const { log } = this.#options;
    const known = log?.nextLoss() ?? null;
    if (known !== null) {
      this.trials++;
      return known;
    }
    const [train, held] = foldOf(this.#rows, fold, FOLDS);
    const eta = this.#options.fixed.eta ?? SEARCH_ETA;
    const boosting = new Boosting(this.#task, { ...settings, eta }, train, held, this.#options.seed + fold);
    this.trials++;
    while (boosting.rounds < SEARCH_ROUNDS && boosting.rounds - boosting.bestRound < SEARCH_PATIENCE) {
      boosting.round();
      yield { phase, share, trial: this.trials, loss: boosting.bestLoss };
    }
    log?.noteLoss(boosting.bestLoss);
    return boosting.bestLoss;
  }
}

const lossOn = ({ losses }: Trial, folds: number): number =>
  losses.slice(0, folds).reduce((sum, loss) => sum + loss, 0) / Math.min(folds, losses.length);

/**
 * Whether a trial is better than another by more than folds differ (four standard errors of the differences): of few
 * rows the best of many trials is mostly the luckiest.
 */
function isClearlyBetter(a: Trial, b: Trial): boolean {
  const differences = a.losses.map((loss, fold) => b.losses[fold]! - loss);
  const mean = differences.reduce((sum, one) => sum + one, 0) / differences.length;
  const variance = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / Math.max(1, differences.length - 1);
  return mean > 4 * Math.sqrt(variance / differences.length);
}

function bestOf(trials: readonly Trial[]): Trial {
  return trials.reduce((best, trial) => (lossOn(trial, FOLDS) < lossOn(best, FOLDS) ? trial : best));
}

/** Members of a model: the fewer rows there are, the more of them, since the more they differ. */
function membersOf(rows: number): number {
  if (rows < 1000) return 8;
  return rows < 50_000 ? 3 : 1;
}

/** Trains the members of a model one after the other, and ends all after the round that is best in the mean. */
function* finalTraining(
  task: BoostTask,
  order: Int32Array,
  options: TrainOptions,
  best: Trial,
  trials: number,
  draw: Draws,
): Generator<TrainProgress, TrainedTrees> {
  const { outputs } = task.loss;
  const wanted = Math.floor(options.treesMost / outputs / ROUNDS_LEAST);
  const count = Math.max(1, Math.min(membersOf(order.length), wanted));
  const roundsMost = Math.max(1, Math.min(FINAL_ROUNDS, Math.floor(options.treesMost / count / outputs)));
  // Few trees must each do more.
  const eta = Math.min(ETA_MOST, FINAL_ETA * Math.max(1, ROUNDS_WANTED / roundsMost));
  const settings = { ...best.settings, eta: options.fixed.eta ?? eta };
  const folds = Math.min(5, Math.max(2, Math.floor(order.length / 2)));
  const members: Member[] = [];
  let own = order;
  for (let i = 0; i < count; i++) {
    if (i > 0 && i % folds === 0) own = shuffle(own.slice(), draw);
    const holdsOut = options.stopsEarly && order.length >= 10;
    const [train, held] = holdsOut ? foldOf(own, i % folds, folds) : [own, new Int32Array(0)];
    const boosting = new Boosting(task, settings, train, held, options.seed + 101 * (i + 1));
    while (boosting.rounds < roundsMost && boosting.rounds - boosting.bestRound < FINAL_PATIENCE) {
      const known = options.log?.nextRound() ?? null;
      const trees = boosting.round(known);
      if (known === null) options.log?.noteRound(trees);
      const share = (i + boosting.rounds / roundsMost) / count;
      yield { phase: 'final_training', share, trial: trials, loss: boosting.bestLoss };
    }
    members.push({ boosting, held });
  }
  const { rounds, loss } = bestRound(members);
  return joined(task, members, settings, { rounds, loss, trials });
}

/** A member of a model, and the rows that it was trained without. */
interface Member {
  readonly boosting: Boosting;
  readonly held: Int32Array;
}

/**
 * The number of rounds: the latest whose mean loss is not clearly more than the least one (a standard error of the
 * differences between members), since the mean of members errs less by training on than each of them. A member that
 * ended before keeps the loss of its end.
 */
function bestRound(members: readonly Member[]): { rounds: number; loss: number } {
  const most = Math.max(...members.map(({ boosting }) => boosting.rounds));
  if (members.some(({ held }) => held.length === 0)) return { rounds: most, loss: 0 };
  const lossesAt = (round: number): number[] =>
    members.map(({ boosting }) => boosting.losses[Math.min(round, boosting.rounds - 1)]!);
  const means = Array.from({ length: most }, (_, round) => meanOf(lossesAt(round)));
  const least = means.indexOf(Math.min(...means));
  const base = lossesAt(least);
  // What few members differ by says little.
  for (let round = members.length < MEMBERS_COMPARED ? least : most - 1; round > least; round--) {
    const differences = lossesAt(round).map((loss, i) => loss - base[i]!);
    const mean = meanOf(differences);
    const variance = meanOf(differences.map((one) => (one - mean) ** 2));
    if (mean <= Math.sqrt(variance / members.length)) return { rounds: round + 1, loss: means[round]! };
  }
  return { rounds: least + 1, loss: means[least]! };
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

function joined(
  task: BoostTask,
  members: readonly Member[],
  settings: BoostSettings,
  { rounds, loss, trials }: { rounds: number; loss: number; trials: number },
): TrainedTrees {
  const start = new Float64Array(task.loss.outputs);
  const trees: BoostedTree[] = [];
  const heldScores = new HeldScores(task.loss.outputs, task.table.rows);
  for (const { boosting, held } of members) {
    for (const { tree, output, factor } of boosting.treesOf(rounds))
      trees.push({ tree, output, factor: factor / members.length });
    boosting.start.forEach((value, k) => (start[k] = start[k]! + value / members.length));
    heldScores.add(held, boosting.scoresAfter(rounds));
  }
  return { start, trees, settings, loss, trials, rounds, heldScores: heldScores.means() };
}

/** Means of the scores of rows that members were trained without. */
class HeldScores {
  readonly #sums: readonly Float64Array[];
  readonly #counts: Float64Array;

  constructor(outputs: number, rows: number) {
    this.#sums = Array.from({ length: outputs }, () => new Float64Array(rows));
    this.#counts = new Float64Array(rows);
  }

  add(rows: Int32Array, scores: readonly Float64Array[]): void {
    for (const row of rows) {
      this.#counts[row]!++;
      this.#sums.forEach((own, k) => (own[row] = own[row]! + scores[k]![row]!));
    }
  }

  /** Of a row without scores 0 / 0. */
  means(): readonly Float64Array[] {
    return this.#sums.map((own) => own.map((sum, row) => sum / this.#counts[row]!));
  }
}
