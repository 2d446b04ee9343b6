import { ScriptObject } from '../script-object.js';
import { UtcDate } from '../utc-date.js';

/** A point of time without a calendar, within the range of milliseconds of JavaScript. */
export class UtcInstant extends ScriptObject {
  readonly javaClass = 'java.time.Instant';
  readonly date: UtcDate;

  constructor(date: UtcDate) {
    super();
    this.date = date;
  }

  /** Seconds are always printed. */
  toText(): string {
    const text = this.date.toText();
    return /T\d\d:\d\dZ$/.test(text) ? text.replace('Z', ':00Z') : text;
  }

  compare(other: unknown): number {
    if (other instanceof UtcInstant) return this.date.compare(other.date);
    return -(other as { compare(one: unknown): number }).compare(this);
  }

  equalTo(other: unknown): boolean {
    return other instanceof UtcInstant && this.date.equalTo(other.date);
  }

  hash(): number {
    return this.date.hash();
  }

  get identity(): string {
    return this.date.identity;
  }

  toJsonForm(): unknown {
    return this.date.toJsonForm();
  }
}
