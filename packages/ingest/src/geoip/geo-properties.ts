import { double, isObject } from '../java-values.js';
import type { GeoRecord } from './geo-database.js';

/** Returns a property of a record; undefined if the record does not tell it. */
type Property = (record: GeoRecord) => unknown;

/** Returns the value at a path of a record; undefined if there is none. */
function at({ fields }: GeoRecord, ...path: readonly (string | number)[]): unknown {
  let value: unknown = fields;
  for (const element of path) {
    if (Array.isArray(value)) value = value[Number(element)];
    else if (isObject(value) && Object.hasOwn(value, element)) value = value[element];
    else return undefined;
  }
  return value;
}

/** The last of the subdivisions is the smallest one. */
function subdivision(record: GeoRecord, ...path: readonly string[]): unknown {
  const all = at(record, 'subdivisions');
  return Array.isArray(all) && all.length > 0 ? at(record, 'subdivisions', all.length - 1, ...path) : undefined;
}

function regionCode(record: GeoRecord): unknown {
  const country = at(record, 'country', 'iso_code');
  const region = subdivision(record, 'iso_code');
  return country === undefined || region === undefined ? undefined : `${String(country)}-${String(region)}`;
}

function location(record: GeoRecord): unknown {
  const [lat, lon] = [at(record, 'location', 'latitude'), at(record, 'location', 'longitude')];
  return typeof lat === 'number' && typeof lon === 'number' ? { lat: double(lat), lon: double(lon) } : undefined;
}

const PROPERTIES: Readonly<Record<string, Property>> = {
  ip: ({ ip }) => ip,
  country_iso_code: (record) => at(record, 'country', 'iso_code'),
  country_name: (record) => at(record, 'country', 'names', 'en'),
  continent_name: (record) => at(record, 'continent', 'names', 'en'),
  region_iso_code: regionCode,
  region_name: (record) => subdivision(record, 'names', 'en'),
  city_name: (record) => at(record, 'city', 'names', 'en'),
  timezone: (record) => at(record, 'location', 'time_zone'),
  location,
  asn: (record) => at(record, 'autonomous_system_number'),
  organization_name: (record) => at(record, 'autonomous_system_organization'),
  network: ({ network }) => network,
};

interface Kind {
  /** End of the types of databases. */
  readonly suffix: string;
  readonly all: readonly string[];
  /** Those of processors that name none. */
  readonly usual: readonly string[];
}

const COUNTRY = ['continent_name', 'country_name', 'country_iso_code'];
const REGION = ['region_iso_code', 'region_name', 'city_name'];
const ASN = ['ip', 'asn', 'organization_name', 'network'];

const KINDS: readonly Kind[] = [
  {
    suffix: '-City',
    all: ['ip', 'country_iso_code', 'country_name', 'continent_name', ...REGION, 'timezone', 'location'],
    usual: [...COUNTRY, ...REGION, 'location'],
  },
  { suffix: '-Country', all: ['ip', ...COUNTRY], usual: COUNTRY },
  { suffix: '-ASN', all: ASN, usual: ASN },
];

/** Why properties cannot be read from a database: the option at fault and the message. */
export interface GeoRefusal {
  readonly option: 'database_file' | 'properties';
  readonly reason: string;
}

/** Returns a record as an object with some properties. */
export type GeoFields = (record: GeoRecord) => Record<string, unknown>;

/** Makes the reader of properties (null: the usual ones) from records of a type of database, or tells what is wrong. */
export function geoFields(databaseType: string, names: readonly string[] | null): GeoFields | GeoRefusal {
  const kind = KINDS.find(({ suffix }) => databaseType.endsWith(suffix));
  if (kind === undefined) return { option: 'database_file', reason: `Unsupported database type [${databaseType}]` };
  const wanted = (names ?? kind.usual).map((name) => name.toLowerCase());
  const unknown = wanted.find((name) => !kind.all.includes(name));
  if (unknown !== undefined) {
    const valid = kind.all.map((name) => name.toUpperCase()).join(', ');
    const reason = `illegal property value [${unknown.toUpperCase()}]. valid values are [${valid}]`;
    return { option: 'properties', reason };
  }
  const properties = kind.all.filter((name) => wanted.includes(name));
  return (record) => {
    const result: Record<string, unknown> = {};
    for (const name of properties) {
      const value = PROPERTIES[name]!(record);
      if (value !== undefined) result[name] = value;
    }
    return result;
  };
}
