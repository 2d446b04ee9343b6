import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '@shoal/errors';
import { dateFormat } from './date-format.js';
import { timeZone, UTC } from './zone.js';

const MOMENT = Date.UTC(2024, 0, 2, 3, 4, 5, 678);
const EAST = timeZone('+01:30');
const NEW_YORK = timeZone('America/New_York');

/** Printed by Elasticsearch 8.12 as `key_as_string` of a date_histogram over 2024-01-02T03:04:05.678Z. */
const PRINTED: readonly (readonly [format: string, utc: string, east: string, newYork: string])[] = [
  ['epoch_millis', '1704164645678', '1704164645678', '1704164645678'],
  ['epoch_second', '1704164645.678', '1704164645.678', '1704164645.678'],
  [
    'strict_date_optional_time',
    '2024-01-02T03:04:05.678Z',
    '2024-01-02T04:34:05.678+01:30',
    '2024-01-01T22:04:05.678-05:00',
  ],
  ['basic_date', '20240102', '20240102', '20240101'],
  ['basic_date_time', '20240102T030405.678Z', '20240102T043405.678+01:30', '20240101T220405.678-05:00'],
  ['basic_ordinal_date', '2024002', '2024002', '2024001'],
  ['basic_t_time_no_millis', 'T030405Z', 'T043405+01:30', 'T220405-05:00'],
  ['basic_week_date', '2024W012', '2024W012', '2024W011'],
  ['date_hour_minute', '2024-01-02T03:04', '2024-01-02T04:34', '2024-01-01T22:04'],
  ['date_hour_minute_second_fraction', '2024-01-02T03:04:05.678', '2024-01-02T04:34:05.678', '2024-01-01T22:04:05.678'],
  ['ordinal_date_time', '2024-002T03:04:05.678Z', '2024-002T04:34:05.678+01:30', '2024-001T22:04:05.678-05:00'],
  ['week_date', '2024-W01-2', '2024-W01-2', '2024-W01-1'],
  ['weekyear_week', '2024-W01', '2024-W01', '2024-W01'],
  ['year_month', '2024-01', '2024-01', '2024-01'],
  ['EEE MMM d yyyy', 'Tue Jan 2 2024', 'Tue Jan 2 2024', 'Mon Jan 1 2024'],
  ['yyyy QQQ', '2024 Q1', '2024 Q1', '2024 Q1'],
  ['G yy w e', 'AD 24 1 2', 'AD 24 1 2', 'AD 24 1 1'],
  ['h:mm a', '3:04 AM', '4:34 AM', '10:04 PM'],
  [
    'kk KK S SS SSSSSS n N A',
    '03 03 6 67 678000 678000000 11045678000000 11045678',
    '04 04 6 67 678000 678000000 16445678000000 16445678',
    '22 10 6 67 678000 678000000 79445678000000 79445678',
  ],
  [
    'VV X XX XXX x xx xxx',
    'UTC Z Z Z +00 +0000 +00:00',
    '+01:30 +0130 +0130 +01:30 +0130 +0130 +01:30',
    'America/New_York -05 -0500 -05:00 -05 -0500 -05:00',
  ],
  [
    'Z ZZZZ ZZZZZ O OOOO',
    '+0000 GMT Z GMT GMT',
    '+0130 GMT+01:30 +01:30 GMT+1:30 GMT+01:30',
    '-0500 GMT-05:00 -05:00 GMT-5 GMT-05:00',
  ],
  ["u yyy yyyyy 'T'''", "2024 2024 02024 T'", "2024 2024 02024 T'", "2024 2024 02024 T'"],
];

test('dates print as Elasticsearch prints them, in every zone', () => {
  for (const [format, utc, east, newYork] of PRINTED) {
    const { print } = dateFormat(format);
    assert.deepEqual([print(MOMENT, UTC), print(MOMENT, EAST), print(MOMENT, NEW_YORK)], [utc, east, newYork], format);
  }
});

const refused = (format: string, text: string): string => {
  try {
    dateFormat(format).parse(text);
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return `${error.reason}${error.causedBy ? ` <- ${error.causedBy.reason}` : ''}`;
  }
  return 'accepted';
};

