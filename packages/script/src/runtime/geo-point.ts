import { illegalArgument } from './thrown.js';
import { ScriptObject } from './values.js';

/** A point of the earth, in degrees. */
export class GeoPointValue extends ScriptObject {
  readonly javaClass = 'org.elasticsearch.common.geo.GeoPoint';
  readonly lat: number;
  readonly lon: number;

  constructor(lat: number, lon: number) {
    super();
    if (Number.isNaN(lat) || Number.isNaN(lon)) throw illegalArgument('a point needs a latitude and a longitude');
    this.lat = lat;
    this.lon = lon;
  }

  toText(): string {
    return `${this.lat}, ${this.lon}`;
  }

  toJsonForm(): unknown {
    return { lat: this.lat, lon: this.lon };
  }

  equalTo(other: unknown): boolean {
    return other instanceof GeoPointValue && other.lat === this.lat && other.lon === this.lon;
  }

  hash(): number {
    return (this.lat * 31 + this.lon) | 0;
  }
}
