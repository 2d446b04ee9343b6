import { hashOf } from './equality.js';
import { boxLong } from './boxes.js';
import { ScriptObject } from './script-object.js';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** java.util.Date: milliseconds since 1970. */
export class JavaDate extends ScriptObject {
  readonly javaClass = 'java.util.Date';
  ms: number;

  constructor(ms: number) {
    super();
    this.ms = ms;
  }

  toText(): string {
    const date = new Date(this.ms);
    if (Number.isNaN(date.getTime())) return String(this.ms);
    const two = (value: number): string => String(value).padStart(2, '0');
    const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(':');
    const day = `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${two(date.getUTCDate())}`;
    return `${day} ${time} UTC ${date.getUTCFullYear()}`;
  }

  compare(other: unknown): number {
    return Math.sign(this.ms - (other as JavaDate).ms);
  }

  equalTo(other: unknown): boolean {
    return other instanceof JavaDate && other.ms === this.ms;
  }

  hash(): number {
    return hashOf(boxLong(this.ms));
  }

  get identity(): string {
    return String(this.ms);
  }

  toJsonForm(): unknown {
    const date = new Date(this.ms);
    return Number.isNaN(date.getTime()) ? this.ms : date.toISOString();
  }
}
