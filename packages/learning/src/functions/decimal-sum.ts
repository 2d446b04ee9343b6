/** Parts of one that are added as whole numbers: decimal numbers of up to six digits behind the point. */
const UNIT = 1e6;
/** Whole numbers below it are exact, also after one is added to another one. */
const EXACT_MAX = 2 ** 52;
/** By how much, relative to itself, a decimal number may be off: a sum of sums of shards is rounded several times. */
const ROUNDING = 4 * Number.EPSILON;

/** The exact part in millionths, and the rest. */
export type DecimalSumJson = [units: number, rest: number];

/**
 * A sum that does not depend on the order of additions, or on which values were added up before, while values have at
 * most six digits behind the point: they are added as whole numbers of millionths. Others are added as they are. So a
 * bucket has the same mean, to the last bit, whether its documents are added or the sums of its columns.
 */
export class DecimalSum {
  #units = 0;
  #rest = 0;

  get value(): number {
    return this.#rest === 0 ? this.#units / UNIT : this.#units / UNIT + this.#rest;
  }

  add(x: number): void {
    const units = Math.round(x * UNIT);
    const isDecimal = Math.abs(units) < EXACT_MAX && Math.abs(units / UNIT - x) <= ROUNDING * Math.abs(x);
    if (isDecimal) this.#addUnits(units);
    else this.#rest += x;
  }

  merge(other: DecimalSum): void {
    this.#addUnits(other.#units);
    this.#rest += other.#rest;
  }

  toJson(): DecimalSumJson {
    return [this.#units, this.#rest];
  }

  /** Reads what `toJson` wrote, or the plain sum of an earlier version. */
  restore(kept: number | DecimalSumJson): void {
    if (typeof kept === 'number') this.add(kept);
    else [this.#units, this.#rest] = kept;
  }

  #addUnits(units: number): void {
    this.#units += units;
    if (Math.abs(this.#units) < EXACT_MAX) return;
    this.#rest += this.#units / UNIT;
    this.#units = 0;
  }
}
