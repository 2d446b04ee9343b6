import { errors } from '@shoal/errors';
import { formatIp, ipNetwork, isIpv4, parseIp } from '@shoal/values';
import { Reader } from 'mmdb-lib';
import { isObject } from '../java-values.js';
import { RecentMap } from '../recent-map.js';

/** Addresses whose records are kept. */
const RECORDS_MAX = 1000;
/** Values of the file, shared by records, that are kept decoded. */
const VALUES_MAX = 4096;

/** What a database knows of an address. */
export interface GeoRecord {
  /** The address in its usual form. */
  readonly ip: string;
  /** Network in CIDR notation, all of whose addresses have the same record. */
  readonly network: string;
  /** Values as MaxMind's format names them; not to be changed. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A file in MaxMind's format that maps networks to records. */
export interface GeoDatabase {
  /** Type of the records, such as `GeoLite2-City`. */
  readonly type: string;
  /** Returns the record of an address; null if there is none. Throws for what is no address. */
  find(address: string): GeoRecord | null;
}

/** Opens a database that is in memory. Takes over `bytes`. Throws for other formats. */
export function openGeoDatabase(bytes: Buffer): GeoDatabase {
  const reader = readerOf(bytes);
  const records = new RecentMap<string, GeoRecord | 'none'>(RECORDS_MAX);
  const recordOf = (address: string): GeoRecord | 'none' => {
    const ip = parseIp(address);
    if (ip === null) throw errors.illegalArgument(`'${address}' is not an IP string literal.`);
    const text = formatIp(ip);
    const [fields, prefixBits] = reader.getWithPrefixLength(text) as [unknown, number];
    if (!isObject(fields)) return 'none';
    return { ip: text, network: networkText(ip, prefixBits), fields };
  };
  return {
    type: reader.metadata.databaseType,
    find(address) {
      const known = records.get(address);
      const record = known ?? recordOf(address);
      if (known === undefined) records.set(address, record);
      return record === 'none' ? null : record;
    },
  };
}

function readerOf(bytes: Buffer): Reader<never> {
  try {
    return new Reader<never>(bytes, { cache: new RecentMap(VALUES_MAX) });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw errors.illegalArgument(`not a database in the format of MaxMind: ${why}`);
  }
}

/** Network of the first `prefixBits` bits of an address. Terms have 128 bits, addresses of IPv4 32 in the tree. */
function networkText(ip: string, prefixBits: number): string {
  return `${formatIp(ipNetwork(ip, isIpv4(ip) ? prefixBits + 96 : prefixBits))}/${prefixBits}`;
}