test('the default format takes what Elasticsearch takes', () => {
  const { parse } = dateFormat('strict_date_optional_time||epoch_millis');
  const iso = (text: string): string => new Date(parse(text)).toISOString();
  assert.equal(iso('2024'), '2024-01-01T00:00:00.000Z');
  assert.equal(iso('2024-02'), '2024-02-01T00:00:00.000Z');
  assert.equal(iso('2024-01-01T'), '2024-01-01T00:00:00.000Z');
  assert.equal(iso('2024-01T10'), '2024-01-01T10:00:00.000Z');
  assert.equal(iso('2024-01-01T10Z'), '2024-01-01T10:00:00.000Z');
  assert.equal(iso('2024-01-01T10:00:00,123Z'), '2024-01-01T10:00:00.123Z');
  assert.equal(iso('2024-01-01T10:00:00.123456789+0100'), '2024-01-01T09:00:00.123Z');
  assert.equal(iso('2024-01-01T10:00:00'), '2024-01-01T10:00:00.000Z');
  assert.equal(iso('2024-01-01T10:00:00.5'), '2024-01-01T10:00:00.500Z');
  assert.equal(iso('2024-01-01T10:00:00.123-05:30'), '2024-01-01T15:30:00.123Z');
  assert.equal(iso('2024-01-01T10:00:00+01:00:30'), '2024-01-01T08:59:30.000Z');
  assert.equal(iso('2024-07-01T10:00:00Europe/Paris'), '2024-07-01T08:00:00.000Z');
  assert.equal(iso('2024-01-01T10:00:00UTC'), '2024-01-01T10:00:00.000Z');
  assert.equal(iso('-2024-01-01'), '-002024-01-01T00:00:00.000Z');
  assert.equal(parse('20240101'), 20240101);
  assert.equal(parse('-5'), -5);
  assert.equal(parse('1.5'), 1);
});

test('the default format refuses what Elasticsearch refuses', () => {
  const format = 'strict_date_optional_time||epoch_millis';
  const all = [
    '2024-13-01',
    '2024-02-30',
    '12024-01-01',
    '+12024-01-01',
    '2024-01-01Z',
    '2024-01-01T10:00:00.1234567891Z',
    '2024-01-01T24:00:00',
    '2024-01-01T10:00:60',
    '2024-01-01T10:00:00+1',
    '2024-01-01t10:00',
    'T10',
    'foo',
    '2024-01-01T10:00:00z',
    '12345678901234567890',
  ];
  for (const text of all) {
    assert.equal(
      refused(format, text),
      `failed to parse date field [${text}] with format [${format}] <- Failed to parse with all enclosed parsers`,
    );
  }
  assert.equal(refused(format, ''), 'cannot parse empty date');
});

test('errors of a single pattern name the place', () => {
  assert.equal(
    refused('yyyy-MM-dd', '2024-1-1'),
    "failed to parse date field [2024-1-1] with format [yyyy-MM-dd] <- Text '2024-1-1' could not be parsed at index 5",
  );
  assert.equal(
    refused('yyyy-MM-dd', '20240-01-01'),
    "failed to parse date field [20240-01-01] with format [yyyy-MM-dd] <- Text '20240-01-01' could not be parsed " +
      'at index 0',
  );
  assert.equal(
    refused('yyyy-MM-dd', '2024'),
    "failed to parse date field [2024] with format [yyyy-MM-dd] <- Text '2024' could not be parsed at index 4",
  );
  assert.equal(refused('yyyy-MM-dd', '2024-02-30'), "Invalid date 'FEBRUARY 30'");
  assert.equal(
    refused('date_optional_time', '1234567890'),
    "failed to parse date field [1234567890] with format [date_optional_time] <- Text '1234567890' could not be " +
      'parsed, unparsed text found at index 9',
  );
});

test('an unknown letter makes a format invalid', () => {
  assert.throws(() => dateFormat('rfc3339_lenient'), /Invalid format: \[rfc3339_lenient\]: Unknown pattern letter: r/);
});

