import { type ByteReader, type ByteWriter, murmur3 } from '@shoal/codec';
import { PLAIN, SERIES } from '../series/constants.js';
import { openRecord, type SeriesRecord } from '../series/layout.js';
import { seriesShape } from '../series/shape.js';
import { learnDeviation, surpriseOf } from '../series/surprise.js';
import {
  type DetectorBucket,
  type DetectorSpec,
  type Finding,
  type Judge,
  RARITY_LEAST,
  type RuleVerdict,
} from './detector.js';

/** Observations before a population judges, and the rate at which its centre moves. */
const TAIL = { ...SERIES.tail, least: 100 };
const CENTRE_RATE = 0.002;

/** One population: the distribution of the values of all its members, on a logarithmic scale. */
interface Population {
  readonly record: SeriesRecord;
  centre: number;
  seen: number;
}

/** A value that a population learns, with the member that has it. */
interface LearntValue {
  readonly population: Population;
  readonly x: number;
  readonly member: string;
  readonly order: number;
}

/**
 * The members of a bucket are learnt in an order of their names, neither of their values nor of their documents: of
 * documents of the same millisecond, and of sums of columns, nobody knows which one came first.
 */
const inOrder = (a: LearntValue, b: LearntValue): number =>
  a.order - b.order || (a.member < b.member ? -1 : Number(a.member > b.member));

/** Judges members of a population by their peers: one distribution for each partition and value of the by field. */
export class PopulationJudge implements Judge {
  readonly #spec: DetectorSpec;
  readonly #form;
  readonly #populations = new Map<string, Population>();

  constructor(spec: DetectorSpec, spanS: number) {
    this.#spec = spec;
    this.#form = seriesShape(spanS).form(0);
  }

  get bytes(): number {
    return this.#populations.size * (this.#form.bytes + 200);
  }

  step(bucket: DetectorBucket, verdict: RuleVerdict, report: (finding: Finding) => void): void {
    const learnt: LearntValue[] = [];
    this.#each(bucket, (series, population, actual, x) => {
      const finding = this.#judge(series, population, actual, x);
      const { report: reports, learn } = verdict(series, actual, linear(population.centre));
      if (finding !== null && reports) report(finding);
      if (!learn) return;
      const member = bucket.splits(series).over ?? '';
      learnt.push({ population, x, member, order: murmur3(member, 0) });
    });
    for (const { population, x } of learnt.sort(inOrder)) learnValue(population, x);
  }

  peek(bucket: DetectorBucket, report: (finding: Finding) => void): void {
    if (this.#spec.function.side < 0) return;
    this.#each(bucket, (series, population, actual, x) => {
      const finding = this.#judge(series, population, actual, x);
      if (finding?.isSpike === true) report(finding);
    });
  }

  remove(): void {
    // Members leave no trace of their own.
  }

  encode(out: ByteWriter): void {
    out.varint(this.#populations.size);
    for (const [key, { record, centre, seen }] of this.#populations) {
      out.string(key);
      out.f64(centre);
      out.f64(seen);
      out.raw(record.bytes);
    }
  }

  decode(from: ByteReader): void {
    for (let n = from.varint(); n > 0; n--) {
      const population = this.#population(from.string());
      population.centre = from.f64();
      population.seen = from.f64();
      population.record.bytes.set(from.raw(this.#form.bytes));
    }
  }

  #population(key: string): Population {
    let population = this.#populations.get(key);
    if (population === undefined) {
      const record = openRecord(this.#form, new ArrayBuffer(this.#form.bytes), 0);
      this.#populations.set(key, (population = { record, centre: 0, seen: 0 }));
    }
    return population;
  }

  #each(
    bucket: DetectorBucket,
    call: (series: number, population: Population, actual: number, x: number) => void,
  ): void {
    const isContent = this.#spec.function.measure === 'infoContent';
    for (const [series, gather] of bucket.gathered) {
      const actual = gather.value();
      if (!Number.isFinite(actual)) continue;
      const { partition, by } = bucket.splits(series);
      const population = this.#population(`${partition ?? ''}\u0000${by ?? ''}`);
      const value = isContent ? actual / Math.sqrt(Math.max(1, gather.count)) : actual;
      call(series, population, actual, logarithmic(value));
    }
  }

  #judge(series: number, { record, centre, seen }: Population, actual: number, x: number): Finding | null {
    if (seen === 0) return null;
    const surprise = surpriseOf(record, PLAIN, x - centre, this.#spec.function.side, TAIL);
    if (surprise < RARITY_LEAST) return null;
    return {
      series,
      rarity: surprise,
      probability: 10 ** -Math.min(300, surprise),
      typical: [linear(centre)],
      actual: [actual],
      multiBucket: -5,
      usualChange: 0,
      isSpike: x >= centre,
    };
  }
}

const logarithmic = (value: number): number => Math.sign(value) * Math.log1p(Math.min(1e300, Math.abs(value)));
const linear = (x: number): number => Math.sign(x) * Math.expm1(Math.abs(x));

function learnValue(population: Population, x: number): void {
  const rate = Math.max(1 / (population.seen + 1), CENTRE_RATE);
  population.centre += population.seen === 0 ? x : rate * (x - population.centre);
  population.seen++;
  learnDeviation(population.record, PLAIN, x - population.centre, 1, SERIES.tail.memory, TAIL);
}
