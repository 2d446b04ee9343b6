import { civilFromDays, daysFromCivil } from '@shoal/values';
import { ScriptObject, type Value } from './values.js';

const DAY_MS = 86_400_000;
const NANOS = 1_000_000;

/** A point of time in UTC: what a date field gives scripts. Source: java.time's proleptic ISO calendar. */
export class UtcDate extends ScriptObject {
  readonly javaClass = 'java.time.ZonedDateTime';
  /** Milliseconds since 1970. */
  readonly ms: number;
  /** Nanoseconds beside the milliseconds, below a million. */
  readonly nanos: number;

  constructor(ms: number, nanos = 0) {
    super();
    this.ms = ms;
    this.nanos = nanos;
  }

  /** Milliseconds since midnight. */
  get timeOfDay(): number {
    return this.ms - Math.floor(this.ms / DAY_MS) * DAY_MS;
  }

  get days(): number {
    return Math.floor(this.ms / DAY_MS);
  }

  /** Year, month from 1, day from 1. */
  get civil(): readonly [number, number, number] {
    const out = new Int32Array(3);
    civilFromDays(this.days, out);
    return [out[0]!, out[1]!, out[2]!];
  }

  get nano(): number {
    return (this.timeOfDay % 1000) * NANOS + this.nanos;
  }

  plusMs(ms: number): UtcDate {
    return new UtcDate(this.ms + ms, this.nanos);
  }

  /** Months later, on the last day of the month if it is shorter. */
  plusMonths(months: number): UtcDate {
    const [year, month, day] = this.civil;
    const index = year * 12 + month - 1 + months;
    const newYear = Math.floor(index / 12);
    const newMonth = index - newYear * 12 + 1;
    const next = newMonth === 12 ? daysFromCivil(newYear + 1, 1, 1) : daysFromCivil(newYear, newMonth + 1, 1);
    const first = daysFromCivil(newYear, newMonth, 1);
    const days = first + Math.min(day, next - first) - 1;
    return new UtcDate(days * DAY_MS + this.timeOfDay, this.nanos);
  }

  compare(other: Value): number {
    if (!(other instanceof UtcDate)) return -(other as { compare(one: Value): number }).compare(this);
    const { ms, nanos } = other;
    return Math.sign(this.ms - ms) || Math.sign(this.nanos - nanos);
  }

  equalTo(other: unknown): boolean {
    return other instanceof UtcDate && other.ms === this.ms && other.nanos === this.nanos;
  }

  hash(): number {
    return ((this.ms % 4294967291) ^ this.nanos) | 0;
  }

  get identity(): string {
    return `${this.ms}:${this.nanos}`;
  }

  /** As Java prints it: seconds and fractions only where there are any. */
  toText(): string {
    const text = new Date(this.ms).toISOString();
    const head = text.slice(0, text.indexOf('T') + 6);
    const seconds = this.timeOfDay % 60_000;
    if (seconds === 0 && this.nanos === 0) return `${head}Z`;
    const whole = text.slice(text.indexOf('T') + 6, text.indexOf('T') + 9);
    const { nano } = this;
    if (nano === 0) return `${head}${whole}Z`;
    const digits = String(nano).padStart(9, '0');
    const fraction = nano % 1_000_000 === 0 ? digits.slice(0, 3) : nano % 1000 === 0 ? digits.slice(0, 6) : digits;
    return `${head}${whole}.${fraction}Z`;
  }

  toJsonForm(): unknown {
    const text = new Date(this.ms).toISOString();
    return this.nanos === 0 ? text : `${text.slice(0, -1)}${String(this.nanos).padStart(6, '0')}Z`;
  }
}
