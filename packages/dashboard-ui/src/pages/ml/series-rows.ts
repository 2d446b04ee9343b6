import type { BandPoint } from './bands.js';
import type { SeriesPoint } from './job-body.js';
import type { AnomalyRecord } from './ml-answers.js';

/** A time of a series: what was there, what was usual, and what the model expects. Null for what is not known. */
export interface SeriesRow {
  readonly at: number;
  readonly value: number | null;
  readonly typical: number | null;
  readonly score: number | null;
  readonly forecast: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
}

/** Joins values, their greatest anomalies and bounds by time; a forecast goes on behind the last value. */
export function seriesRows(
  points: readonly SeriesPoint[],
  records: readonly AnomalyRecord[],
  plot: readonly BandPoint[],
  forecast: readonly BandPoint[],
): readonly SeriesRow[] {
  const worst = worstRecords(points, records);
  const bounds = new Map(plot.map((one) => [one.at, one]));
  const coming = new Map(forecast.map((one) => [one.at, one]));
  const rows = points.map(({ at, value }, i): SeriesRow => {
    const said = coming.get(at);
    const band = said ?? bounds.get(at);
    coming.delete(at);
    return {
      ...{ at, value, typical: worst[i]?.typical?.[0] ?? bounds.get(at)?.value ?? null },
      ...{ score: worst[i]?.record_score ?? null, forecast: said?.value ?? null },
      ...{ lower: band?.lower ?? null, upper: band?.upper ?? null },
    };
  });
  const behind = [...coming.values()].map(({ at, value, lower, upper }): SeriesRow => {
    return { at, value: null, typical: null, score: null, forecast: value, lower, upper };
  });
  return [...rows, ...behind].toSorted((a, b) => a.at - b.at);
}

/** For each point the record of the greatest score until the next point; points are in the order of their time. */
function worstRecords(
  points: readonly SeriesPoint[],
  records: readonly AnomalyRecord[],
): readonly (AnomalyRecord | undefined)[] {
  const sorted = records.toSorted((a, b) => a.timestamp - b.timestamp);
  let next = 0;
  return points.map(({ at }, i) => {
    const end = points[i + 1]?.at ?? Number.POSITIVE_INFINITY;
    let worst: AnomalyRecord | undefined;
    while (next < sorted.length && sorted[next]!.timestamp < end) {
      const one = sorted[next++]!;
      if (one.timestamp >= at && one.record_score > (worst?.record_score ?? -1)) worst = one;
    }
    return worst;
  });
}
