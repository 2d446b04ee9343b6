import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerOf } from '../../../testing/recorded-scripts.js';

/** Scripts and the texts of their results, or of the causes of their errors, as OpenSearch 2.19 answers them. */
const ROWS: readonly (readonly [source: string, answer: string])[] = [
  [
    "new DateTimeFormatterBuilder().appendPattern('yyyy-MM-dd').optionalStart().appendPattern(' " +
      "HH:mm').optionalEnd().toFormatter().format(LocalDate.of(2024,2,29))",
    '2024-02-29',
  ],
  ["DateTimeFormatter.ofPattern('yyyy-MM-dd[ HH:mm]').format(LocalDate.of(2024,2,29))", '2024-02-29'],
  ["DateTimeFormatter.ofPattern('yyyy-MM-dd[ HH:mm]').format(LocalDateTime.of(2024,2,29,10,11))", '2024-02-29 10:11'],
  ["LocalDate.parse('2024-02-30', DateTimeFormatter.ofPattern('yyyy-MM-dd')).toString()", '2024-02-29'],
  ["LocalDate.parse('2024-02-30', DateTimeFormatter.ofPattern('uuuu-MM-dd')).toString()", '2024-02-29'],
  [
    "LocalDate.parse('01-FEB-2024', new DateTimeFormatterBuilder().parseCaseInsensitive().appendPattern('" +
      "dd-MMM-yyyy').toFormatter(Locale.ENGLISH)).toString()",
    '2024-02-01',
  ],
  [
    "LocalDate.parse('01-FEB-2024', new DateTimeFormatterBuilder().appendPattern('dd-MMM-yyyy').toFormatt" +
      'er(Locale.ENGLISH)).toString()',
    "date_time_parse_exception: Text '01-FEB-2024' could not be parsed at index 3",
  ],
  [
    "LocalDateTime.parse('2024-02-29', new DateTimeFormatterBuilder().appendPattern('yyyy-MM-dd').parseDe" +
      'faulting(ChronoField.HOUR_OF_DAY, 5).parseDefaulting(ChronoField.MINUTE_OF_HOUR, ' +
      '30).toFormatter()).toString()',
    '2024-02-29T05:30',
  ],
  [
    "LocalDateTime.parse('2024-02-29 10:11', new " +
      "DateTimeFormatterBuilder().append(DateTimeFormatter.ISO_LOCAL_DATE).appendLiteral(' " +
      "').append(DateTimeFormatter.ISO_LOCAL_TIME).toFormatter()).toString()",
    '2024-02-29T10:11',
  ],
  [
    "new DateTimeFormatterBuilder().append(DateTimeFormatter.ISO_LOCAL_DATE).appendLiteral(' " +
      "').append(DateTimeFormatter.ISO_LOCAL_TIME).toFormatter().format(LocalDateTime.of(2024,2,29,10,11,12" +
      ',130000000))',
    '2024-02-29 10:11:12.13',
  ],
  [
    "new DateTimeFormatterBuilder().append(DateTimeFormatter.ISO_LOCAL_DATE).appendLiteral(' " +
      "').append(DateTimeFormatter.ISO_LOCAL_TIME).toFormatter().format(LocalDateTime.of(2024,2,29,10,11))",
    '2024-02-29 10:11:00',
  ],
  [
    'new DateTimeFormatterBuilder().appendValue(ChronoField.YEAR, ' +
      '4).appendValue(ChronoField.MONTH_OF_YEAR, 2).appendValue(ChronoField.DAY_OF_MONTH, ' +
      '2).appendValue(ChronoField.HOUR_OF_DAY, 2).toFormatter().format(LocalDateTime.of(2024,2,9,7,11))',
    '2024020907',
  ],
  [
    "LocalDateTime.parse('2024020907', new DateTimeFormatterBuilder().appendValue(ChronoField.YEAR, " +
      '4).appendValue(ChronoField.MONTH_OF_YEAR, 2).appendValue(ChronoField.DAY_OF_MONTH, ' +
      '2).appendValue(ChronoField.HOUR_OF_DAY, 2).toFormatter()).toString()',
    '2024-02-09T07:00',
  ],
  [
    "LocalDateTime.parse('20240209071314567', new " +
      "DateTimeFormatterBuilder().appendPattern('yyyyMMddHHmmss').appendValue(ChronoField.MILLI_OF_SECOND, " +
      '3).toFormatter()).toString()',
    '2024-02-09T07:13:14.567',
  ],
  [
    "LocalTime.parse('10:11:12.5', new DateTimeFormatterBuilder().appendPattern('HH:mm:ss').appendFractio" +
      'n(ChronoField.NANO_OF_SECOND, 0, 9, true).toFormatter()).toString()',
    '10:11:12.500',
  ],
  [
    "new DateTimeFormatterBuilder().appendPattern('HH:mm:ss').appendFraction(ChronoField.NANO_OF_SECOND, " +
      '3, 9, true).toFormatter().format(LocalTime.of(10,11,12))',
    '10:11:12.000',
  ],
  [
    "new DateTimeFormatterBuilder().appendPattern('HH:mm:ss').appendFraction(ChronoField.NANO_OF_SECOND, " +
      '0, 9, true).toFormatter().format(LocalTime.of(10,11,12))',
    '10:11:12',
  ],
  [
    "new DateTimeFormatterBuilder().appendText(ChronoField.DAY_OF_WEEK).appendLiteral(', " +
      "').appendText(ChronoField.MONTH_OF_YEAR, TextStyle.SHORT).appendLiteral(' " +
      "').appendValue(ChronoField.DAY_OF_MONTH).toFormatter(Locale.ENGLISH).format(LocalDate.of(2024,2,29))",
    'Thursday, Feb 29',
  ],
  [
    "new DateTimeFormatterBuilder().appendPattern('yyyy').padNext(4).appendValue(ChronoField.MONTH_OF_YEA" +
      "R).padNext(3, (char)'*').appendValue(ChronoField.DAY_OF_MONTH).toFormatter().format(LocalDate.of(202" +
      '4,2,9))',
    '2024   2**9',
  ],
  [
    "LocalDate.parse('2024   2**9', new DateTimeFormatterBuilder().appendPattern('yyyy').padNext(4).appen" +
      'dValue(ChronoField.MONTH_OF_YEAR).padNext(3, ' +
      "(char)'*').appendValue(ChronoField.DAY_OF_MONTH).toFormatter()).toString()",
    '2024-02-09',
  ],
  [
    "new DateTimeFormatterBuilder().append(DateTimeFormatter.ISO_LOCAL_DATE_TIME).appendOffset('+HHMM', " +
      "'+0000').toFormatter().format(ZonedDateTime.parse('2024-02-29T10:00:00+01:00'))",
    '2024-02-29T10:00:00+0100',
  ],
  [
    'new DateTimeFormatterBuilder().append(DateTimeFormatter.ISO_LOCAL_DATE_TIME).appendOffsetId().toForm' +
      "atter().format(ZonedDateTime.parse('2024-02-29T10:00:00Z'))",
    '2024-02-29T10:00:00Z',
  ],
  [
    "ZonedDateTime.parse('2024-02-29T10:00:00 Europe/Oslo', new " +
      "DateTimeFormatterBuilder().append(DateTimeFormatter.ISO_LOCAL_DATE_TIME).appendLiteral(' " +
      "').appendZoneId().toFormatter()).toString()",
    '2024-02-29T10:00+01:00[Europe/Oslo]',
  ],
  [
    'new DateTimeFormatterBuilder().optionalEnd()',
    'illegal_state_exception: Cannot call optionalEnd() as there was no previous call to optionalStart()',
  ],
  [
    'new DateTimeFormatterBuilder().appendValue(ChronoField.YEAR, 30)',
    'illegal_argument_exception: The width must be from 1 to 19 inclusive but was 30',
  ],
  ["new DateTimeFormatterBuilder().appendPattern('bb')", 'illegal_argument_exception: Unknown pattern letter: b'],
  [
    "new DateTimeFormatterBuilder().appendOffset('x', 'Z')",
    'illegal_argument_exception: Invalid zone offset pattern: x',
  ],
  [
    'new DateTimeFormatterBuilder().appendValue(ChronoField.YEAR, 4, 10, ' +
      "SignStyle.EXCEEDS_PAD).appendLiteral('/').appendValue(ChronoField.MONTH_OF_YEAR, 1, 2, " +
      'SignStyle.NOT_NEGATIVE).toFormatter().format(LocalDate.of(12024,2,9))',
    '+12024/2',
  ],
  [
    "LocalDate.parse('24-02-09', new DateTimeFormatterBuilder().appendValueReduced(ChronoField.YEAR, 2, " +
      "2, 2000).appendPattern('-MM-dd').toFormatter()).toString()",
    '2024-02-09',
  ],
  [
    "LocalDate.parse('2024-2-9', new DateTimeFormatterBuilder().parseLenient().appendPattern('yyyy-MM-dd'" +
      ').toFormatter()).toString()',
    '2024-02-09',
  ],
  [
    "LocalDate.parse('2024-2-9', new DateTimeFormatterBuilder().appendPattern('yyyy-MM-dd').toFormatter()" +
      ').toString()',
    "date_time_parse_exception: Text '2024-2-9' could not be parsed at index 5",
  ],
  [
    "LocalDateTime.parse('2024-02-29', new DateTimeFormatterBuilder().appendPattern('yyyy-MM-dd').appendO" +
      "ptional(DateTimeFormatter.ofPattern(' HH')).parseDefaulting(ChronoField.HOUR_OF_DAY, " +
      '0).toFormatter()).toString()',
    '2024-02-29T00:00',
  ],
  [
    "new DateTimeFormatterBuilder().appendPattern('dd " +
      "MMMM').toFormatter(Locale.FRANCE).format(LocalDate.of(2024,2,9))",
    '09 février',
  ],
  [
    "new DateTimeFormatterBuilder().appendPattern('h:mm " + "a').toFormatter(Locale.ROOT).format(LocalTime.of(15,4))",
    '3:04 PM',
  ],
  [
    "LocalTime.parse('3:04 pm', new DateTimeFormatterBuilder().parseCaseInsensitive().appendPattern('h:mm " +
      "a').toFormatter(Locale.ROOT)).toString()",
    '15:04',
  ],
  [
    "LocalDate.parse('2023-02-31', DateTimeFormatter.ofPattern('d').getZone() == null ? " +
      "DateTimeFormatter.ofPattern('yyyy-MM-dd') : DateTimeFormatter.ISO_DATE).toString()",
    '2023-02-28',
  ],
  [
    "LocalDate.parse('2023-02-30', DateTimeFormatter.ISO_LOCAL_DATE).toString()",
    "date_time_parse_exception: Text '2023-02-30' could not be parsed: Invalid date 'FEBRUARY 30'",
  ],
  [
    "new DateTimeFormatterBuilder().appendPattern('ss').appendValue(ChronoField.MILLI_OF_SECOND, " +
      '3).toFormatter().format(LocalTime.of(1,2,3,45678901))',
    '03045',
  ],
];

test('formatters of dates are built piece by piece as in Java', () => {
  for (const [source, expected] of ROWS) assert.equal(answerOf(source), expected, source);
});
