import type { GrownTree } from './grow.js';

/** What a training has done: losses of the settings that it tried, and the trees of each round of its model. */
export interface TrainingEntries {
  readonly losses: readonly number[];
  readonly rounds: readonly (readonly GrownTree[])[];
}

/** Entries with the numbers of the first ones. */
export interface TrainingBatch extends TrainingEntries {
  /** The task that they were trained for. */
  readonly task: string;
  readonly fromLoss: number;
  readonly fromRound: number;
}

/**
 * Version of the trainer. It rises with each change after which the same task tries other settings, or grows other
 * trees: what was trained before is then trained again.
 */
export const TRAINER_VERSION = 1;

/**
 * Remembers what was expensive in a training. The same training with the entries of an earlier one takes losses and
 * trees from them as far as they go, so that it comes to the same point in little time, and to the same model.
 */
export class TrainingLog {
  /** Names the task: its table, its options and the version of the trainer. */
  readonly #task: string;
  readonly #losses: number[] = [];
  readonly #rounds: (readonly GrownTree[])[] = [];
  #nextLoss = 0;
  #nextRound = 0;
  /** Numbers of the entries that were taken. */
  #taken = { losses: 0, rounds: 0 };

  constructor(task: string) {
    this.#task = task;
  }

  /**
   * Adds entries of an earlier training. Returns false, and adds none, if they are of another task or do not follow
   * those that are there.
   */
  restore({ task, losses, rounds, fromLoss, fromRound }: TrainingBatch): boolean {
    if (task !== this.#task) return false;
    if (fromLoss !== this.#losses.length || fromRound !== this.#rounds.length) return false;
    this.#losses.push(...losses);
    this.#rounds.push(...rounds);
    this.#taken = { losses: this.#losses.length, rounds: this.#rounds.length };
    return true;
  }

  /** The loss of the next settings that are tried; null if it is not known. */
  nextLoss(): number | null {
    return this.#nextLoss < this.#losses.length ? this.#losses[this.#nextLoss++]! : null;
  }

  noteLoss(loss: number): void {
    this.#losses.push(loss);
    this.#nextLoss++;
  }

  /** The trees of the next round; null if they are not known. */
  nextRound(): readonly GrownTree[] | null {
    return this.#nextRound < this.#rounds.length ? this.#rounds[this.#nextRound++]! : null;
  }

  noteRound(trees: readonly GrownTree[]): void {
    this.#rounds.push(trees);
    this.#nextRound++;
  }

  /** Entries since the last call, or since they were restored; null for none. */
  take(): TrainingBatch | null {
    const { losses: fromLoss, rounds: fromRound } = this.#taken;
    const losses = this.#losses.slice(fromLoss);
    const rounds = this.#rounds.slice(fromRound);
    if (losses.length === 0 && rounds.length === 0) return null;
    this.#taken = { losses: this.#losses.length, rounds: this.#rounds.length };
    return { task: this.#task, losses, rounds, fromLoss, fromRound };
  }
}
