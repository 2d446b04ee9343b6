/** Judges of times of a day or week, and of places: each series has a profile of what is usual for it. */
import type { ByteReader, ByteWriter } from '@shoal/codec';
import type { Gather } from '../functions/gather.js';
import {
  type DetectorBucket,
  type DetectorSpec,
  type Finding,
  type Judge,
  RARITY_LEAST,
  type RuleVerdict,
} from './detector.js';

/** What a profile says of a bucket. */
interface ProfileVerdict {
  readonly surprise: number;
  readonly typical: readonly number[];
  readonly actual: readonly number[];
}

/** A profile that a series has. */
interface Profile {
  judge(gather: Gather): ProfileVerdict;
  learn(gather: Gather): void;
  toJson(): readonly number[];
}

/** Judges each series by a profile of its own. */
class ProfileJudge implements Judge {
  readonly #create: (kept: readonly number[] | null) => Profile;
  readonly #bytesEach: number;
  readonly #profiles = new Map<number, Profile>();

  constructor(create: (kept: readonly number[] | null) => Profile, bytesEach: number) {
    this.#create = create;
    this.#bytesEach = bytesEach;
  }

  get bytes(): number {
    return this.#profiles.size * this.#bytesEach;
  }

  step(bucket: DetectorBucket, verdict: RuleVerdict, report: (finding: Finding) => void): void {
    for (const [series, gather] of bucket.gathered) {
      const found = this.#profile(series).judge(gather);
      const { report: reports, learn } = verdict(series, found.actual[0] ?? 0, found.typical[0] ?? 0);
      if (reports) reportProfile(series, found, report);
      if (learn) this.#profile(series).learn(gather);
    }
  }

  peek(bucket: DetectorBucket, report: (finding: Finding) => void): void {
    for (const [series, gather] of bucket.gathered) reportProfile(series, this.#profile(series).judge(gather), report);
  }

  remove(series: number): void {
    this.#profiles.delete(series);
  }

  encode(out: ByteWriter): void {
    out.varint(this.#profiles.size);
    for (const [series, profile] of this.#profiles) {
      out.varint(series);
      const numbers = profile.toJson();
      out.varint(numbers.length);
      for (const number of numbers) out.f64(number);
    }
  }

  decode(from: ByteReader): void {
    for (let n = from.varint(); n > 0; n--) {
      const series = from.varint();
      const numbers = Array.from({ length: from.varint() }, () => from.f64());
      this.#profiles.set(series, this.#create(numbers));
    }
  }

  #profile(series: number): Profile {
    let profile = this.#profiles.get(series);
    if (profile === undefined) this.#profiles.set(series, (profile = this.#create(null)));
    return profile;
  }
}

function reportProfile(series: number, found: ProfileVerdict, report: (finding: Finding) => void): void {
  const { surprise, typical, actual } = found;
  if (surprise < RARITY_LEAST) return;
  const probability = 10 ** -Math.min(300, surprise);
  report({ series, rarity: surprise, probability, typical, actual, multiBucket: -5, usualChange: 0, isSpike: true });
}

/** Quarters of an hour of a day; a week has a place for each hour and three quarters. */
const CLOCK_PLACES = 96;
const CLOCK_LEAST = 40;
const CLOCK_FACTOR = 1.4;

/** Times of a period as a circular histogram that is smoothed over four places on each side. */
class ClockProfile implements Profile {
  readonly #periodS: number;
  readonly #places: Float64Array;
  #count = 0;

