/** Sums of the errors of predictions, a pair at a time. */
export class RegressionErrors {
  readonly #offset: number;
  readonly #delta: number;
  #count = 0;
  #squares = 0;
  #logSquares = 0;
  #huber = 0;
  #mean = 0;
  #variance = 0;

  /** `offset`: of `msle`; `delta`: of `huber`. */
  constructor(offset: number, delta: number) {
    this.#offset = offset;
    this.#delta = delta;
  }

  add(actual: number, predicted: number): void {
    const error = actual - predicted;
    this.#count++;
    this.#squares += error * error;
    this.#logSquares += (Math.log(actual + this.#offset) - Math.log(predicted + this.#offset)) ** 2;
    this.#huber += this.#delta ** 2 * (Math.sqrt(1 + (error / this.#delta) ** 2) - 1);
    // Variance without cancellation (Welford 1962).
    const before = actual - this.#mean;
    this.#mean += before / this.#count;
    this.#variance += before * (actual - this.#mean);
  }

  get count(): number {
    return this.#count;
  }

  /** Values of the metrics by their names. */
  values(): Readonly<Record<'mse' | 'msle' | 'huber' | 'r_squared', number>> {
    return {
      mse: this.#squares / this.#count,
      msle: this.#logSquares / this.#count,
      huber: this.#huber / this.#count,
      r_squared: this.#variance === 0 ? 0 : 1 - this.#squares / this.#variance,
    };
  }
}
