/** Least-squares lines over stretches of a series, each in constant time after one pass. */

/** A line through values, and what it leaves unexplained. */
export interface Line {
  readonly slope: number;
  readonly intercept: number;
  /** Sum of squared residuals. */
  readonly rest: number;
}

/** Sums of a series, with which lines over any stretch are fitted. Positions are counted from the middle. */
export class Fits {
  readonly #values: Float64Array;
  readonly #sums: Float64Array;
  readonly #squares: Float64Array;
  readonly #products: Float64Array;
  readonly #middle: number;

  constructor(values: readonly number[]) {
    const n = values.length;
    const mean = n === 0 ? 0 : values.reduce((sum, value) => sum + value / n, 0);
    this.#middle = (n - 1) / 2;
    this.#values = Float64Array.from(values, (value) => value - mean);
    this.#sums = new Float64Array(n + 1);
    this.#squares = new Float64Array(n + 1);
    this.#products = new Float64Array(n + 1);
    this.#values.forEach((value, i) => {
      this.#sums[i + 1] = this.#sums[i]! + value;
      this.#squares[i + 1] = this.#squares[i]! + value * value;
      this.#products[i + 1] = this.#products[i]! + value * (i - this.#middle);
    });
  }

  /** What is left of a stretch less its mean. */
  constant(from: number, to: number): Line {
    const n = to - from;
    const sum = this.#sums[to]! - this.#sums[from]!;
    const squares = this.#squares[to]! - this.#squares[from]!;
    return { slope: 0, intercept: sum / n, rest: clean(squares - (sum * sum) / n, squares) };
  }

  /** What is left of a stretch less its line. */
  line(from: number, to: number): Line {
    const n = to - from;
    const flat = this.constant(from, to);
    const centre = (from + to - 1) / 2 - this.#middle;
    const spread = (n * (n * n - 1)) / 12;
    const sum = this.#sums[to]! - this.#sums[from]!;
    const product = this.#products[to]! - this.#products[from]! - centre * sum;
    if (spread === 0) return flat;
    const slope = product / spread;
    const squares = this.#squares[to]! - this.#squares[from]!;
    return { slope, intercept: flat.intercept - slope * centre, rest: clean(flat.rest - slope * product, squares) };
  }

  /** Residuals of a stretch from a line. */
  residuals(line: Line, from: number, to: number): Float64Array {
    return this.#values
      .subarray(from, to)
      .map((value, i) => value - line.intercept - line.slope * (from + i - this.#middle));
  }
}

/** Differences of nearly equal sums are rounding. */
const clean = (rest: number, of: number): number => (rest <= 1e-12 * of ? 0 : rest);
