import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerOf } from '../../../testing/recorded-scripts.js';

/** Scripts and the texts of their results, or of the causes of their errors, as OpenSearch 2.19 answers them. */
const ROWS: readonly (readonly [source: string, answer: string])[] = [
  ["ZoneId.of('Europe/Oslo').getRules().isDaylightSavings(Instant.parse('2024-07-01T00:00:00Z'))", 'true'],
  [
    "ZoneId.of('Europe/Oslo').getRules().getStandardOffset(Instant.parse('2024-07-01T00:00:00Z')).toStrin" + 'g()',
    '+01:00',
  ],
  [
    "ZoneId.of('Europe/Oslo').getRules().getDaylightSavings(Instant.parse('2024-07-01T00:00:00Z')).toStri" + 'ng()',
    'PT1H',
  ],
  [
    "ZoneId.of('Europe/Oslo').getRules().nextTransition(Instant.parse('2024-07-01T00:00:00Z')).toString()",
    'Transition[Overlap at 2024-10-27T03:00+02:00 to +01:00]',
  ],
  [
    "ZoneId.of('Europe/Oslo').getRules().previousTransition(Instant.parse('2024-07-01T00:00:00Z')).toStri" + 'ng()',
    'Transition[Gap at 2024-03-31T02:00+01:00 to +02:00]',
  ],
  [
    "def t = ZoneId.of('America/New_York').getRules().nextTransition(Instant.parse('2024-01-01T00:00:00Z'" +
      ")); t.getInstant() + ' ' + t.getDateTimeBefore() + ' ' + t.getDateTimeAfter() + t.getOffsetBefore() " +
      '+ t.getOffsetAfter() + t.getDuration() + t.isGap() + t.isOverlap() + t.toEpochSecond()',
    '2024-03-10T07:00:00Z 2024-03-10T02:00 2024-03-10T03:00-05:00-04:00PT1Htruefalse1710054000',
  ],
  [
    "ZoneId.of('America/New_York').getRules().getValidOffsets(LocalDateTime.parse('2024-11-03T01:30')).to" + 'String()',
    '[-04:00, -05:00]',
  ],
  [
    "ZoneId.of('America/New_York').getRules().getValidOffsets(LocalDateTime.parse('2024-03-10T02:30')).to" + 'String()',
    '[]',
  ],
  [
    "ZoneId.of('America/New_York').getRules().getTransition(LocalDateTime.parse('2024-03-10T02:30')).toSt" + 'ring()',
    'Transition[Gap at 2024-03-10T02:00-05:00 to -04:00]',
  ],
  ["ZoneId.of('America/New_York').getRules().getTransition(LocalDateTime.parse('2024-03-11T02:30'))", 'null'],
  ['ZoneOffset.ofHours(2).getRules().nextTransition(Instant.EPOCH)', 'null'],
  ['ZoneOffset.ofHours(2).getRules().getStandardOffset(Instant.EPOCH).toString()', '+02:00'],
  ["ZoneId.of('Asia/Tokyo').getRules().nextTransition(Instant.parse('2024-01-01T00:00:00Z'))", 'null'],
  [
    "ZoneId.of('Asia/Tokyo').getRules().previousTransition(Instant.parse('2024-01-01T00:00:00Z')).toStrin" + 'g()',
    'Transition[Overlap at 1951-09-09T01:00+10:00 to +09:00]',
  ],
  ["ZoneId.of('Australia/Sydney').getRules().isDaylightSavings(Instant.parse('2024-01-01T00:00:00Z'))", 'true'],
  ["ZoneId.of('Europe/Dublin').getRules().isDaylightSavings(Instant.parse('2024-07-01T00:00:00Z'))", 'true'],
  [
    "ZoneId.of('Europe/Oslo').getRules().isValidOffset(LocalDateTime.parse('2024-03-31T02:30'), " +
      'ZoneOffset.ofHours(1))',
    'false',
  ],
];

test('rules of zones tell offsets, summer time and changes of clocks as in Java', () => {
  for (const [source, expected] of ROWS) assert.equal(answerOf(source), expected, source);
});
