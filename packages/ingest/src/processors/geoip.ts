import { errors } from '@shoal/errors';
import { type GeoDatabase } from '../geoip/geo-database.js';
import { type GeoFields, geoFields } from '../geoip/geo-properties.js';
import type { ProcessorType } from '../processor-type.js';

type GeoData = Record<string, unknown>;

/** Looks one address up; null if the database knows nothing of it. */
function dataOf(database: GeoDatabase, fields: GeoFields, address: string): GeoData | null {
  const record = database.find(address);
  const data = record && fields(record);
  return data === null || Object.keys(data).length === 0 ? null : data;
}

/** Looks a list of addresses up: what is known of the first that is known, or of each; null if of none. */
function listData(
  addresses: readonly unknown[],
  field: string,
  firstOnly: boolean,
  find: (ip: string) => GeoData | null,
) {
  const all: (GeoData | null)[] = [];
  for (const address of addresses) {
    if (typeof address !== 'string')
      throw errors.illegalArgument(`array in field [${field}] should only contain strings`);
    const data = find(address);
    if (data !== null && firstOnly) return data;
    all.push(data);
  }
  return all.some((data) => data !== null) ? all : null;
}

/** Tells where the address of a field is, by a database of networks. */
export const geoip: ProcessorType = {
  name: 'geoip',
  parse(config, site) {
    const field = config.string('field');
    const target = config.stringOr('target_field', 'geoip');
    const file = config.stringOr('database_file', 'GeoLite2-City.mmdb');
    const names = config.optionalStrings('properties');
    const ignoreMissing = config.boolean('ignore_missing', false);
    const firstOnly = config.boolean('first_only', true);
    config.boolean('download_database_on_pipeline_creation', true);
    config.optional('fallback_to_default_databases');
    const fieldsOf = (database: GeoDatabase): GeoFields => {
      const fields = geoFields(database.type, names);
      if (typeof fields === 'function') return fields;
      throw config.error(fields.option, fields.reason);
    };
    // A database may come or be replaced after the pipeline was compiled.
    let known: { readonly database: GeoDatabase; readonly fields: GeoFields } | null = null;
    const current = (): typeof known => {
      const database = site.databases.geo.get(file);
      if (database === null) return null;
      if (known?.database !== database) known = { database, fields: fieldsOf(database) };
      return known;
    };
    current();
    return (document) => {
      const using = current();
      if (using === null) return document.append('tags', `_geoip_database_unavailable_${file}`);
      const value = document.get(field, ignoreMissing) ?? null;
      if (value === null) {
        if (ignoreMissing) return;
        throw errors.illegalArgument(`field [${field}] is null, cannot extract geoip information.`);
      }
      const find = (ip: string): GeoData | null => dataOf(using.database, using.fields, ip);
      if (typeof value !== 'string' && !Array.isArray(value))
        throw errors.illegalArgument(`field [${field}] should contain only string or array of strings`);
      const data = typeof value === 'string' ? find(value) : listData(value, field, firstOnly, find);
      if (data !== null) document.set(target, document.copyOf(data));
    };
  },
};
