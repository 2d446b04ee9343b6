import { isApiError } from '@shoal/errors';
import { hashCode, timeZone, type Zone } from '@shoal/values';
import { ScriptObject } from '../script-object.js';

/** java.util.TimeZone. */
export class ZoneValue extends ScriptObject {
  readonly javaClass = 'java.util.TimeZone';
  readonly zone: Zone;

  constructor(zone: Zone) {
    super();
    this.zone = zone;
  }

  toText(): string {
    return this.zone.id;
  }

  equalTo(other: unknown): boolean {
    return other instanceof ZoneValue && other.zone.id === this.zone.id;
  }

  hash(): number {
    return hashCode(this.zone.id);
  }

  get identity(): string {
    return this.zone.id;
  }

  /** An unknown zone is GMT. */
  static of(id: string): ZoneValue {
    try {
      return new ZoneValue(timeZone(id));
    } catch (error) {
      if (!isApiError(error)) throw error;
      return new ZoneValue(timeZone('GMT'));
    }
  }
}
