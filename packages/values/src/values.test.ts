import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatByteSize, parseByteSize } from './byte-size.js';
import { formatDouble } from './double-text.js';
import { decodeLat, decodeLon, encodeLat, encodeLon } from './geo/encoding.js';
import { haversineMeters, parseDistance } from './geo/distance.js';
import { parseGeoPoint } from './geo/geo-point.js';
import { geohashBox, geohashCell, geohashEncode, geohashText } from './geo/geohash.js';
import { geotileBox, geotileEncode } from './geo/geotile.js';
import { formatIp, parseCidr, parseIp } from './ip.js';
import { suggestNames } from './suggest-names.js';
import { formatTimeValue, parseTimeValue } from './time-value.js';

test('time values are read and printed with their unit', () => {
  assert.deepEqual(
    ['30s', '5m', '1d', '-1', '0', '100ms', '1H'].map((t) => parseTimeValue(t, 's')),
    [30_000, 300_000, 86_400_000, -1, 0, 100, 3_600_000],
  );
  assert.deepEqual([90_000, 230, 371_520_000, 0, -1].map(formatTimeValue), ['1.5m', '230ms', '4.3d', '0s', '-1']);
  assert.throws(
    () => parseTimeValue('5', 'index.refresh_interval'),
    new RegExp(
      'failed to parse setting \\[index.refresh_interval\\] with value \\[5\\] ' +
        'as a time value: unit is missing or unrecognized',
    ),
  );
  assert.throws(() => parseTimeValue('1M', 'x'), /unit is missing or unrecognized/);
  assert.throws(() => parseTimeValue('1.5d', 'x'), /fractional time values are not supported/);
});

test('byte sizes are read and printed with their unit', () => {
  assert.deepEqual(
    ['10mb', '1.5kb', '7b', '-1', '2G'].map((t) => parseByteSize(t, 's')),
    [10_485_760, 1536, 7, -1, 2 ** 31],
  );
  assert.deepEqual([23_040, 249, 2 ** 30].map(formatByteSize), ['22.5kb', '249b', '1gb']);
  assert.throws(() => parseByteSize('10', 's'), /unit is missing or unrecognized/);
});

test('doubles print as in Java', () => {
  assert.deepEqual([4, 1e10, 0.00001, -0.5, 1234567, 12345678, 0, 1e-3].map(formatDouble), [
    '4.0',
    '1.0E10',
    '1.0E-5',
    '-0.5',
    '1234567.0',
    '1.2345678E7',
    '0.0',
    '0.001',
  ]);
});

test('addresses survive reading and printing', () => {
  for (const text of ['10.0.0.1', '::1', '2001:db8::1', '::', 'fe80::1:0:0:1', '2001:0:0:1::1'])
    assert.equal(formatIp(parseIp(text)!), text);
  assert.equal(formatIp(parseIp('::ffff:1.2.3.4')!), '1.2.3.4');
  for (const text of ['1.2.3', '256.1.1.1', '1:2:3', ':::', 'x', '01.2.3.4']) assert.equal(parseIp(text), null, text);
  const block = parseCidr('10.1.2.3/8')!;
  assert.deepEqual([formatIp(block.low), formatIp(block.high)], ['10.0.0.0', '10.255.255.255']);
  assert.equal(formatIp(parseCidr('2001:db8::/32')!.high), '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff');
});

const degrees = (limit: number): fc.Arbitrary<number> =>
  fc.integer({ min: -limit * 1e6, max: limit * 1e6 }).map((n) => n / 1e6);

test('geohashes and tiles hold their points', () => {
  assert.equal(geohashEncode(52.374081, 4.91235, 5), 'u173z');
  const point = fc.record({ lat: degrees(85), lon: degrees(179), length: fc.integer({ min: 1, max: 9 }) });
  fc.assert(
    fc.property(point, ({ lat, lon, length }) => {
      const hash = geohashEncode(lat, lon, length);
      assert.equal(geohashText(geohashCell(lat, lon, length), length), hash);
      for (const box of [geohashBox(hash), geotileBox(geotileEncode(lat, lon, length))]) {
        assert.ok(box.bottom <= lat + 1e-9 && lat <= box.top + 1e-9 && box.left <= lon && lon <= box.right);
      }
      assert.ok(Math.abs(decodeLat(encodeLat(lat)) - lat) < 1e-7 && Math.abs(decodeLon(encodeLon(lon)) - lon) < 1e-7);
    }),
  );
  assert.equal(decodeLat(encodeLat(41.1)), 41.09999998938292);
});

test('geo points are read in all their forms', () => {
  const point = { lat: 41, lon: 2 };
  for (const form of [{ lat: 41, lon: '2' }, [2, 41], '41,2', 'POINT (2 41)', { type: 'Point', coordinates: [2, 41] }])
    assert.deepEqual(parseGeoPoint(form), [point]);
  assert.deepEqual(parseGeoPoint([[2, 41], '41,2']), [point, point]);
  assert.throws(() => parseGeoPoint({ lat: 1 }), /Required \[lon\]/);
  assert.throws(() => parseGeoPoint('xx!'), /unsupported symbol \[!\] in geohash \[xx!\]/);
  assert.throws(() => parseGeoPoint(true), /geo_point expected/);
});

test('distances have units', () => {
  assert.deepEqual(
    ['1km', '5', '2nmi', '1mi'].map((t) => parseDistance(t)),
    [1000, 5, 3704, 1609.344],
  );
  assert.throws(() => parseDistance('10zz'), /For input string: "10zz"/);
  assert.equal(Math.round(haversineMeters(0, 0, 0, 1)), 111195);
});

test('near names are suggested, nearest first', () => {
  assert.deepEqual(suggestNames('rate', ['range', 'terms', 'avg']), ['range']);
  assert.deepEqual(suggestNames('xxxxx', ['range', 'terms']), []);
});
