import type { SplitValues } from './detector.js';

/** Values of an influencer field that a record names. */
export interface NamedInfluencer {
  readonly field: string;
  readonly values: readonly string[];
}

/** A record: what one series showed in a bucket. */
export interface RecordResult {
  readonly detector: number;
  readonly splits: SplitValues;
  readonly rarity: number;
  readonly score: number;
  readonly probability: number;
  readonly typical: readonly number[];
  readonly actual: readonly number[];
  readonly multiBucket: number;
  readonly usualChange: number;
  readonly isSpike: boolean;
  readonly influencers: readonly NamedInfluencer[];
}

/** An influencer of a bucket. */
export interface InfluencerResult {
  readonly field: string;
  readonly value: string;
  readonly score: number;
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

/** Result of a bucket. */
export interface BucketResult {
  /** Seconds of its start. */
  readonly time: number;
  readonly events: number;
  readonly score: number;
  readonly rarity: number;
  readonly probability: number;
  readonly isInterim: boolean;
  readonly records: readonly RecordResult[];
  readonly influencers: readonly InfluencerResult[];
  /** Descriptions of calendar events that the bucket lies in. */
  readonly scheduledEvents: readonly string[];
  readonly changes: readonly ModelChange[];
}
