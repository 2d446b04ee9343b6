import type { ByteReader, ByteWriter } from '@shoal/codec';
import type { Gather } from '../functions/gather.js';
import { SERIES, WINDOW_MEAN } from '../series/constants.js';
import type { Outlook } from '../series/outlook.js';
import { type Judgement, newJudgement } from '../series/series-model.js';
import { seriesShape, type SeriesShape } from '../series/shape.js';
import { SeriesSlab } from '../series/slab.js';
import {
  type DetectorBucket,
  type DetectorSpec,
  type Finding,
  type Judge,
  type Plotter,
  RARITY_LEAST,
  type RuleVerdict,
  type SeriesChange,
} from './detector.js';
import { rarityOf } from './score.js';

/** Share of a bucket that the usual number of values and the usual value learn. */
const USUAL_RATE = 0.02;
/** Usual changes around what is expected in which 95 % of values lie: 1.96 deviations, each 1.25 mean distances. */
const BOUND = 1.96 * 1.25;
/** Changes of models that are told between two times they are taken; further ones are not. */
const CHANGES_MAX = 1000;

/** A distance in usual changes of which a logarithm is to be had. */
const within = (distance: number): number => Math.max(-1e300, Math.min(1e300, distance));

type SeriesCall = (series: number, actual: number, modelled: number, count: number) => void;

/** Judges each series by its own past (series/README). */
export class SeriesJudge implements Judge {
  readonly #spec: DetectorSpec;
  readonly #shape: SeriesShape;
  #slab: SeriesSlab;
  /** Number in the slab of each series of the detector, and how many values a bucket has and where they usually lie. */
  #numbers = new Int32Array(16).fill(-1);
  #usualCount = new Float32Array(16);
  #usualValue = new Float64Array(16);
  readonly #out: Judgement = newJudgement();
  #changes: SeriesChange[] = [];

  constructor(spec: DetectorSpec, spanS: number) {
    this.#spec = spec;
    this.#shape = seriesShape(spanS);
    this.#slab = new SeriesSlab(this.#shape, SERIES);
  }

  get bytes(): number {
    return this.#slab.bytes + this.#numbers.byteLength + this.#usualCount.byteLength + this.#usualValue.byteLength;
  }

  get reservedBytes(): number {
    return this.#slab.reservedBytes;
  }

  set roomBytes(bytes: number) {
    this.#slab.roomBytes = bytes;
  }

  takeRefused(): number {
    const { refused } = this.#slab;
    this.#slab.refused = 0;
    return refused;
  }

  step(bucket: DetectorBucket, verdict: RuleVerdict, report: (finding: Finding) => void, plotter?: Plotter): void {
    if (plotter !== undefined) this.#plot(bucket, plotter);
    const hasRules = this.#spec.rules.length > 0;
    this.#each(bucket, (series, actual, modelled, count) => {
      const { side, isAmount } = this.#spec.function;
      const number = this.#numberOf(series);
      let isReported = true;
      if (hasRules) {
        this.#slab.peek(number, bucket.time, modelled, side, isAmount, this.#out);
        const { report: reports, learn } = verdict(series, actual, this.#typical(count));
        isReported = reports;
        if (!learn) {
          if (reports) this.#report(series, number, actual, count, report);
          return;
        }
      }
      this.#slab.judge(number, bucket.time, modelled, side, isAmount, this.#out);
      if (this.#out.event !== 'none') this.#noteChange(series, number);
      if (isReported) this.#report(series, number, actual, count, report);
    });
  }

