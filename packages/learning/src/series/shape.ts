/** What all series of one bucket span have in common: their candidate seasons and the forms of their records. */
import { DAY_SECONDS } from './constants.js';
import { COARSE_BIT, type RecordForm, recordForm, SEASONS_MAX } from './layout.js';
import { type PlaceMemo, placeMemo } from './places.js';

/** A candidate season. */
export interface Candidate {
  /** Seconds; 0 for a period that has to be found. */
  readonly period: number;
  readonly size: number;
  /** True if the expectation is interpolated between places; sharp seasons keep edges of batch jobs. */
  readonly isSmooth: boolean;
  readonly isPossible: boolean;
}

/** Numbers of the candidates: day in smooth places, day in sharp places, week, a period found by autocorrelation. */
export const FOUND_PERIOD = 3;
/** Places of a found period at most. */
export const FOUND_PLACES = 144;

export interface SeriesShape {
  readonly spanS: number;
  readonly candidates: readonly Candidate[];
  /** Form of a series that has just been established: all candidates, and the ring that looks for a period. */
  readonly firstMask: number;
  /** Places of the beginning and of the middle of the bucket that is judged. */
  readonly starts: PlaceMemo;
  readonly middles: PlaceMemo;
  form(mask: number): RecordForm;
}

export function seriesShape(spanS: number): SeriesShape {
  const perDay = DAY_SECONDS / spanS;
  const places = (period: number, most: number) => Math.max(1, Math.min(Math.round(period / spanS), most));
  const candidates: Candidate[] = [
    { period: DAY_SECONDS, size: places(DAY_SECONDS, 48), isSmooth: true, isPossible: perDay >= 6 },
    { period: DAY_SECONDS, size: places(DAY_SECONDS, 288), isSmooth: false, isPossible: perDay > 48 },
    { period: 7 * DAY_SECONDS, size: places(7 * DAY_SECONDS, 168), isSmooth: true, isPossible: perDay >= 1 },
    { period: 0, size: FOUND_PLACES, isSmooth: true, isPossible: false },
  ];
  const forms = new Map<number, RecordForm>();
  const sizes = candidates.map((c) => c.size);
  const isShared = candidates.map((c) => c.period > 0);
  return {
    spanS,
    candidates,
    starts: placeMemo(isShared),
    middles: placeMemo(isShared),
    firstMask: candidates.reduce((mask, c, i) => (c.isPossible ? mask | (1 << i) : mask), COARSE_BIT),
    form(mask) {
      let form = forms.get(mask);
      if (form === undefined) forms.set(mask, (form = recordForm(mask, sizes)));
      return form;
    },
  };
}

/** True if records of `form` have season `i`. */
export const hasSeason = (form: RecordForm, i: number): boolean => i < SEASONS_MAX && form.seasons[i]! >= 0;
