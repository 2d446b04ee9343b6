/** Where the buckets of a job lie in the periods of seasons. */
import { S, type SeriesRecord } from './layout.js';
import { seasonFields } from './season.js';

/**
 * Places of one time in each season: the periods of a day and a week are those of all series, and their buckets come
 * at the same times, so a place is computed once a bucket and not once a series. A remainder of doubles costs as much
 * as a logarithm.
 */
export interface PlaceMemo {
  /** Whether a season has the same period in all series. */
  readonly isShared: readonly boolean[];
  readonly times: Float64Array;
  readonly places: Float64Array;
}

export const placeMemo = (isShared: readonly boolean[]): PlaceMemo => ({
  isShared,
  times: new Float64Array(isShared.length).fill(Number.NaN),
  places: new Float64Array(isShared.length),
});

export const placeOf = (time: number, period: number, size: number): number => ((time % period) / period) * size;

/** Place of `time` in a season of a record, from 0 to its number of places. */
export function placeAt(r: SeriesRecord, memo: PlaceMemo, season: number, time: number): number {
  if (memo.times[season] === time) return memo.places[season]!;
  const s = seasonFields(r, season);
  const place = placeOf(time, r.floats[s + S.period]!, r.floats[s + S.size]!);
  if (!memo.isShared[season]!) return place;
  memo.times[season] = time;
  memo.places[season] = place;
  return place;
}