  constructor(periodS: number, kept: readonly number[] | null) {
    this.#periodS = periodS;
    this.#places = kept === null ? new Float64Array(CLOCK_PLACES) : Float64Array.from(kept);
    for (const visits of this.#places) this.#count += visits;
  }

  judge({ values }: Gather): ProfileVerdict {
    let worst = 0;
    let at = 0;
    for (const time of values!) {
      if (this.#count <= CLOCK_LEAST) break;
      const surprise = -Math.log10((this.#near(this.#placeOf(time)) + 0.02) / (this.#count + 1)) * CLOCK_FACTOR;
      if (surprise > worst) [worst, at] = [surprise, time % this.#periodS];
    }
    const most = this.#places.indexOf(Math.max(...this.#places));
    return { surprise: worst, typical: [((most + 0.5) * this.#periodS) / CLOCK_PLACES], actual: [at] };
  }

  learn({ values }: Gather): void {
    for (const time of values!) {
      const place = this.#placeOf(time);
      this.#places[place] = this.#places[place]! + 1;
      this.#count++;
    }
  }

  toJson(): readonly number[] {
    return [...this.#places];
  }

  #placeOf(time: number): number {
    const into = ((time % this.#periodS) + this.#periodS) % this.#periodS;
    return Math.min(CLOCK_PLACES - 1, Math.floor((into / this.#periodS) * CLOCK_PLACES));
  }

  #near(place: number): number {
    let near = 0;
    for (let d = -4; d <= 4; d++)
      near += this.#places[(place + d + CLOCK_PLACES) % CLOCK_PLACES]! * (1 - Math.abs(d) / 5);
    return near;
  }
}

/** Places that a profile keeps; visits that make a place usual; visits before the first result. */
const PLACES_MAX = 8;
const VISITS_USUAL = 3;
const VISITS_LEAST = 10;
/** Degrees: spread of a place that was visited once, and the least spread. */
const SPREAD_FIRST = 0.3;
const SPREAD_LEAST = 0.05;
const PLACE_FIELDS = 4;
const PLACE_FACTOR = 4;
const FAR = 10;

/** Up to eight usual places, each with its spread; distances are in degrees of latitude. */
class PlaceProfile implements Profile {
  /** Latitude, longitude, spread and visits of each place. */
  #places: number[];

  constructor(kept: readonly number[] | null) {
    this.#places = kept === null ? [] : [...kept];
  }

  judge({ values }: Gather): ProfileVerdict {
    let worst: ProfileVerdict = { surprise: 0, typical: [], actual: [] };
    for (let i = 0; i < values!.length; i += 2) {
      const [lat, lon] = [values![i]!, values![i + 1]!];
      const { at, distance } = this.#nearest(lat, lon, VISITS_USUAL);
      if (at < 0 || this.#visits() <= VISITS_LEAST) continue;
      const surprise = Math.min(12, Math.log10(1 + distance / this.#places[at + 2]!) * PLACE_FACTOR);
      if (surprise <= worst.surprise || surprise < PLACE_FACTOR) continue;
      worst = { surprise, typical: [this.#places[at]!, this.#places[at + 1]!], actual: [lat, lon] };
    }
    return worst;
  }

  learn({ values }: Gather): void {
    for (let i = 0; i < values!.length; i += 2) this.#learnPlace(values![i]!, values![i + 1]!);
  }

  toJson(): readonly number[] {
    return this.#places;
  }

  #learnPlace(lat: number, lon: number): void {
    const { at, distance } = this.#nearest(lat, lon, 1);
    const places = this.#places;
    if (at < 0 || distance > FAR * places[at + 2]!) {
      if (places.length === PLACE_FIELDS * PLACES_MAX) this.#forgetLeast();
      this.#places.push(lat, lon, SPREAD_FIRST, 1);
      return;
    }
    const visits = places[at + 3]! + 1;
    const rate = Math.max(1 / visits, 0.02);
    places[at] = places[at]! + rate * (lat - places[at]!);
    places[at + 1] = places[at + 1]! + rate * turned(lon - places[at + 1]!);
    if (visits > 2) places[at + 2] = places[at + 2]! + rate * (Math.max(SPREAD_LEAST, distance) - places[at + 2]!);
    places[at + 3] = visits;
  }

  #visits(): number {
    let visits = 0;
    for (let i = 3; i < this.#places.length; i += PLACE_FIELDS) visits += this.#places[i]!;
    return visits;
  }

  #nearest(lat: number, lon: number, visitsLeast: number): { at: number; distance: number } {
    let at = -1;
    let distance = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#places.length; i += PLACE_FIELDS) {
      if (this.#places[i + 3]! < visitsLeast) continue;
      const east = turned(lon - this.#places[i + 1]!) * Math.cos((lat * Math.PI) / 180);
      const d = Math.hypot(lat - this.#places[i]!, east);
      if (d < distance) [at, distance] = [i, d];
    }
    return { at, distance };
  }

  #forgetLeast(): void {
    let least = 0;
    for (let i = 0; i < this.#places.length; i += PLACE_FIELDS)
      if (this.#places[i + 3]! < this.#places[least + 3]!) least = i;
    this.#places.splice(least, PLACE_FIELDS);
  }
}

/** Degrees of longitude between -180 and 180. */
const turned = (degrees: number): number => ((((degrees + 180) % 360) + 360) % 360) - 180;

/** Makes the judge of `time_of_day`, `time_of_week` or `lat_long`. */
export function profileJudge({ function: { measure } }: DetectorSpec): Judge {
  if (measure === 'latLong') return new ProfileJudge((kept) => new PlaceProfile(kept), 400);
  const periodS = measure === 'timeOfDay' ? 86_400 : 604_800;
  return new ProfileJudge((kept) => new ClockProfile(periodS, kept), 8 * CLOCK_PLACES + 100);
}
