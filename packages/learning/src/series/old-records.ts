/**
 * Records of earlier layouts. The first one, 0, has none of the late fields of the header; 0 and 1 keep the usual
 * deviations of places as float32.
 */
import {
  COARSE_FIELDS,
  COARSE_MAX,
  FIXED_BYTES,
  H,
  LATE_BYTES,
  LATE_BYTES_AT,
  type RecordForm,
  recordForm,
  S,
  SEASON,
  type SeriesRecord,
} from './layout.js';
import { sizeCode } from './usual-size.js';

/** Layout of the records that are written. */
export const LAYOUT = 2;

const bytesOfOldSeason = (places: number) => 4 * SEASON + 8 * places + Math.ceil(places / 4) * 4;

/** Form of the records of an earlier layout; `places` is the number of places of each season. */
export const oldForm = (layout: number, mask: number, places: readonly number[]): RecordForm =>
  recordForm(mask, places, layout === 0 ? LATE_BYTES : 0, bytesOfOldSeason);

/** Copies a record of an earlier layout, of the form `from`, into one of zeros. Its bytes are aligned to 8. */
export function copyOldRecord(layout: number, old: Uint8Array, from: RecordForm, to: SeriesRecord): void {
  if (layout === 0) copyWithoutLate(old, to);
  else to.bytes.set(old.subarray(0, FIXED_BYTES), to.byteAt);
  from.seasons.forEach((start, i) => {
    if (start >= 0) copyOldSeason(old, start, to, to.form.seasons[i]!);
  });
  if (from.coarse < 0) return;
  to.bytes.set(old.subarray(from.coarse, from.coarse + 4 * (COARSE_FIELDS + COARSE_MAX)), to.byteAt + to.form.coarse);
}

/** Forecasts are learnt from then on. */
function copyWithoutLate(old: Uint8Array, to: SeriesRecord): void {
  const tailAt = LATE_BYTES_AT + LATE_BYTES;
  to.bytes.set(old.subarray(0, LATE_BYTES_AT), to.byteAt);
  to.bytes.set(old.subarray(LATE_BYTES_AT, LATE_BYTES_AT + FIXED_BYTES - tailAt), to.byteAt + tailAt);
  to.floats[to.f + H.anchorsFrom] = to.floats[to.f + H.count]!;
  to.floats[to.f + H.anchorLevel] = to.floats[to.f + H.slow]!;
  to.floats[to.f + H.flags] = 1;
}

function copyOldSeason(old: Uint8Array, start: number, to: SeriesRecord, at: number): void {
  const fields = new Float32Array(old.buffer, old.byteOffset + start, SEASON);
  const size = fields[S.size]!;
  const valuesEnd = 4 * (SEASON + size);
  const spreads = new Float32Array(old.buffer, old.byteOffset + start + valuesEnd, size);
  const target = to.byteAt + at;
  to.bytes.set(old.subarray(start, start + valuesEnd), target);
  spreads.forEach((spread, i) => (to.words[((target + valuesEnd) >> 1) + i] = sizeCode(spread)));
  const visits = old.subarray(start + valuesEnd + 4 * size, start + valuesEnd + 5 * size);
  to.bytes.set(visits, target + valuesEnd + 2 * size);
}
