/**
 * The series of a detector, in slabs: pages of up to 64 records of one form (layout.ts), outside V8's heap. A series
 * begins as 160 bytes that hold its first values; with the sixteenth it gets all candidate seasons, and loses those
 * that do not help it. Records move between pages when their form changes.
 */
import type { ByteReader, ByteWriter } from '@shoal/codec';
import { DAY_SECONDS, type SeriesConstants } from './constants.js';
import { addToRing, bucketsPerMean, isRingOld, periodOf, ringMeans } from './coarse-ring.js';
import {
  COARSE_BIT,
  COARSE_FIELDS,
  COARSE_MAX,
  FIRST_TIME,
  FIXED_BYTES,
  H,
  openRecord,
  placeRecord,
  type RecordForm,
  S,
  seasonBytes,
  type SeriesRecord,
} from './layout.js';
import { countEvents } from './events.js';
import { copyOldRecord, LAYOUT, oldForm } from './old-records.js';
import { placeOf } from './places.js';
import { beginSeason, learnPlace, moveCentre, seasonFields } from './season.js';
import { beginSeries, hasStates, type Judgement, nextValue, stepSeries, unitsOf, usualChange } from './series-model.js';
import { type Outlook, outlookAt } from './outlook.js';
import { FOUND_PERIOD, FOUND_PLACES, hasSeason, type SeriesShape } from './shape.js';

const PAGE_RECORDS = 64;
const FIRST_PAGE_RECORDS = 4;
/** Record of a new series: seconds of its first bucket, values, spans since the bucket before, number of values. */
const NEW_VALUES = 16;
const NEW_BYTES = 160;
const NEW_GAPS = 8 * (1 + NEW_VALUES);
const NEW_COUNT = NEW_GAPS + NEW_VALUES;
/** Mask of new series; others have form masks. */
const NEW = 0xff;
const GONE = 0xfe;
/** Bytes of a series in the table: its form and its place. */
const TABLE_BYTES = 5;
/** Buckets between two looks at which seasons a series still needs. */
const REVIEW_EVERY = 64;
/** Cycles and days after which a candidate that does not help is given up, and the error that does not help. */
const CYCLES_TRIED = 4;
const DAYS_TRIED = 8;
const HOPELESS = 0.97;

/** The layout of records is told with the number of sets of pages, in multiples of this. */
const SETS_MOST = 256;

interface Page {
  readonly record: SeriesRecord;
  readonly records: number;
  /** Slots without a record. */
  readonly free: number[];
}

/** Pages of one form. */
interface PageSet {
  readonly bytesEach: number;
  readonly form: RecordForm | null;
  readonly pages: (Page | null)[];
  /** Numbers of pages that have had a free slot, and of pages that were given back. */
  readonly withRoom: number[];
  readonly vacant: number[];
}

export class SeriesSlab {
  readonly #shape: SeriesShape;
  readonly #constants: SeriesConstants;
  readonly #sets = new Map<number, PageSet>();
  #masks = new Uint8Array(16);
  #places = new Int32Array(16);
  #count = 0;
  /** Series that have few values yet. */
  #newCount = 0;
  #pageBytes = 0;
  /** Bytes by which pages may grow. */
  roomBytes = Number.POSITIVE_INFINITY;
  /** Times that a series was not given a full record, because there was no room. */
  refused = 0;

  constructor(shape: SeriesShape, constants: SeriesConstants) {
    this.#shape = shape;
    this.#constants = constants;
  }

  /** Number of series that were added. */
  get count(): number {
    return this.#count;
  }

  /** Bytes of all pages and of the table of series. */
  get bytes(): number {
    return this.#pageBytes + TABLE_BYTES * this.#count;
  }

  /** Bytes that new series need for records without seasons, once they have enough values. */
  get reservedBytes(): number {
    return this.#newCount * this.#set(0).bytesEach;
  }

  /** Adds a series and returns its number. */
  add(): number {
    const series = this.#count++;
    if (series === this.#masks.length) {
      this.#masks = grown(this.#masks, new Uint8Array(2 * series));
      this.#places = grown(this.#places, new Int32Array(2 * series));
    }
    this.#masks[series] = NEW;
    this.#places[series] = this.#allocate(NEW);
    this.#newCount++;
    return series;
  }

  /** Forgets a series; its number is not used again. */
  remove(series: number): void {
    const mask = this.#masks[series]!;
    if (mask === GONE) return;
    if (mask === NEW) this.#newCount--;
    this.#free(mask, this.#places[series]!);
    this.#masks[series] = GONE;
  }

