import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noDatabases, type IngestDatabases } from '../databases.js';
import { LoadedGeoDatabases } from '../geoip/geo-databases.js';
import { outcome, processorTable } from '../testing/pipeline-table.js';
import { writeMmdb } from '../testing/mmdb-writer.js';

const OSLO = {
  continent: { code: 'EU', names: { en: 'Europe' } },
  country: { iso_code: 'NO', names: { en: 'Norway', de: 'Norwegen' } },
  subdivisions: [{ iso_code: '03', names: { en: 'Oslo County' } }],
  city: { names: { en: 'Oslo' } },
  location: { latitude: 59.9139, longitude: 10.7522, time_zone: 'Europe/Oslo' },
};

const CITY = writeMmdb('GeoLite2-City', {
  '2.125.160.0/20': OSLO,
  '89.160.20.128/25': { country: { iso_code: 'SE', names: { en: 'Sweden' } } },
  '2001:db8::/32': { continent: { names: { en: 'Nowhere' } } },
});
const ASN = writeMmdb('GeoLite2-ASN', {
  '1.128.0.0/11': { autonomous_system_number: 1221, autonomous_system_organization: 'Telstra Pty Ltd' },
});

function databases(): { readonly all: IngestDatabases; readonly geo: LoadedGeoDatabases } {
  const geo = new LoadedGeoDatabases();
  geo.load('GeoLite2-City.mmdb', CITY);
  geo.load('asn.mmdb', ASN);
  geo.load('other.mmdb', writeMmdb('Own-Things', { '1.0.0.0/8': {} }));
  return { all: { ...noDatabases(), geo }, geo };
}

const table = (rows: Parameters<typeof processorTable>[1]): Promise<void> =>
  processorTable('geoip', rows, null, databases().all);

test('geoip adds what a database knows of an address', () =>
  table([
    [
      { field: 'a' },
      '{"a":"2.125.160.216"}',
      '{"a":"2.125.160.216","geoip":{"country_iso_code":"NO","country_name":"Norway","continent_name":"Europe",' +
        '"region_iso_code":"NO-03","region_name":"Oslo County","city_name":"Oslo",' +
        '"location":{"lat":59.9139,"lon":10.7522}}}',
    ],
    [
      { field: 'a', target_field: 'g', properties: ['ip', 'TIMEZONE', 'country_name'] },
      '{"a":"2.125.175.255"}',
      '{"a":"2.125.175.255","g":{"ip":"2.125.175.255","country_name":"Norway","timezone":"Europe/Oslo"}}',
    ],
    [{ field: 'a' }, '{"a":"2001:db8:0::1"}', '{"a":"2001:db8:0::1","geoip":{"continent_name":"Nowhere"}}'],
    [{ field: 'a' }, '{"a":"127.0.0.1"}', '{"a":"127.0.0.1"}'],
    [
      { field: 'a', database_file: 'asn.mmdb', target_field: 'as' },
      '{"a":"1.128.3.4"}',
      '{"a":"1.128.3.4","as":{"ip":"1.128.3.4","asn":1221,"organization_name":"Telstra Pty Ltd",' +
        '"network":"1.128.0.0/11"}}',
    ],
  ]));

test('geoip takes lists of addresses', () =>
  table([
    [
      { field: 'a', properties: ['country_name'] },
      '{"a":["127.0.0.1","89.160.20.130","2.125.160.1"]}',
      '{"a":["127.0.0.1","89.160.20.130","2.125.160.1"],"geoip":{"country_name":"Sweden"}}',
    ],
    [
      { field: 'a', properties: ['country_name'], first_only: false },
      '{"a":["127.0.0.1","89.160.20.130"]}',
      '{"a":["127.0.0.1","89.160.20.130"],"geoip":[null,{"country_name":"Sweden"}]}',
    ],
    [
      { field: 'a' },
      '{"a":["127.0.0.1",1]}',
      'illegal_argument_exception: array in field [a] should only contain strings',
    ],
    [{ field: 'a' }, '{"a":1}', 'illegal_argument_exception: field [a] should contain only string or array of strings'],
    [{ field: 'a' }, '{"a":"zz"}', "illegal_argument_exception: 'zz' is not an IP string literal."],
    [{ field: 'a' }, '{"a":null}', 'illegal_argument_exception: field [a] is null, cannot extract geoip information.'],
    [{ field: 'a', ignore_missing: true }, '{}', '{}'],
  ]));

test('geoip refuses properties and databases that it does not know', () =>
  table([
    [
      { field: 'a', properties: ['asn'] },
      '{}',
      'parse_exception: [properties] illegal property value [ASN]. valid values are [IP, COUNTRY_ISO_CODE, ' +
        'COUNTRY_NAME, CONTINENT_NAME, REGION_ISO_CODE, REGION_NAME, CITY_NAME, TIMEZONE, LOCATION]',
    ],
    [
      { field: 'a', database_file: 'other.mmdb' },
      '{}',
      'parse_exception: [database_file] Unsupported database type [Own-Things]',
    ],
  ]));

test('a document is tagged while there is no database, and looked up once there is one', async () => {
  const geo = new LoadedGeoDatabases();
  const all = { ...noDatabases(), geo };
  const run = (): Promise<string> =>
    outcome([{ geoip: { field: 'a', properties: ['country_name'] } }], '{"a":"89.160.20.130"}', null, all);
  assert.equal(await run(), '{"a":"89.160.20.130","tags":["_geoip_database_unavailable_GeoLite2-City.mmdb"]}');
  geo.load('GeoLite2-City.mmdb', CITY);
  assert.equal(await run(), '{"a":"89.160.20.130","geoip":{"country_name":"Sweden"}}');
  assert.throws(
    () => geo.load('GeoLite2-City.mmdb', Buffer.from('no database')),
    /not a database in the format of MaxMind/,
  );
  assert.deepEqual(geo.names(), ['GeoLite2-City.mmdb']);
});
