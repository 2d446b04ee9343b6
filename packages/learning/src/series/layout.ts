/**
 * Where the fields of a series lie in its record of a slab. A record is
 *
 *   3 float64 │ HEADER float32 │ rings int16 │ counters uint16 │ states uint8 │ seasons … │ coarse ring
 *
 * and a season is SEASON float32, then a value (float32), a usual deviation (usual-size.ts, uint16) and a count of
 * visits (uint8) a place. Values are kept as (value - ORIGIN) / UNIT_OF_VALUES, so that float32 is precise enough
 * whatever their size, and so that multiplying all values by a power of two changes nothing.
 */
import { PARTS, WINDOW } from './constants.js';
import { BINS } from './tail.kernel.js';

/** Float64 fields: subtracted from values; what they are divided by; seconds of the first bucket. */
export const ORIGIN = 0;
export const UNIT_OF_VALUES = 1;
export const FIRST_TIME = 2;
export const DOUBLES = 3;

const NAMES = [
  'count', // buckets seen
  'fast', // fast and slow level of the value less its season, and median of the values
  'slow',
  'median',
  'last', // value of the last bucket
  'spreadMean', // usual logarithm of the spread of a window
  'active', // season in use: 0 none, else its number + 1
  'run', // buckets on one side far from the slow level, negative below, and the sum of their distances
  'runSum',
  'dispersion', // variance over mean of counts, and how often it was learnt
  'dispersionCount',
  'least', // smallest value, in units from zero
  'plainLevel', // slow level without a season
  'eventLength', // memory of events (events.ts)
  'eventLargest',
  'eventPeak',
  'eventLast',
  'eventExcess',
  'eventCount',
  'alarms',
  'alarmAt',
  'alarmSize',
  'stateOn', // two states (states.ts): 1 if in use; range of the histogram; the two levels
  'stateLow',
  'stateWidth',
  'stateTotal',
  'stateFirst',
  'stateSecond',
] as const;

/** Fields after those of the deviations. */
const LATE_NAMES = [
  'trend', // movement of the slow level a bucket; what it gains; errors of forecasts from anchors (outlook.ts)
  'trendGain',
  'anchorLevel',
  'anchorsFrom',
  'errorNear',
  'errorFar',
  'above',
  'below',
  'flags', // 1 if a value was not whole, and twice the number of the season of forecasts
] as const;

/** Scale, number of observations and weight of the observations of each deviation follow the named fields. */
export const PART_FIELDS = 3;
export const PART_AT = NAMES.length;
const LATE_AT = PART_AT + PARTS * PART_FIELDS;
export const HEADER = LATE_AT + LATE_NAMES.length;

/** Float32 fields of the header by name. */
export const H = Object.fromEntries([
  ...NAMES.map((name, i) => [name, i]),
  ...LATE_NAMES.map((name, i) => [name, LATE_AT + i]),
]) as Record<(typeof NAMES)[number] | (typeof LATE_NAMES)[number], number>;

/** Int16 fields: the last distances from the slow level and changes, in 1/RING_STEPS scales. */
export const RING_STEPS = 256;
export const RINGS = 2 * WINDOW;
/** Uint16 fields: counters of both sides of each deviation, and sizes of events in quarter decades. */
export const COUNTERS = PARTS * 2 * BINS;
export const EVENT_SIZES = 24;
/** Uint8 fields: histogram of values. */
export const STATE_BINS = 48;

/** Float32 fields of a season. */
const SEASON_NAMES = [
  'period', // seconds
  'size', // places
  'since', // seconds after the first bucket
  'level', // slow level less this season
  'error', // usual error of its slow forecast, and that of none over the same buckets
  'plainError',
  'judged', // buckets in which it was judged
  'previous', // what it expected of the last bucket
  'centre', // average of a cycle; NaN before the first bucket
  'spreadMean', // usual deviation of any place, and how often it was learnt
  'spreadCount',
] as const;
export const S = Object.fromEntries(SEASON_NAMES.map((name, i) => [name, i])) as Record<
  (typeof SEASON_NAMES)[number],
  number