  /** Judges and learns the value of a bucket; the buckets of a series come in order. The result is in `out`. */
  judge(series: number, time: number, value: number, side: number, isAmount: boolean, out: Judgement): void {
    if (this.#masks[series] === NEW) return this.#judgeNew(series, time, value, side, isAmount, out);
    const r = this.#record(series);
    stepSeries(r, this.#shape, time, value, side, isAmount, this.#constants, out);
    if (r.form.coarse >= 0) this.#lookForPeriod(series, r, time, value);
    else if (out.event === 'noSeason') this.#lookAgain(series);
    if ((r.floats[r.f + H.count]! | 0) % REVIEW_EVERY === 0) this.#review(series);
  }

  /**
   * Judges a value as `judge` does, but learns nothing: for buckets that are not complete, and for values that must not
   * be learnt. A series that has not been established yet has no surprise.
   */
  peek(series: number, time: number, value: number, side: number, isAmount: boolean, out: Judgement): void {
    const mask = this.#masks[series]!;
    if (mask >= GONE) {
      out.surprise = out.fused = 0;
      out.surprises.fill(0);
      out.typical = value;
      return;
    }
    const r = this.#record(series);
    const end = r.byteAt + this.#set(mask).bytesEach;
    const kept = r.bytes.slice(r.byteAt, end);
    stepSeries(r, this.#shape, time, value, side, isAmount, this.#constants, out);
    r.bytes.set(kept, r.byteAt);
  }

  /** Usual size of a change from one bucket to the next, in units of the values; 0 while it is not known. */
  changeOf(series: number): number {
    if (this.#masks[series]! >= GONE) return 0;
    const r = this.#record(series);
    return usualChange(r);
  }

  /** Forecast of the bucket at `time`, `steps` buckets after the last one; null while the series is new. */
  outlookAt(series: number, time: number, steps: number, isAmount: boolean): Outlook | null {
    if (this.#masks[series]! >= GONE) return null;
    return outlookAt(this.#record(series), this.#shape, time, steps, isAmount, this.#constants);
  }

  /** Value that the bucket at `time`, the next one, is compared with; NaN for none. */
  nextAt(series: number, time: number): number {
    if (this.#masks[series]! >= GONE) return Number.NaN;
    return nextValue(this.#record(series), this.#shape, time);
  }

  /** Counts events of a series as if there had been `times` more as surprising; false for one that is too new. */
  countEvents(series: number, surprise: number, times: number): boolean {
    if (this.#masks[series]! >= GONE) return false;
    countEvents(this.#record(series), surprise, times);
    return true;
  }

  /** Whether the series has a few fixed levels. */
  hasStates(series: number): boolean {
    return this.#masks[series]! < GONE && hasStates(this.#record(series));
  }

  /** Writes all series and their pages. */
  encode(out: ByteWriter): void {
    out.varint(this.#count);
    out.bytes(this.#masks.subarray(0, this.#count));
    for (let i = 0; i < this.#count; i++) out.u32(this.#places[i]!);
    out.varint(LAYOUT * SETS_MOST + this.#sets.size);
    for (const [mask, set] of this.#sets) encodeSet(out, mask, set);
  }

  /** Reads what `encode` wrote, for a shape of the same span. */
  static decode(shape: SeriesShape, constants: SeriesConstants, from: ByteReader): SeriesSlab {
    const slab = new SeriesSlab(shape, constants);
    const count = from.varint();
    const masks = from.bytes();
    slab.#count = count;
    slab.#masks = new Uint8Array(Math.max(16, 2 * count));
    slab.#masks.set(masks);
    slab.#places = new Int32Array(slab.#masks.length);
    for (let i = 0; i < count; i++) {
      slab.#places[i] = from.u32() | 0;
      if (masks[i] === NEW) slab.#newCount++;
    }
    const sets = from.varint();
    for (let k = sets % SETS_MOST; k > 0; k--) slab.#decodeSet(from, Math.floor(sets / SETS_MOST));
    return slab;
  }

  #decodeSet(from: ByteReader, layout: number): void {
    const mask = from.varint();
    const set = this.#set(mask);
    const sizes = this.#shape.candidates.map(({ size }) => size);
    const old = layout === LAYOUT || set.form === null ? null : oldForm(layout, mask, sizes);
    for (let pages = from.varint(); pages > 0; pages--) {
      const records = from.varint();
      if (records === 0) {
        set.pages.push(null);
        continue;
      }
      const free = Array.from({ length: from.varint() }, () => from.varint());
      const buffer = new ArrayBuffer(records * set.bytesEach);
      const record = openRecord(set.form ?? this.#shape.form(0), buffer, 0);
      if (old === null) record.bytes.set(from.raw(buffer.byteLength));
      else copyOldPage(layout, new Uint8Array(from.raw(records * old.bytes)), old, record);
      this.#pageBytes += buffer.byteLength;
      set.pages.push({ record, records, free });
    }
    for (const list of [set.withRoom, set.vacant])
      for (let numbers = from.varint(); numbers > 0; numbers--) list.push(from.varint());
  }

  /** Period in seconds of the season in use, 0 for none. */
  periodOf(series: number): number {
    if (this.#masks[series]! >= GONE) return 0;
    const r = this.#record(series);
    const active = r.floats[r.f + H.active]!;
    return active === 0 ? 0 : r.floats[seasonFields(r, active - 1) + S.period]!;
  }

  /** Bytes of the record of a series. */
  recordBytes(series: number): number {
    return this.#set(this.#masks[series]!).bytesEach;
  }

  #judgeNew(series: number, time: number, value: number, side: number, isAmount: boolean, out: Judgement): void {
    const { record: r } = this.#page(NEW, this.#places[series]!);
    const start = r.byteAt;
    const d = start >> 3;
    const count = r.bytes[start + NEW_COUNT]!;
    out.surprise = out.fused = 0;
    out.surprises.fill(0);
    out.event = 'none';
    out.typical = count === 0 ? value : r.doubles[d + count]!;
    if (count === 0) r.doubles[d] = time;
    let last = r.doubles[d]!;
    for (let i = 1; i < count; i++) last += r.bytes[start + NEW_GAPS + i]! * this.#shape.spanS;
    r.doubles[d + 1 + count] = value;
    r.bytes[start + NEW_GAPS + count] = Math.max(0, Math.min(255, Math.round((time - last) / this.#shape.spanS)));
    r.bytes[start + NEW_COUNT] = count + 1;
    if (count + 1 < NEW_VALUES) return;
    this.#establish(series, side, isAmount, out);
    out.event = 'none';
  }

  /**
   * Form of a series that has enough values: all candidate seasons if the other new series have room then for a record
   * without any, else none; null without room even for that.
   */
  #firstMask(): number | null {
    const { firstMask } = this.#shape;
    if (this.#growthFor(firstMask) <= this.roomBytes - this.reservedBytes) return firstMask;
    return this.#growthFor(0) <= this.roomBytes ? 0 : null;
  }

  /** Bytes by which pages grow with one more record of a form. */
  #growthFor(mask: number): number {
    const { pages, withRoom, bytesEach } = this.#set(mask);
    if (withRoom.some((number) => (pages[number]?.free.length ?? 0) > 0)) return 0;
    return PAGE_RECORDS * bytesEach;
  }

  /** Forgets the first value of a new series, so that it can take another one. */
  #dropFirst({ record: r }: Page, count: number): void {
    const d = r.byteAt >> 3;
    const gaps = r.byteAt + NEW_GAPS;
    r.doubles[d] = r.doubles[d]! + r.bytes[gaps + 1]! * this.#shape.spanS;
    r.doubles.copyWithin(d + 1, d + 2, d + 1 + count);
    r.bytes.copyWithin(gaps, gaps + 1, gaps + count);
    r.bytes[gaps] = 0;
    r.bytes[r.byteAt + NEW_COUNT] = count - 1;
  }

  /** Gives a series its full record, which learns the first values. Without room for it the series stays new. */
  #establish(series: number, side: number, isAmount: boolean, out: Judgement): void {
    const mask = this.#firstMask();
    const page = this.#page(NEW, this.#places[series]!);
    if (mask === null) {
      this.refused++;
      return this.#dropFirst(page, NEW_VALUES);
    }
    const { record } = page;
    const first = record.doubles[record.byteAt >> 3]!;
    const values = Array.from(record.doubles.subarray((record.byteAt >> 3) + 1, (record.byteAt >> 3) + 1 + NEW_VALUES));
    const gapsAt = record.byteAt + NEW_GAPS;
    const gaps = record.bytes.slice(gapsAt, gapsAt + NEW_VALUES);
    this.#free(NEW, this.#places[series]!);
    this.#newCount--;
    this.#masks[series] = mask;
    this.#places[series] = this.#allocate(mask);
    const r = this.#record(series);
    beginSeries(r, this.#shape, first, values);
    let time = first;
    for (let i = 0; i < NEW_VALUES; i++) {
      time += gaps[i]! * this.#shape.spanS;
      stepSeries(r, this.#shape, time, values[i]!, side, isAmount, this.#constants, out);
      if (r.form.coarse >= 0) addToRing(r, unitsOf(r, values[i]!), bucketsPerMean(this.#shape.spanS));
    }
  }

  #lookForPeriod(series: number, r: SeriesRecord, time: number, value: number): void {
    const { spanS } = this.#shape;
    if (!addToRing(r, unitsOf(r, value), bucketsPerMean(spanS)) || r.floats[r.f + H.active] !== 0) return;
    const means = ringMeans(r);
    const stepS = bucketsPerMean(spanS) * spanS;
    const lag = periodOf(means, stepS);
    if (lag === null) return;
    const mask = (this.#masks[series]! | (1 << FOUND_PERIOD)) & ~COARSE_BIT;
    beginFound(this.#reform(series, mask), means, lag, stepS, time, this.#shape, this.#constants);
  }

  /** A series that has lost its season begins to look for another period, unless it has found one before. */
  #lookAgain(series: number): void {
    const mask = this.#masks[series]!;
    const wider = mask | COARSE_BIT;
    if ((mask & (1 << FOUND_PERIOD)) === 0 && this.#growthFor(wider) <= this.roomBytes) this.#reform(series, wider);
  }

  /** Gives up seasons that have been tried long enough, and the search for a period once there is a season. */
  #review(series: number): void {
    const r = this.#record(series);
    const active = r.floats[r.f + H.active]!;
    let mask = this.#masks[series]!;
    if (r.form.coarse >= 0 && (active !== 0 || isRingOld(r))) mask &= ~COARSE_BIT;
    const best = active === 0 ? Number.POSITIVE_INFINITY : r.floats[seasonFields(r, active - 1) + S.error]!;
    this.#shape.candidates.forEach((_, i) => {
      if (!hasSeason(r.form, i) || active === i + 1) return;
      const s = seasonFields(r, i);
      const seconds = r.floats[s + S.judged]! * this.#shape.spanS;
      const isTried = seconds > Math.max(DAYS_TRIED * DAY_SECONDS, CYCLES_TRIED * r.floats[s + S.period]!);
      const error = r.floats[s + S.error]!;
      const isHopeless = error > HOPELESS * r.floats[s + S.plainError]! || error > best;
      if (isTried && isHopeless) mask &= ~(1 << i);
    });
    if (mask !== this.#masks[series]) this.#reform(series, mask);
  }

  /** Moves a series into a record of another form; new parts are zeros. */
  #reform(series: number, mask: number): SeriesRecord {
    const from = this.#record(series);
    const fromPlace = this.#places[series]!;
    const place = this.#allocate(mask);
    const to = this.#page(mask, place).record;
    copyRecord(from, to, this.#shape);
    this.#free(this.#masks[series]!, fromPlace);
    this.#masks[series] = mask;
    this.#places[series] = place;
    return to;
  }

  #record(series: number): SeriesRecord {
    return this.#page(this.#masks[series]!, this.#places[series]!).record;
  }

  /** Page of a place, its record moved there. */
  #page(mask: number, place: number): Page {
    const set = this.#set(mask);
    const page = set.pages[place >> 6]!;
    placeRecord(page.record, (place & 63) * set.bytesEach);
    return page;
  }

  #set(mask: number): PageSet {
    let set = this.#sets.get(mask);
    if (set === undefined) {
      const form = mask === NEW ? null : this.#shape.form(mask);
      set = { bytesEach: form?.bytes ?? NEW_BYTES, form, pages: [], withRoom: [], vacant: [] };
      this.#sets.set(mask, set);
    }
    return set;
  }

  /** A record of zeros. */
  #allocate(mask: number): number {
    const set = this.#set(mask);
    let number = set.withRoom.at(-1);
    while (number !== undefined && (set.pages[number]?.free.length ?? 0) === 0) {
      set.withRoom.pop();
      number = set.withRoom.at(-1);
    }
    number ??= this.#addPage(set);
    const place = (number << 6) | set.pages[number]!.free.pop()!;
    const { record } = this.#page(mask, place);
    record.bytes.fill(0, record.byteAt, record.byteAt + set.bytesEach);
    return place;
  }

  /** Adds a page and returns its number. The first one of a form is small, so that a job of one series stays small. */
  #addPage(set: PageSet): number {
    const number = set.vacant.pop() ?? set.pages.length;
    const records = number === 0 ? FIRST_PAGE_RECORDS : PAGE_RECORDS;
    const buffer = new ArrayBuffer(records * set.bytesEach);
    this.#pageBytes += buffer.byteLength;
    this.roomBytes -= buffer.byteLength;
    const free = Array.from({ length: records }, (_, i) => records - 1 - i);
    set.pages[number] = { record: openRecord(set.form ?? this.#shape.form(0), buffer, 0), records, free };
    set.withRoom.push(number);
    return number;
  }

  /** Frees a place; a page without any record is given back. */
  #free(mask: number, place: number): void {
    const set = this.#set(mask);
    const number = place >> 6;
    const page = set.pages[number]!;
    page.free.push(place & 63);
    if (page.free.length === page.records) {
      this.#pageBytes -= page.records * set.bytesEach;
      this.roomBytes += page.records * set.bytesEach;
      set.pages[number] = null;
      set.vacant.push(number);
    } else if (page.free.length === 1) set.withRoom.push(number);
  }
}

function encodeSet(out: ByteWriter, mask: number, set: PageSet): void {
  out.varint(mask);
  out.varint(set.pages.length);
  for (const page of set.pages) {
    out.varint(page?.records ?? 0);
    if (page === null) continue;
    out.varint(page.free.length);
    for (const slot of page.free) out.varint(slot);
    out.raw(page.record.bytes);
    out.spill();
  }
  for (const list of [set.withRoom, set.vacant]) {
    out.varint(list.length);
    for (const number of list) out.varint(number);
  }
}

/** Copies a page of an earlier layout into one of zeros. */
function copyOldPage(layout: number, page: Uint8Array, form: RecordForm, record: SeriesRecord): void {
  for (let at = 0, to = 0; at < page.length; at += form.bytes, to += record.form.bytes)
    copyOldRecord(layout, page.subarray(at, at + form.bytes), form, placeRecord(record, to));
}

function copyRecord(from: SeriesRecord, to: SeriesRecord, shape: SeriesShape): void {
  const copy = (target: number, source: number, bytes: number) =>
    to.bytes.set(from.bytes.subarray(from.byteAt + source, from.byteAt + source + bytes), to.byteAt + target);
  copy(0, 0, FIXED_BYTES);
  shape.candidates.forEach((c, i) => {
    if (hasSeason(from.form, i) && hasSeason(to.form, i))
      copy(to.form.seasons[i]!, from.form.seasons[i]!, seasonBytes(c.size));
  });
  if (from.form.coarse >= 0 && to.form.coarse >= 0)
    copy(to.form.coarse, from.form.coarse, 4 * (COARSE_FIELDS + COARSE_MAX));
}

/** Begins the season of a period that was found, with what the ring of means shows of it. */
function beginFound(
  r: SeriesRecord,
  means: Float64Array,
  lag: number,
  stepS: number,
  time: number,
  shape: SeriesShape,
  c: SeriesConstants,
): void {
  const period = Math.fround(lag * stepS);
  const size = Math.max(1, Math.min(FOUND_PLACES, Math.round(period / shape.spanS)));
  beginSeason(r, FOUND_PERIOD, period, size, time - 1.2 * period - r.doubles[r.d + FIRST_TIME]!);
  const cycle = means.subarray(-Math.round(lag));
  const centre = cycle.reduce((sum, v) => sum + v, 0) / cycle.length;
  const s = seasonFields(r, FOUND_PERIOD);
  r.floats[s + S.centre] = 0;
  moveCentre(r, FOUND_PERIOD, centre);
  r.floats[s + S.level] = centre;
  r.floats[s + S.judged] = 0;
  const visits = Math.max(1, period / size / stepS);
  means.forEach((v, i) => {
    const at = time - (means.length - 1 - i) * stepS - stepS / 2;
    learnPlace(r, FOUND_PERIOD, placeOf(at, period, size), v, visits, c.profileRate, 0, Number.POSITIVE_INFINITY);
  });
}

function grown<A extends Uint8Array | Int32Array>(old: A, larger: A): A {
  larger.set(old);
  return larger;
}
