import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerOf } from '../../../testing/recorded-scripts.js';

/** Scripts and the texts of their results, or of the causes of their errors, as OpenSearch 2.19 answers them. */
const ROWS: readonly (readonly [source: string, answer: string])[] = [
  ["ZonedDateTime.parse('2024-02-29T10:00:00Z').plusYears(1).toString()", '2025-02-28T10:00Z'],
  [
    "ZonedDateTime.parse('2024-03-31T01:30+01:00[Europe/Oslo]').plusHours(1).toString()",
    '2024-03-31T03:30+02:00[Europe/Oslo]',
  ],
  [
    "ZonedDateTime.parse('2024-10-27T01:30+02:00[Europe/Oslo]').plusHours(1).toString()",
    '2024-10-27T02:30+02:00[Europe/Oslo]',
  ],
  [
    "ZonedDateTime.parse('2024-10-27T01:30+02:00[Europe/Oslo]').plusHours(2).toString()",
    '2024-10-27T02:30+01:00[Europe/Oslo]',
  ],
  ["ZonedDateTime.of(2024,3,31,2,30,0,0,ZoneId.of('Europe/Oslo')).toString()", '2024-03-31T03:30+02:00[Europe/Oslo]'],
  [
    "ZonedDateTime.of(2024,10,27,2,30,0,0,ZoneId.of('Europe/Oslo')).withLaterOffsetAtOverlap(" + ').toString()',
    '2024-10-27T02:30+01:00[Europe/Oslo]',
  ],
  ['Instant.ofEpochMilli(1700000000123L).toString()', '2023-11-14T22:13:20.123Z'],
  [
    "Instant.ofEpochMilli(1700000000123L).atZone(ZoneId.of('America/New_York')).toString()",
    '2023-11-14T17:13:20.123-05:00[America/New_York]',
  ],
  ["Instant.ofEpochMilli(1700000000123L).atZone(ZoneId.of('Z')).getHour()", '22'],
  ['Instant.ofEpochSecond(1700000000L, 5).toString()', '2023-11-14T22:13:20.000000005Z'],
  ["Instant.parse('2024-01-01T00:00:00.123456789Z').getNano()", '123456789'],
  ["Instant.parse('2024-01-01T00:00:00Z').plus(3, ChronoUnit.DAYS).toString()", '2024-01-04T00:00:00Z'],
  [
    "Instant.parse('2024-01-01T00:00:00Z').plus(3, ChronoUnit.MONTHS).toString()",
    'unsupported_temporal_type_exception: Unsupported unit: Months',
  ],
  ["Instant.parse('2024-01-01T05:06:07Z').truncatedTo(ChronoUnit.DAYS).toString()", '2024-01-01T00:00:00Z'],
  ['Instant.EPOCH.toString()', '1970-01-01T00:00:00Z'],
  ['ChronoUnit.DAYS.between(LocalDate.of(2024,1,1), LocalDate.of(2024,3,1))', '60'],
  [
    "ChronoUnit.DAYS.between(ZonedDateTime.parse('2024-01-01T00:00:00Z'), ZonedDateTime.parse" +
      "('2024-03-01T00:00:00Z'))",
    '60',
  ],
  [
    "ChronoUnit.HOURS.between(ZonedDateTime.parse('2024-01-01T00:00:00Z'), ZonedDateTime.pars" +
      "e('2024-03-01T00:00:00+02:00'))",
    '1438',
  ],
  ['ChronoUnit.MILLIS.between(Instant.EPOCH, Instant.ofEpochMilli(99L))', '99'],
  ["ChronoUnit.NANOS.between(Instant.EPOCH, Instant.parse('2024-01-01T00:00:00.123456789Z'))", '1704067200123456789'],
  ['ChronoUnit.MONTHS.between(LocalDate.of(2024,1,31), LocalDate.of(2024,2,29))', '0'],
  ["ChronoUnit.YEARS.between(LocalDate.parse('1980-05-06'), LocalDate.parse('2024-05-05'))", '43'],
  ['LocalDate.of(2024,2,30)', "date_time_exception: Invalid date 'FEBRUARY 30'"],
  [
    "LocalDate.parse('2024-02-30')",
    "date_time_parse_exception: Text '2024-02-30' could not be parsed: Invalid date 'FEBRUARY" + " 30'",
  ],
  ["LocalDate.parse('nope')", "date_time_parse_exception: Text 'nope' could not be parsed at index 0"],
  ["LocalDate.parse('29/02/2024', DateTimeFormatter.ofPattern('dd/MM/yyyy')).toString()", '2024-02-29'],
  [
    "LocalDate.parse('9/2/2024', DateTimeFormatter.ofPattern('dd/MM/yyyy')).toString()",
    "date_time_parse_exception: Text '9/2/2024' could not be parsed at index 0",
  ],
  ["LocalDate.parse('9/2/2024', DateTimeFormatter.ofPattern('d/M/yyyy')).toString()", '2024-02-09'],
  [
    "LocalDateTime.parse('2024-02-29 10:11:12', DateTimeFormatter.ofPattern('yyyy-MM-dd HH:mm" + ":ss')).toString()",
    '2024-02-29T10:11:12',
  ],
  ["LocalDateTime.parse('2024-02-29T10:11:12.5').toString()", '2024-02-29T10:11:12.500'],
  [
    "LocalDateTime.parse('29 Feb 2024 10:11 PM', DateTimeFormatter.ofPattern('dd MMM yyyy hh:" + "mm a')).toString()",
    '2024-02-29T22:11',
  ],
  [
    "ZonedDateTime.parse('29/Feb/2024:10:11:12 +0200', DateTimeFormatter.ofPattern('dd/MMM/yy" +
      "yy:HH:mm:ss Z')).toString()",
    '2024-02-29T10:11:12+02:00',
  ],
  [
    "ZonedDateTime.parse('29/Feb/2024:10:11:12 +0200', DateTimeFormatter.ofPattern('dd/MMM/yy" +
      "yy:HH:mm:ss Z')).toInstant().toEpochMilli()",
    '1709194272000',
  ],
  [
    "ZonedDateTime.parse('2024-02-29 10:11:12', DateTimeFormatter.ofPattern('yyyy-MM-dd HH:mm" + ":ss'))",
    "date_time_parse_exception: Text '2024-02-29 10:11:12' could not be parsed: Unable to obt" +
      'ain ZonedDateTime from TemporalAccessor: {},ISO resolved to 2024-02-29T10:11:12 of type ' +
      'java.time.format.Parsed',
  ],
  [
    "ZonedDateTime.parse('2024-02-29 10:11:12', DateTimeFormatter.ofPattern('yyyy-MM-dd HH:mm" +
      ":ss').withZone(ZoneId.of('Europe/Oslo'))).toString()",
    '2024-02-29T10:11:12+01:00[Europe/Oslo]',
  ],
  ["OffsetDateTime.parse('2024-02-29T10:11:12+02:00').toString()", '2024-02-29T10:11:12+02:00'],
  ["OffsetDateTime.parse('2024-02-29T10:11:12+02:00').toInstant().toString()", '2024-02-29T08:11:12Z'],
  [
    "OffsetDateTime.parse('2024-02-29T10:11:12+02:00').withOffsetSameInstant(ZoneOffset.UTC)." + 'toString()',
    '2024-02-29T08:11:12Z',
  ],
  [
    "OffsetDateTime.parse('2024-02-29T10:11:12+02:00').format(DateTimeFormatter.ISO_OFFSET_DA" + 'TE_TIME)',
    '2024-02-29T10:11:12+02:00',
  ],
  ["DateTimeFormatter.ofPattern('yyyy-MM-dd').format(ZonedDateTime.parse('2024-02-29T10:11:1" + "2Z'))", '2024-02-29'],
  [
    "ZonedDateTime.parse('2024-02-29T10:11:12Z').format(DateTimeFormatter.ofPattern('EEEE, d " +
      "MMMM yyyy HH:mm:ss.SSS XXX'))",
    'Thursday, 29 February 2024 10:11:12.000 Z',
  ],
  [
    "ZonedDateTime.parse('2024-02-29T10:11:12Z').format(DateTimeFormatter.ofPattern('EEE d MM" +
      "M yy hh:mm a z VV Z x O'))",
    'Thu 29 Feb 24 10:11 AM Z Z +0000 +00 GMT',
  ],
  [
    "ZonedDateTime.parse('2024-02-29T10:11:12+01:00[Europe/Oslo]').format(DateTimeFormatter.o" +
      "fPattern('EEE d MMM yy hh:mm a VV Z xxx'))",
    'Thu 29 Feb 24 10:11 AM Europe/Oslo +0100 +01:00',
  ],
  [
    "ZonedDateTime.parse('2024-02-29T10:11:12+01:00[Europe/Oslo]').format(DateTimeFormatter.I" + 'SO_ZONED_DATE_TIME)',
    '2024-02-29T10:11:12+01:00[Europe/Oslo]',
  ],
  [
    "ZonedDateTime.parse('2024-02-29T10:11:12+01:00[Europe/Oslo]').format(DateTimeFormatter.I" + 'SO_DATE_TIME)',
    '2024-02-29T10:11:12+01:00[Europe/Oslo]',
  ],
  [
    "ZonedDateTime.parse('2024-02-29T10:11:12+01:00[Europe/Oslo]').format(DateTimeFormatter.I" + 'SO_INSTANT)',
    '2024-02-29T09:11:12Z',
  ],
  [
    "ZonedDateTime.parse('2024-02-29T10:11:12+01:00[Europe/Oslo]').format(DateTimeFormatter.I" + 'SO_LOCAL_DATE)',
    '2024-02-29',
  ],
  [
    "ZonedDateTime.parse('2024-02-29T10:11:12+01:00[Europe/Oslo]').format(DateTimeFormatter.I" + 'SO_DATE)',
    '2024-02-29+01:00',
  ],
  [
    "ZonedDateTime.parse('2024-02-29T10:11:12+01:00[Europe/Oslo]').format(DateTimeFormatter.I" + 'SO_TIME)',
    '10:11:12+01:00',
  ],
  [
    "ZonedDateTime.parse('2024-02-29T10:11:12+01:00[Europe/Oslo]').format(DateTimeFormatter.B" + 'ASIC_ISO_DATE)',
    '20240229+0100',
  ],
  [
    "ZonedDateTime.parse('2024-02-29T10:11:12+01:00[Europe/Oslo]').format(DateTimeFormatter.R" + 'FC_1123_DATE_TIME)',
    'Thu, 29 Feb 2024 10:11:12 +0100',
  ],
  [
    "ZonedDateTime.parse('2024-02-29T10:11:12+01:00[Europe/Oslo]').format(DateTimeFormatter.I" + 'SO_WEEK_DATE)',
    '2024-W09-4+01:00',
  ],
  [
    "ZonedDateTime.parse('2024-02-29T10:11:12+01:00[Europe/Oslo]').format(DateTimeFormatter.I" + 'SO_ORDINAL_DATE)',
    '2024-060+01:00',
  ],
  [
    "LocalDate.of(2024,2,29).format(DateTimeFormatter.ofPattern('HH:mm'))",
    'unsupported_temporal_type_exception: Unsupported field: HourOfDay',
  ],
  ["LocalDate.of(2024,2,29).format(DateTimeFormatter.ofPattern('yyyyMMdd'))", '20240229'],
  ['LocalDate.of(2024,2,29).format(DateTimeFormatter.ISO_DATE)', '2024-02-29'],
  [
    "LocalTime.of(10,11).format(DateTimeFormatter.ofPattern('yyyy'))",
    'unsupported_temporal_type_exception: Unsupported field: YearOfEra',
  ],
  ['LocalTime.of(10,11).toString()', '10:11'],
  ["LocalTime.parse('10:11:12.123').getNano()", '123000000'],
  ['LocalTime.of(25,11).toString()', 'date_time_exception: Invalid value for HourOfDay (valid values 0 - 23): 25'],
  ['LocalTime.MIDNIGHT.minusHours(1).toString()', '23:00'],
  ['LocalTime.NOON.toSecondOfDay()', '43200'],
  ['Duration.ofMinutes(90).toString()', 'PT1H30M'],
  ['Duration.ofDays(2).toHours()', '48'],
  ['Duration.between(Instant.EPOCH, Instant.ofEpochMilli(5000L)).getSeconds()', '5'],
  [
    "Duration.between(ZonedDateTime.parse('2024-01-01T00:00:00Z'), ZonedDateTime.parse('2024-" +
      "01-02T03:04:05Z')).toMinutes()",
    '1624',
  ],
  [
    'Duration.between(LocalDate.of(2024,1,1), LocalDate.of(2024,1,2))',
    'unsupported_temporal_type_exception: Unsupported unit: Seconds',
  ],
  ["Duration.parse('PT8H6M12.345S').toMillis()", '29172345'],
  ["Duration.parse('P2DT3H').toString()", 'PT51H'],
  ['Duration.ofMillis(-1500L).toString()', 'PT-1.5S'],
  ['Duration.ofDays(300000).toNanos()', 'arithmetic_exception: long overflow'],
  ['Duration.ofDays(200).toNanos()', '17280000000000000'],
  ['Duration.ZERO.isZero()', 'true'],
  ['Duration.ofSeconds(10).multipliedBy(3).plusMillis(5).toString()', 'PT30.005S'],
  ['Duration.ofSeconds(10).compareTo(Duration.ofSeconds(11))', '-1'],
  ['Period.between(LocalDate.of(2024,1,31), LocalDate.of(2024,3,1)).toString()', 'P1M1D'],
  ['Period.between(LocalDate.of(1980,1,31), LocalDate.of(2024,3,1)).getYears()', '44'],
  ["Period.parse('P1Y2M3D').getDays()", '3'],
  ['Period.of(1,14,3).normalized().toString()', 'P2Y2M3D'],
  ['LocalDate.of(2024,1,31).plus(Period.ofMonths(1)).toString()', '2024-02-29'],
  ['LocalDate.of(2024,1,31).plusMonths(1).toString()', '2024-02-29'],
  ['LocalDate.of(2024,1,31).minusWeeks(5).toString()', '2023-12-27'],
  ['LocalDate.of(2024,1,31).withDayOfMonth(1).getDayOfWeek().toString()', 'MONDAY'],
  ['LocalDate.of(2024,1,31).getDayOfWeek().getValue()', '3'],
  ['LocalDate.of(2024,1,31).isLeapYear()', 'true'],
  ['LocalDate.of(2024,1,31).lengthOfMonth()', '31'],
  ['LocalDate.of(2024,1,31).toEpochDay()', '19753'],
  ['LocalDate.ofEpochDay(19000).toString()', '2022-01-08'],
  ["LocalDate.of(2024,1,31).atStartOfDay(ZoneId.of('Europe/Oslo')).toInstant().toEpochMilli(" + ')', '1706655600000'],
  ['LocalDate.of(2024,1,31).atStartOfDay().toString()', '2024-01-31T00:00'],
  ['LocalDate.of(2024,1,31).atTime(10,30).toString()', '2024-01-31T10:30'],
  ['LocalDate.of(2024,1,31).with(TemporalAdjusters.lastDayOfMonth()).toString()', '2024-01-31'],
  ['LocalDate.of(2024,1,31).with(TemporalAdjusters.next(DayOfWeek.MONDAY)).toString()', '2024-02-05'],
  ['LocalDate.of(2024,1,31).with(TemporalAdjusters.firstDayOfNextMonth()).toString()', '2024-02-01'],
  ['LocalDate.of(2024,1,31).get(ChronoField.DAY_OF_YEAR)', '31'],
  ['LocalDate.of(2024,1,31).get(IsoFields.WEEK_OF_WEEK_BASED_YEAR)', '5'],
  ['LocalDate.of(2024,1,31).get(IsoFields.QUARTER_OF_YEAR)', '1'],
  ['LocalDate.of(2024,1,31).getLong(ChronoField.EPOCH_DAY)', '19753'],
  [
    'LocalDate.of(2024,1,31).get(ChronoField.HOUR_OF_DAY)',
    'unsupported_temporal_type_exception: Unsupported field: HourOfDay',
  ],
  ['LocalDate.of(2024,1,31).isBefore(LocalDate.of(2024,2,1))', 'true'],
  ['LocalDate.of(2024,1,31).compareTo(LocalDate.of(2024,2,1))', '-1'],
  ["LocalDate.of(2024,1,31).equals(LocalDate.parse('2024-01-31'))", 'true'],
  ["LocalDate.of(2024,1,31) == LocalDate.parse('2024-01-31')", 'true'],
  ['LocalDate.of(2024,1,31).hashCode()', '4145247'],
  ['LocalDate.of(2024,1,31).until(LocalDate.of(2024,3,1), ChronoUnit.DAYS)', '30'],
  ['DayOfWeek.MONDAY.plus(8).toString()', 'TUESDAY'],
  ['DayOfWeek.of(8)', 'date_time_exception: Invalid value for DayOfWeek: 8'],
  ['DayOfWeek.MONDAY.getDisplayName(TextStyle.SHORT, Locale.ROOT)', 'Mon'],
  ['DayOfWeek.MONDAY.getDisplayName(TextStyle.FULL, Locale.ENGLISH)', 'Monday'],
  ["DayOfWeek.valueOf('FRIDAY').getValue()", '5'],
  ["DayOfWeek.valueOf('FRDAY').getValue()", 'illegal_argument_exception: No enum constant java.time.DayOfWeek.FRDAY'],
  ['Month.of(2).length(true)', '29'],
  ['Month.of(13)', 'date_time_exception: Invalid value for MonthOfYear: 13'],
  ['Month.FEBRUARY.maxLength()', '29'],
  ['Month.FEBRUARY.getDisplayName(TextStyle.FULL, Locale.ROOT)', 'February'],
  ["Month.valueOf('MAY').plus(9).toString()", 'FEBRUARY'],
  ['Year.of(2024).isLeap()', 'true'],
  ['Year.isLeap(1900)', 'false'],
  ['YearMonth.of(2024,2).atEndOfMonth().toString()', '2024-02-29'],
  ["YearMonth.parse('2024-02').lengthOfMonth()", '29'],
  ["YearMonth.parse('02/2024', DateTimeFormatter.ofPattern('MM/yyyy')).toString()", '2024-02'],
  ['MonthDay.of(2,29).toString()', '--02-29'],
  ["ZoneId.of('Europe/Oslo').toString()", 'Europe/Oslo'],
  ["ZoneId.of('Nowhere/X')", 'zone_rules_exception: Unknown time-zone ID: Nowhere/X'],
  ["ZoneId.of('+02:00').toString()", '+02:00'],
  ["ZoneId.of('UTC').getId()", 'UTC'],
  ["ZoneId.of('UTC+2').getId()", 'UTC+02:00'],
  ['ZoneOffset.ofHours(2).toString()', '+02:00'],
  [
    'ZoneOffset.ofHours(20)',
    'date_time_exception: Zone offset hours not in valid range: value 20 is not in the range ' + '-18 to 18',
  ],
  ["ZoneOffset.of('+01:30').getTotalSeconds()", '5400'],
  ["ZoneId.of('Europe/Oslo').getRules().getOffset(Instant.parse('2024-07-01T00:00:00Z')).toS" + 'tring()', '+02:00'],
  ["ZonedDateTime.ofInstant(Instant.ofEpochMilli(0L), ZoneId.of('UTC')).toString()", '1970-01-01T00:00Z[UTC]'],
  ['ZonedDateTime.ofInstant(Instant.ofEpochMilli(0L), ZoneOffset.UTC).toString()', '1970-01-01T00:00Z'],
  [
    'ZonedDateTime.ofInstant(Instant.ofEpochMilli(0L), ZoneOffset.UTC).equals(ZonedDateTime.o' +
      "fInstant(Instant.ofEpochMilli(0L), ZoneId.of('UTC')))",
    'false',
  ],
  [
    'ZonedDateTime.ofInstant(Instant.ofEpochMilli(0L), ZoneOffset.UTC).isEqual(ZonedDateTime.' +
      "ofInstant(Instant.ofEpochMilli(0L), ZoneId.of('UTC')))",
    'true',
  ],
  [
    'ZonedDateTime.ofInstant(Instant.ofEpochMilli(0L), ZoneOffset.UTC).isBefore(ZonedDateTime' +
      ".parse('2024-02-29T10:00:00+01:00'))",
    'true',
  ],
  [
    "ZonedDateTime.parse('2024-02-29T10:00:00Z').withZoneSameInstant(ZoneId.of('Asia/Tokyo'))" + '.toString()',
    '2024-02-29T19:00+09:00[Asia/Tokyo]',
  ],
  [
    "ZonedDateTime.parse('2024-02-29T10:00:00Z').withZoneSameLocal(ZoneId.of('Asia/Tokyo')).t" + 'oString()',
    '2024-02-29T10:00+09:00[Asia/Tokyo]',
  ],
  ["ZonedDateTime.parse('2024-02-29T10:00:00Z').withZoneSameInstant(ZoneId.of('Asia/Tokyo'))" + '.getHour()', '19'],
  ["ZonedDateTime.parse('2024-02-29T10:00:00Z').truncatedTo(ChronoUnit.DAYS).toString()", '2024-02-29T00:00Z'],
  ["ZonedDateTime.parse('2024-02-29T10:00:00Z').toLocalDate().toString()", '2024-02-29'],
  ["ZonedDateTime.parse('2024-02-29T10:00:00Z').toLocalTime().toString()", '10:00'],
  ["ZonedDateTime.parse('2024-02-29T10:00:00Z').toLocalDateTime().toString()", '2024-02-29T10:00'],
  ["ZonedDateTime.parse('2024-02-29T10:00:00Z').toOffsetDateTime().toString()", '2024-02-29T10:00Z'],
  ["ZonedDateTime.parse('2024-02-29T10:00:00Z').getZone().toString()", 'Z'],
  ["ZonedDateTime.parse('2024-02-29T10:00:00Z').getOffset().toString()", 'Z'],
  ["ZonedDateTime.parse('2024-02-29T10:00:00Z').withHour(5).withMinute(6).toString()", '2024-02-29T05:06Z'],
  ["ZonedDateTime.parse('2024-02-29T10:00:00Z').with(ChronoField.DAY_OF_MONTH, 3).toString()", '2024-02-03T10:00Z'],
  ["ZonedDateTime.parse('2024-02-29T10:00:00Z').plus(Duration.ofMinutes(7)).toString()", '2024-02-29T10:07Z'],
  ["ZonedDateTime.parse('2024-02-29T10:00:00Z').minus(2, ChronoUnit.WEEKS).toString()", '2024-02-15T10:00Z'],
  ["ZonedDateTime.parse('2024-02-29T10:00:00Z').plusYears(300000).toString()", '+302024-02-29T10:00Z'],
  ["ZonedDateTime.parse('2024-02-29T10:00:00Z').plusNanos(5).toString()", '2024-02-29T10:00:00.000000005Z'],
  ["ZonedDateTime.parse('2024-02-29T10:00:00Z').compareTo(ZonedDateTime.parse('2024-03-29T10" + ":00:00Z'))", '-1'],
  ["ZonedDateTime.parse('2024-02-29')", "date_time_parse_exception: Text '2024-02-29' could not be parsed at index 10"],
  [
    "ZonedDateTime.parse('2024-02-29T10:00')",
    "date_time_parse_exception: Text '2024-02-29T10:00' could not be parsed at index 16",
  ],
  ['ZonedDateTime.parse(null)', 'null_pointer_exception: text'],
  ["def z = ZonedDateTime.parse('2024-02-29T10:00:00Z'); z.year + z.monthValue + z.dayOfMont" + 'h', '2055'],
  ["def z = ZonedDateTime.parse('2024-02-29T10:00:00Z'); z.dayOfWeek", 'THURSDAY'],
  ["def z = LocalDate.parse('2024-02-29'); z.year + z.monthValue + z.dayOfMonth", '2055'],
  ["def z = LocalDate.parse('2024-02-29'); z.month.toString() + z.leapYear", 'FEBRUARYtrue'],
  ['LocalDateTime.of(2024,2,29,10,11,12).toString()', '2024-02-29T10:11:12'],
  ['LocalDateTime.of(2024,2,29,10,11).toInstant(ZoneOffset.UTC).toEpochMilli()', '1709201460000'],
  [
    "LocalDateTime.of(2024,2,29,10,11).atZone(ZoneId.of('Europe/Oslo')).toString()",
    '2024-02-29T10:11+01:00[Europe/Oslo]',
  ],
  ["LocalDateTime.ofInstant(Instant.ofEpochMilli(0L), ZoneId.of('Asia/Tokyo')).toString()", '1970-01-01T09:00'],
  ['LocalDateTime.ofEpochSecond(1700000000L, 0, ZoneOffset.UTC).toString()', '2023-11-14T22:13:20'],
  ['LocalDateTime.of(2024,2,29,10,11).toEpochSecond(ZoneOffset.UTC)', '1709201460'],
  ["def m = [:]; m[LocalDate.of(2024,1,1)] = 1; m[LocalDate.parse('2024-01-01')] = 2; m.size" + '()', '1'],
  [
    '[LocalDate.of(2024,1,2), LocalDate.of(2024,1,1)].stream().sorted().collect(Collectors.to' + 'List()).toString()',
    '[2024-01-01, 2024-01-02]',
  ],
  [
    "def l = [ZonedDateTime.parse('2024-02-29T10:00:00Z'), ZonedDateTime.parse('2023-02-28T10" +
      ":00:00+01:00')]; Collections.sort(l); l.toString()",
    '[2023-02-28T10:00+01:00, 2024-02-29T10:00Z]',
  ],
  [
    "try { LocalDate.parse('x') } catch (DateTimeParseException e) { return e.getMessage() } " + "return 'no'",
    "Text 'x' could not be parsed at index 0",
  ],
  ["try { LocalDate.parse('x') } catch (DateTimeException e) { return 'yes' } return 'no'", 'yes'],
  ["LocalDate.from(ZonedDateTime.parse('2024-02-29T10:00:00Z')).toString()", '2024-02-29'],
  ["LocalDate.from(DateTimeFormatter.ofPattern('yyyyMMdd').parse('20240229')).toString()", '2024-02-29'],
  [
    'Instant.from(DateTimeFormatter.ofPattern("yyyyMMddHHmmssX").parse(\'20240229101112Z\')).to' + 'String()',
    '2024-02-29T10:11:12Z',
  ],
  ["DateTimeFormatter.ofPattern('yyyy-MM-ddTHH')", 'illegal_argument_exception: Unknown pattern letter: T'],
  ["DateTimeFormatter.ofPattern('b')", 'illegal_argument_exception: Unknown pattern letter: b'],
  ['DateTimeFormatter.ISO_LOCAL_DATE.format(LocalDate.of(2024,1,1))', '2024-01-01'],
  ['Instant.now()', 'illegal_argument_exception: static method [java.time.Instant, now/0] not found'],
  ['LocalDate.now()', 'illegal_argument_exception: static method [java.time.LocalDate, now/0] not found'],
  ['ZonedDateTime.now()', 'illegal_argument_exception: static method [java.time.ZonedDateTime, now/0] not found'],
  [
    "ZonedDateTime.parse('2024-02-29T10:00:00Z').foo()",
    'illegal_argument_exception: member method [java.time.ZonedDateTime, foo/0] not found',
  ],
  ["long l = ZonedDateTime.parse('2024-02-29T10:00:00Z').toInstant().toEpochMilli(); l % 100" + '0', '0'],
  [
    "ZonedDateTime z = ZonedDateTime.parse('2024-02-29T10:00:00Z'); Instant i = z.toInstant()" + '; i.toString()',
    '2024-02-29T10:00:00Z',
  ],
  ['Temporal t = LocalDate.of(2024,1,1); t.plus(1, ChronoUnit.DAYS).toString()', '2024-01-02'],
  ["ChronoUnit.valueOf('DAYS').toString()", 'Days'],
  ['ChronoUnit.DAYS.name()', 'DAYS'],
  ['ChronoField.HOUR_OF_DAY.toString()', 'HourOfDay'],
  ['OffsetTime.of(10,0,0,0,ZoneOffset.ofHours(1)).toString()', '10:00+01:00'],
];

const PARAMETERS = { x: 5, d: 1.5, t: 'abc', l: [3, 1, 2], m: { a: 1, b: { c: 2 } } };

test('dates, times and their formats are those of java.time', () => {
  for (const [source, expected] of ROWS) assert.equal(answerOf(source, structuredClone(PARAMETERS)), expected, source);
});
