import type { ByteReader, ByteWriter } from '@shoal/codec';
import type { DetectorFunction } from '../functions/catalogue.js';
import type { Gather } from '../functions/gather.js';

/** A condition of a rule. */
export interface RuleCondition {
  readonly appliesTo: 'actual' | 'typical' | 'diff_from_typical' | 'time';
  readonly operator: 'gt' | 'gte' | 'lt' | 'lte';
  readonly value: number;
}

/** A rule of a detector: what happens to results that it matches. */
export interface DetectorRule {
  readonly skipsResult: boolean;
  readonly skipsUpdate: boolean;
  /** Values of split fields, and whether they have to be among `items` or not. */
  readonly scope: readonly {
    readonly field: string;
    readonly includes: boolean;
    readonly items: ReadonlySet<string>;
  }[];
  readonly conditions: readonly RuleCondition[];
}

/** A detector of a job. */
export interface DetectorSpec {
  readonly function: DetectorFunction;
  readonly field: string | null;
  readonly by: string | null;
  readonly over: string | null;
  readonly partition: string | null;
  readonly useNull: boolean;
  readonly excludeFrequent: 'none' | 'all' | 'by' | 'over';
  readonly rules: readonly DetectorRule[];
}

/** Values of the split fields of a series; null where the detector has no such field. */
export interface SplitValues {
  readonly partition: string | null;
  readonly by: string | null;
  readonly over: string | null;
}

/** The documents of one bucket that a detector got, by series. */
export interface DetectorBucket {
  /** Seconds of its start. */
  readonly time: number;
  readonly gathered: ReadonlyMap<number, Gather>;
  /** Splits of a series. */
  splits(series: number): SplitValues;
  /** Numbers of all series that the detector knows and that are not forgotten. */
  all(): Iterable<number>;
}

/** A value that a judge found surprising. */
export interface Finding {
  readonly series: number;
  /** -log10 of how often one quiet series shows as much, in buckets. */
  readonly rarity: number;
  readonly probability: number;
  readonly typical: readonly number[];
  readonly actual: readonly number[];
  /** -5 (one bucket alone) to 5 (many buckets together). */
  readonly multiBucket: number;
  /** Largest change that is usual from bucket to bucket; 0 if it is not known. */
  readonly usualChange: number;
  readonly isSpike: boolean;
  /** Seconds of the season in use; 0 and absent for none. */
  readonly periodS?: number;
  /** Which deviation of the series was the most surprising one (`PARTS`). */
  readonly part?: number;
  /** Whether the series has a few fixed levels. */
  readonly hasStates?: boolean;
  /** Whether the value of the by field came for the first time. */
  readonly isFirst?: boolean;
}

/** A change of the model of a series. `amount`: seconds of the period in use, or by how much the level jumped. */
export interface SeriesChange {
  readonly series: number;
  readonly kind: 'season' | 'noSeason' | 'shift';
  readonly amount: number;
}

/** Whether a finding is reported and whether its value is learnt, by the rules of the detector. */
export type RuleVerdict = (series: number, actual: number, typical: number) => { report: boolean; learn: boolean };

/** What was expected of a series in a bucket, before the bucket was learnt; `actual` null without a value. */
export interface Expectation {
  readonly series: number;
  readonly actual: number | null;
  readonly lower: number;
  readonly median: number;
  readonly upper: number;
}

/** Whom a judge tells what it expected, and of which series. */
export interface Plotter {
  wants(splits: SplitValues): boolean;
  plot(expectation: Expectation): void;
}

/** Judges the buckets of a detector; buckets come in order. */
export interface Judge {
  /** Judges and learns a bucket. */
  step(bucket: DetectorBucket, verdict: RuleVerdict, report: (finding: Finding) => void, plotter?: Plotter): void;
  /** Judges a bucket that is not complete, and learns nothing. */
  peek(bucket: DetectorBucket, report: (finding: Finding) => void): void;
  /** Forgets a series. */
  remove(series: number): void;
  /**
   * Counts events of a series as if there had been `times` more as surprising, so that the next one is worth less; of
   * judges that remember events. Returns whether the series is known.
   */
  countEvents?(series: number, surprise: number, times: number): boolean;
  /** Changes of models since they were taken last; of judges that have such models. */
  takeChanges?(): SeriesChange[];
  readonly bytes: number;
  /** Bytes that its series will need to be judged at all; of judges whose series grow with their age. */
  readonly reservedBytes?: number;
  /** Bytes by which its series may grow in the next bucket; of judges whose series grow with their age. */
  roomBytes?: number;
  /** Times that a series did not grow, because there was no room, since they were taken last; of such judges. */
  takeRefused?(): number;
  encode(out: ByteWriter): void;
  decode(from: ByteReader): void;
}

/** Surprises below it are no records: one bucket in thirty shows as much. */
export const RARITY_LEAST = 1.5;