>;
export const SEASON = SEASON_NAMES.length;

/** Float32 fields of the ring of half-hourly means in which other periods are looked for. */
export const COARSE_FIELDS = 5;
export const COARSE_SUM = 0;
export const COARSE_COUNT = 1;
export const COARSE_LENGTH = 2;
export const COARSE_NEXT = 3;
export const COARSE_AGE = 4;
export const COARSE_MAX = 512;

/** Bytes of the late fields in a record, and where they begin. */
export const LATE_BYTES = 4 * LATE_NAMES.length;
export const LATE_BYTES_AT = 8 * DOUBLES + 4 * LATE_AT;

const bytesOfSeason = (places: number) => 4 * SEASON + Math.ceil((7 * places) / 4) * 4;
const FIXED = 8 * DOUBLES + 4 * HEADER + 2 * (RINGS + COUNTERS + EVENT_SIZES) + STATE_BINS;
const align = (bytes: number) => Math.ceil(bytes / 8) * 8;

/** Byte offsets of a form of record: which seasons it has, and whether it has the coarse ring. */
export interface RecordForm {
  /** Bit i: has season i; bit SEASONS_MAX: has the coarse ring. */
  readonly mask: number;
  readonly bytes: number;
  /** Byte offset of each season, -1 if the form has none of it. */
  readonly seasons: readonly number[];
  /** Byte offset of the coarse ring or -1. */
  readonly coarse: number;
}

export const SEASONS_MAX = 4;
export const COARSE_BIT = 1 << SEASONS_MAX;

/**
 * Returns the form of `mask`; `places` is the number of places of each season. Earlier layouts have `less` fixed bytes
 * and seasons of other sizes.
 */
export function recordForm(mask: number, places: readonly number[], less = 0, seasonBytes = bytesOfSeason): RecordForm {
  let at = align(FIXED - less);
  const seasons = places.map((size, i) => {
    if ((mask & (1 << i)) === 0) return -1;
    const start = at;
    at += seasonBytes(size);
    return start;
  });
  const coarse = (mask & COARSE_BIT) === 0 ? -1 : at;
  if (coarse >= 0) at += 4 * (COARSE_FIELDS + COARSE_MAX);
  return { mask, bytes: align(at), seasons, coarse };
}

/** Bytes of the fixed part of a record, which every form begins with. */
export const FIXED_BYTES = align(FIXED);
export const seasonBytes = bytesOfSeason;

/** One record of a slab: the views of its page and where it begins in each of them, in elements. */
export interface SeriesRecord {
  form: RecordForm;
  byteAt: number;
  doubles: Float64Array;
  floats: Float32Array;
  shorts: Int16Array;
  words: Uint16Array;
  bytes: Uint8Array;
  /** First element of each part. */
  d: number;
  f: number;
  ring: number;
  counters: number;
  sizes: number;
  states: number;
}

/** A record whose views are those of `buffer`, at its first byte. Move it with `moveRecord`. */
export function openRecord(form: RecordForm, buffer: ArrayBuffer, byteAt: number): SeriesRecord {
  const record: SeriesRecord = {
    form,
    byteAt: 0,
    doubles: new Float64Array(buffer),
    floats: new Float32Array(buffer),
    shorts: new Int16Array(buffer),
    words: new Uint16Array(buffer),
    bytes: new Uint8Array(buffer),
    d: 0,
    f: 0,
    ring: 0,
    counters: 0,
    sizes: 0,
    states: 0,
  };
  return placeRecord(record, byteAt);
}

/** Sets the element offsets of `record` for a record that begins at byte `byteAt` of the same page. */
export function placeRecord(record: SeriesRecord, byteAt: number): SeriesRecord {
  record.byteAt = byteAt;
  record.d = byteAt >> 3;
  record.f = (byteAt >> 2) + 2 * DOUBLES;
  record.ring = (byteAt >> 1) + 4 * DOUBLES + 2 * HEADER;
  record.counters = record.ring + RINGS;
  record.sizes = record.counters + COUNTERS;
  record.states = (record.sizes + EVENT_SIZES) * 2;
  return record;
}