test('lenient formats take fewer digits, epoch formats fractions, patterns names and zones', () => {
  assert.equal(dateFormat('date_optional_time').parse('2024-1-1T1:2:3'), Date.UTC(2024, 0, 1, 1, 2, 3));
  assert.equal(dateFormat('week_date').parse('2024-W1-1'), Date.UTC(2024, 0, 1));
  assert.equal(dateFormat('epoch_second').parse('-1.5'), -1500);
  assert.equal(dateFormat('epoch_second').parse('1234567.123'), 1234567123);
  assert.equal(dateFormat('yyyyMMdd HHmmss.SSS Z').parse('20240102 030405.678 +0100'), MOMENT - 3_600_000);
  assert.equal(
    dateFormat('EEE, dd MMM yyyy HH:mm:ss zzz').parse('Tue, 02 Jan 2024 03:04:05 CET'),
    Date.UTC(2024, 0, 2, 2, 4, 5),
  );
  assert.equal(dateFormat('yyyy/MM/dd HH:mm:ss||yyyy/MM/dd').parse('2024/01/01'), Date.UTC(2024, 0, 1));
  assert.equal(
    dateFormat('strict_date_optional_time_nanos').parseNanos('2024-01-02T03:04:05.678912345Z'),
    BigInt(MOMENT) * 1_000_000n + 912345n,
  );
});

test('rounding fills missing parts and date math moves and rounds', () => {
  const { parseRounded } = dateFormat('strict_date_optional_time||epoch_millis');
  const at = (text: string, roundUp: boolean, zone = UTC): string =>
    new Date(parseRounded(text, { roundUp, now: () => MOMENT, zone })).toISOString();
  assert.equal(at('2024-02', true), '2024-02-01T23:59:59.999Z');
  assert.equal(at('2024-02', false), '2024-02-01T00:00:00.000Z');
  assert.equal(at('2024-02-05||/M', true), '2024-02-29T23:59:59.999Z');
  assert.equal(at('now-1d/d', false), '2024-01-01T00:00:00.000Z');
  assert.equal(at('now+1M', false), '2024-02-02T03:04:05.678Z');
  assert.equal(at('2024-01-31||+1M', false), '2024-02-29T00:00:00.000Z');
  assert.equal(at('now/d', false, NEW_YORK), '2024-01-01T05:00:00.000Z');
  assert.equal(at('2024-07-01', false, NEW_YORK), '2024-07-01T04:00:00.000Z');
  assert.throws(() => at('now/zz', false), /unit \[z\] not supported for date math \[\/zz\]/);
  assert.throws(
    () => at('xx', false),
    /failed to parse date field \[xx\] with format \[strict_date_optional_time\|\|epoch_millis\]: \[/,
  );
});

test('the first and last moment of 64 bits print with all their digits', () => {
  const last = 2n ** 63n - 1n;
  for (const [format, max, min] of [
    ['strict_date_optional_time', '+292278994-08-17T07:12:55.807Z', '-292275055-05-16T16:47:04.192Z'],
    ['epoch_millis', '9223372036854775807', '-9223372036854775808'],
    ['epoch_second', '9223372036854775.807', '-9223372036854775.808'],
    ['yyyy-MM-dd', '+292278994-08-17', '+292275056-05-16'],
  ] as const)
    assert.deepEqual([dateFormat(format).print(last), dateFormat(format).print(-last - 1n)], [max, min]);
});

test('what a format prints it reads back', () => {
  const formats = [
    'strict_date_optional_time',
    'epoch_millis',
    'basic_date_time',
    'date_time',
    'week_date_time',
    'ordinal_date_time',
    "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
    'EEEE d MMMM uuuu HH:mm:ss.SSS xx',
  ].map(dateFormat);
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(1000, 0, 1), max: Date.UTC(9999, 0, 1) }),
      fc.constantFrom(UTC, EAST, timeZone('-03:00')),
      (ms, zone) => {
        for (const format of formats) assert.equal(format.parse(format.print(ms, zone), zone), ms, format.pattern);
      },
    ),
  );
});

test('an end that is a number of seconds or milliseconds is the last nanosecond of it', () => {
  const options = (roundUp: boolean) => ({ roundUp, now: () => MOMENT, zone: UTC });
  const seconds = dateFormat('yyyy||epoch_second').parseRounded;
  assert.equal(seconds('1706745600', options(true)), 1706745600999);
  assert.equal(seconds('1706745600', options(false)), 1706745600000);
  assert.equal(seconds('1706745600.25', options(true)), 1706745600250);
  assert.equal(dateFormat('epoch_millis').parseRounded('1706745600000', options(true)), 1706745600000);
});

test('a format of more characters than are compiled in one piece is refused', () => {
  assert.throws(() => dateFormat('y||'.repeat(21_846)), {
    reason: 'a date format has [65538] characters, more than [65536]',
  });
});
