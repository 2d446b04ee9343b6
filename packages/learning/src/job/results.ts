import type { ScoreMove } from './normaliser.js';
import type { SplitValues } from './detector.js';

/** Values of an influencer field that a record names. */
export interface NamedInfluencer {
  readonly field: string;
  readonly values: readonly string[];
}

/** Deviations of a series that are judged, in their order. */
export const DEVIATIONS = ['change', 'level', 'windowMean', 'windowSpread', 'value'] as const;
export type DeviationName = (typeof DEVIATIONS)[number];

/** A record: what one series showed in a bucket. */
export interface RecordResult {
  readonly detector: number;
  readonly splits: SplitValues;
  readonly rarity: number;
  readonly score: number;
  /** What the score is worth beside the other results of its kind. */
  readonly ranked: number;
  readonly probability: number;
  readonly typical: readonly number[];
  readonly actual: readonly number[];
  readonly multiBucket: number;
  readonly usualChange: number;
  readonly isSpike: boolean;
  /** Seconds of the season in use; 0 for none. */
  readonly periodS: number;
  /** Most surprising deviation of the series; null where the model has none. */
  readonly part: DeviationName | null;
  readonly hasStates: boolean;
  readonly isFirst: boolean;
  readonly influencers: readonly NamedInfluencer[];
}

/** An influencer of a bucket. */
export interface InfluencerResult {
  readonly field: string;
  readonly value: string;
  readonly score: number;
  readonly ranked: number;
  readonly rarity: number;
  readonly probability: number;
}

/** A change of the model of a series that explains how it judges from here on. */
export interface ModelChange {
  readonly detector: number;
  readonly splits: SplitValues;
  /** A season took over or was given up, or the level jumped. */
  readonly kind: 'season' | 'noSeason' | 'shift';
  /** Seconds of the period of the season in use; by how much the level jumped. */
  readonly amount: number;
}

/** What a series was expected to be in a bucket, and was. */
export interface PlotPoint {
  readonly detector: number;
  readonly splits: SplitValues;
  readonly actual: number | null;
  readonly lower: number;
  readonly median: number;
  readonly upper: number;
}

/** Result of a bucket. */
export interface BucketResult {
  /** Seconds of its start. */
  readonly time: number;
  readonly events: number;
  readonly score: number;
  readonly ranked: number;
  readonly rarity: number;
  readonly probability: number;
  readonly isInterim: boolean;
  readonly records: readonly RecordResult[];
  readonly influencers: readonly InfluencerResult[];
  /** Descriptions of calendar events that the bucket lies in. */
  readonly scheduledEvents: readonly string[];
  readonly changes: readonly ModelChange[];
  /** Of the series that are plotted. */
  readonly plots: readonly PlotPoint[];
  /** Scores of earlier results, and of this bucket, that are others from here on. */
  readonly moves: readonly ScoreMove[];
}