  /** Tells what the series are expected to be in a bucket that is not learnt yet. */
  #plot(bucket: DetectorBucket, plotter: Plotter): void {
    for (const series of bucket.all()) {
      const number = series < this.#numbers.length ? this.#numbers[series]! : -1;
      if (number < 0 || !plotter.wants(bucket.splits(series))) continue;
      const next = this.#slab.nextAt(number, bucket.time);
      if (Number.isNaN(next)) continue;
      const gather = bucket.gathered.get(series);
      const count = gather?.count ?? this.#usualCount[series]!;
      const least = this.#spec.function.isAmount ? 0 : Number.NEGATIVE_INFINITY;
      const width = BOUND * this.#slab.changeOf(number);
      const [lower, median, upper] = [next - width, next, next + width].map((x) =>
        Math.max(least, this.#actual(x, count)),
      );
      const actual = gather?.value() ?? (this.#spec.function.countsEmpty ? 0 : Number.NaN);
      const known = Number.isFinite(actual) ? actual : null;
      plotter.plot({ series, lower: lower!, median: median!, upper: upper!, actual: known });
    }
  }

  /** An open bucket may still grow: amounts are judged for being too high only. */
  peek(bucket: DetectorBucket, report: (finding: Finding) => void): void {
    const { side, isAmount } = this.#spec.function;
    if (isAmount && side < 0) return;
    for (const [series, gather] of bucket.gathered) {
      const actual = gather.value();
      const number = series < this.#numbers.length ? this.#numbers[series]! : -1;
      if (!Number.isFinite(actual) || number < 0) continue;
      const modelled = this.#modelled(series, bucket.time, actual, gather);
      this.#slab.peek(number, bucket.time, modelled, isAmount ? 1 : side, isAmount, this.#out);
      if (isAmount && actual < this.#typical(gather.count)) continue;
      this.#report(series, number, actual, gather.count, report);
    }
  }

  takeChanges(): SeriesChange[] {
    const changes = this.#changes;
    this.#changes = [];
    return changes;
  }

  countEvents(series: number, surprise: number, times: number): boolean {
    const number = series < this.#numbers.length ? this.#numbers[series]! : -1;
    return number >= 0 && this.#slab.countEvents(number, surprise, times);
  }

  #noteChange(series: number, number: number): void {
    const { event, jump } = this.#out;
    if (event === 'none' || this.#changes.length >= CHANGES_MAX) return;
    const amount = event === 'shift' ? jump : this.#slab.periodOf(number);
    this.#changes.push({ series, kind: event, amount });
  }

  remove(series: number): void {
    if (series >= this.#numbers.length || this.#numbers[series]! < 0) return;
    this.#slab.remove(this.#numbers[series]!);
    this.#numbers[series] = -1;
  }

  /**
   * Forecast of a series for the bucket at `time`, `steps` buckets after the last one; null while it is unknown.
   */
  forecast(series: number, time: number, steps: number): Outlook | null {
    const number = series < this.#numbers.length ? this.#numbers[series]! : -1;
    if (number < 0) return null;
    const outlook = this.#slab.outlookAt(number, time, steps, this.#spec.function.isAmount);
    if (outlook === null) return null;
    const count = this.#usualCount[series]!;
    const actual = (modelled: number) => this.#actual(modelled, count);
    return { value: actual(outlook.value), lower: actual(outlook.lower), upper: actual(outlook.upper) };
  }

  periodOf(series: number): number {
    const number = series < this.#numbers.length ? this.#numbers[series]! : -1;
    return number < 0 ? 0 : this.#slab.periodOf(number);
  }

  encode(out: ByteWriter): void {
    this.#slab.encode(out);
    out.varint(this.#numbers.length);
    for (let i = 0; i < this.#numbers.length; i++) {
      out.varint(this.#numbers[i]! + 1);
      out.f32(this.#usualCount[i]!);
      out.f64(this.#usualValue[i]!);
    }
  }

  decode(from: ByteReader): void {
    this.#slab = SeriesSlab.decode(this.#shape, SERIES, from);
    const length = from.varint();
    this.#numbers = new Int32Array(length);
    this.#usualCount = new Float32Array(length);
    this.#usualValue = new Float64Array(length);
    for (let i = 0; i < length; i++) {
      this.#numbers[i] = from.varint() - 1;
      this.#usualCount[i] = from.f32();
      this.#usualValue[i] = from.f64();
    }
  }

  /** Calls back for each series with a value in the bucket: as it is reported, and as the model judges it. */
  #each(bucket: DetectorBucket, call: SeriesCall): void {
    const { countsEmpty } = this.#spec.function;
    for (const series of countsEmpty ? bucket.all() : bucket.gathered.keys()) {
      const gather = bucket.gathered.get(series);
      const actual = gather === undefined ? 0 : gather.value();
      if (!Number.isFinite(actual)) continue;
      this.#reserve(series);
      const modelled = gather === undefined ? actual : this.#modelled(series, bucket.time, actual, gather);
      call(series, actual, modelled, gather?.count ?? 0);
      if (gather !== undefined) this.#learnUsual(series, actual, gather.count);
    }
  }

  /**
   * A mean of fewer values than usual varies more, by the root of their number, and so counts for less. Variances are
   * judged by their cube root, which is nearly normal (Wilson and Hilferty, 1931), the length of texts by the root of
   * their number.
   */
  #modelled(series: number, time: number, actual: number, gather: Gather): number {
    const { measure } = this.#spec.function;
    if (measure === 'varp') return Math.cbrt(actual);
    if (measure === 'infoContent') return actual / Math.sqrt(Math.max(1, gather.count));
    if (measure !== 'mean' && measure !== 'median') return actual;
    const usual = this.#usualCount[series]!;
    if (!(usual > 0) || gather.count >= usual) return actual;
    return this.#meanOfFew(series, time, actual, Math.sqrt(gather.count / usual));
  }

  /**
   * One long duration makes the mean of few far larger than anything that is wrong with many. So what is far from the
   * expectation counts by its logarithm there, before it counts for `share` of that.
   */
  #meanOfFew(series: number, time: number, actual: number, share: number): number {
    const number = this.#numbers[series]!;
    const next = number < 0 ? Number.NaN : this.#slab.nextAt(number, time);
    if (!Number.isFinite(next)) {
      const level = this.#usualValue[series]!;
      return level + (actual - level) * share;
    }
    const size = this.#slab.changeOf(number);
    const off = actual - next;
    return next + share * (size > 0 ? size * Math.asinh(within(off / size)) : off);
  }

  /** What is reported for a modelled value; `count`: values of the bucket, or as many as usual. */
  #actual(modelled: number, count: number): number {
    const { measure } = this.#spec.function;
    if (measure === 'infoContent') return modelled * Math.sqrt(Math.max(1, count));
    return measure === 'varp' ? Math.max(0, modelled) ** 3 : modelled;
  }

  #typical(count: number): number {
    const typical = this.#actual(this.#out.typical, count);
    return this.#spec.function.isAmount ? Math.max(0, typical) : typical;
  }

  #learnUsual(series: number, actual: number, count: number): void {
    const before = this.#usualCount[series]!;
    if (before === 0) this.#usualValue[series] = actual;
    const share = Math.min(1, count / Math.max(1, before));
    this.#usualValue[series] =
      this.#usualValue[series]! + 5 * USUAL_RATE * share * (actual - this.#usualValue[series]!);
    this.#usualCount[series] = before === 0 ? count : before + USUAL_RATE * (count - before);
  }

  #report(series: number, number: number, actual: number, count: number, report: (finding: Finding) => void): void {
    const { surprise, surprises } = this.#out;
    const rarity = rarityOf(surprise);
    if (rarity < RARITY_LEAST) return;
    const typical = this.#typical(count);
    const alone = Math.max(...surprises.filter((_, part) => part !== WINDOW_MEAN));
    const window = surprises[WINDOW_MEAN]!;
    report({
      series,
      rarity,
      probability: 10 ** -Math.min(300, Math.max(surprise, this.#out.fused)),
      typical: [typical],
      actual: [actual],
      multiBucket: Math.max(-5, Math.min(5, 5 * Math.log10((window + 0.1) / (alone + 0.1)))),
      usualChange: this.#slab.changeOf(number),
      isSpike: actual >= typical,
      periodS: this.#slab.periodOf(number),
      part: surprises.indexOf(Math.max(...surprises)),
      hasStates: this.#slab.hasStates(number),
    });
  }

  #numberOf(series: number): number {
    if (this.#numbers[series]! < 0) this.#numbers[series] = this.#slab.add();
    return this.#numbers[series]!;
  }

  #reserve(series: number): void {
    if (series < this.#numbers.length) return;
    const length = Math.max(2 * this.#numbers.length, series + 1);
    const numbers = new Int32Array(length).fill(-1);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
    const counts = new Float32Array(length);
    counts.set(this.#usualCount);
    this.#usualCount = counts;
    const values = new Float64Array(length);
    values.set(this.#usualValue);
    this.#usualValue = values;
  }
}
