import type { JsonObject } from '@shoal/json';
import type { RecordResult } from '@shoal/learning';
import { spanText } from './span-text.js';

/** Usual changes around what is expected in which 95 % of values lie. */
const BOUND = 1.96 * 1.25;
/** Usual changes, as a share of what is expected, from which a series counts as varying much. */
const HIGH_VARIANCE = 0.5;

/** `anomaly_score_explanation` of a record; members that are true or false are there only when they are true. */
export function explanation(record: RecordResult, isInterim: boolean): JsonObject {
  const { isSpike, rarity, multiBucket, typical, usualChange } = record;
  const value = typical[0];
  const impact = Math.round(Math.min(5, rarity));
  const isWindow = multiBucket > 0;
  const bounds =
    value === undefined || !(usualChange > 0)
      ? {}
      : { lower_confidence_bound: value - BOUND * usualChange, upper_confidence_bound: value + BOUND * usualChange };
  const isVaried = value !== undefined && usualChange > HIGH_VARIANCE * Math.abs(value);
  return {
    anomaly_type: isSpike ? 'spike' : 'dip',
    anomaly_length: isWindow ? 12 : 1,
    single_bucket_impact: isWindow ? 0 : impact,
    multi_bucket_impact: isWindow ? impact : 0,
    ...(record.part === 'windowSpread' ? { anomaly_characteristics_impact: impact } : {}),
    ...(value === undefined ? {} : { typical_value: value }),
    ...bounds,
    ...(isVaried ? { high_variance_penalty: true } : {}),
    ...(isInterim ? { incomplete_bucket_penalty: true } : {}),
    ...(record.hasStates ? { multimodal_distribution: true } : {}),
    ...(record.isFirst ? { by_field_first_occurrence: true } : {}),
  };
}

const PARTS = {
  change: 'the change from the bucket before',
  level: 'the distance from the usual level',
  windowMean: 'twelve buckets that all lie on one side',
  windowSpread: 'twelve buckets that vary more or less than usual',
  value: 'a value unlike all before',
} as const;

const short = (value: number): string => String(Number(value.toPrecision(4)));

/** Says in words why a record is one: how often a quiet series shows as much, and what was unusual. */
export function recordWhy(functionName: string, record: RecordResult): string {
  const { rarity, typical, actual, part, periodS, isFirst } = record;
  const often = Math.round(10 ** Math.min(12, rarity));
  const [was, expected] = [actual, typical].map((list) => list.map(short).join(', '));
  const values = `${functionName} was ${was} where ${expected} was expected`;
  const season = periodS > 0 ? `, by a season of ${spanText(periodS)}` : '';
  const what = isFirst ? 'a value that was never seen before' : part === null ? null : PARTS[part];
  const main = what === null ? '' : `; the most unusual is ${what}`;
  return `one bucket of ${often} without anomalies shows as much: ${values}${season}${main}`;
}
