import { type FieldSource, UtcDate } from '@shoal/script';
import type { NumberColumn } from '@shoal/segments';
import { NANOS_PER_MILLI, nanosOf } from '../nanoseconds.js';

/** Where a script stands: a document among those of a window. `serial` counts windows. */
interface Place {
  readonly docs: Int32Array;
  readonly serial: number;
  readonly at: number;
}

/** Dates of a `date_nanos` field with all their digits, of the one document at which a script stands. */
export class NanosSource implements FieldSource {
  readonly kind = 'date';
  readonly #place: Place;
  readonly #millis: NumberColumn;
  readonly #exact: NumberColumn | null;
  #nanos: readonly bigint[] = [];
  #serial = -1;
  #at = -1;

  /** `millis` and `exact` are the columns that `nanosOf` reads; `place` is moved by the host. */
  constructor(place: Place, millis: NumberColumn, exact: NumberColumn | null) {
    this.#place = place;
    this.#millis = millis;
    this.#exact = exact;
  }

  #load(): readonly bigint[] {
    const { serial, at, docs } = this.#place;
    if (this.#serial === serial && this.#at === at) return this.#nanos;
    this.#nanos = nanosOf(this.#millis, this.#exact, docs[at]!);
    this.#serial = serial;
    this.#at = at;
    return this.#nanos;
  }

  get count(): number {
    return this.#load().length;
  }

  value(index: number): unknown {
    const nanos = this.#load()[index]!;
    return new UtcDate(Number(nanos / NANOS_PER_MILLI), Number(nanos % NANOS_PER_MILLI));
  }
}
