import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import { type RecordedResults, assertResults, runScript } from '../../../testing/recorded-scripts.js';

const RESULTS: RecordedResults = [
  [
    "def l = []; for (t in ['en-US', 'en', 'en-GB', 'de', 'fr-CA', 'ja-JP', 'ko', 'nb-NO', 'ar-EG', 'pt-BR', '']) " +
      "{ l.add(WeekFields.of(Locale.forLanguageTag(t)).toString().replace('WeekFields', t)) } return l.toString()",
    '[en-US[SUNDAY,1], en[SUNDAY,1], en-GB[MONDAY,4], de[MONDAY,4], fr-CA[SUNDAY,1], ja-JP[SUNDAY,1], ko[SUNDAY,1], ' +
      'nb-NO[MONDAY,4], ar-EG[SATURDAY,1], pt-BR[SUNDAY,1], [MONDAY,4]]',
  ],
  [
    "def l = []; for (d in ['2024-12-29', '2024-12-30', '2025-01-01', '2021-01-03', '2020-12-31', '2023-01-01']) { " +
      'LocalDate x = LocalDate.parse(d); def parts = []; for (w in [WeekFields.ISO, WeekFields.SUNDAY_START, ' +
      "WeekFields.of(DayOfWeek.WEDNESDAY, 3)]) { parts.add(x.get(w.dayOfWeek()) + ' ' + " +
      "x.get(w.weekOfMonth()) + ' ' + x.get(w.weekOfYear()) + ' ' + x.get(w.weekOfWeekBasedYear()) + ' ' + " +
      'x.get(w.weekBasedYear())) } ' +
      "l.add(String.join(', ', parts)) } return String.join('; ', l)",
    '7 4 52 52 2024, 1 5 53 1 2025, 5 5 52 52 2024; 1 5 53 1 2025, 2 5 53 1 2025, 6 5 52 52 2024; ' +
      '3 1 1 1 2025, 4 1 1 1 2025, 1 1 1 1 2025; 7 0 0 53 2020, 1 2 2 2 2021, 5 1 1 1 2021; ' +
      '4 5 53 53 2020, 5 5 53 1 2021, 2 5 53 1 2021; 7 0 0 52 2022, 1 1 1 1 2023, 5 1 1 1 2023',
  ],
  [
    "def w = WeekFields.ISO; LocalDate x = LocalDate.parse('2024-02-29'); return [x.with(w.dayOfWeek(), 1), " +
      'x.with(w.weekOfYear(), 20), x.with(w.weekBasedYear(), 2020), x.with(w.weekOfWeekBasedYear(), 53), ' +
      'x.range(w.weekOfMonth()), x.range(w.weekOfYear()), x.range(w.weekOfWeekBasedYear()), x.range(w.dayOfWeek()), ' +
      'w, WeekFields.SUNDAY_START.weekOfYear(), w.dayOfWeek().getBaseUnit(), w.weekOfYear().getRangeUnit(), ' +
      'w.weekBasedYear().getRangeUnit(), w.weekOfMonth().range(), w.weekOfYear().range(), ' +
      'w.weekOfWeekBasedYear().range(), w.getFirstDayOfWeek(), w.getMinimalDaysInFirstWeek(), w.hashCode(), ' +
      'w.equals(WeekFields.of(DayOfWeek.MONDAY, 4)), WeekFields.WEEK_BASED_YEARS, x.isSupported(w.dayOfWeek()), ' +
      'LocalTime.NOON.isSupported(w.dayOfWeek())].toString()',
    '[2024-02-26, 2024-05-16, 2020-02-27, 2025-01-02, 1 - 5, 1 - 53, 1 - 52, 1 - 7, WeekFields[MONDAY,4], ' +
      'WeekOfYear[WeekFields[SUNDAY,1]], Days, Years, Forever, 0/1 - 4/6, 0/1 - 52/54, 1 - 52/53, MONDAY, 4, 4, ' +
      'true, WeekBasedYears, true, false]',
  ],
  [
    "LocalDate x = LocalDate.parse('2024-02-29'); return [x.getLong(JulianFields.JULIAN_DAY), " +
      'x.getLong(JulianFields.MODIFIED_JULIAN_DAY), x.getLong(JulianFields.RATA_DIE), ' +
      'x.with(JulianFields.RATA_DIE, 738000), JulianFields.JULIAN_DAY, JulianFields.RATA_DIE.range()].toString()',
    '[2460370, 60369, 738945, 2021-07-29, JulianDay, -365242499999 - 365242499634]',
  ],
  [
    "ZonedDateTime.parse('2024-12-30T10:00:00Z').get(WeekFields.ISO.weekOfWeekBasedYear()) + ' ' + " +
      "ZonedDateTime.parse('2024-12-30T10:00:00+01:00').get(WeekFields.ISO.weekBasedYear())",
    '1 2025',
  ],
  [
    "ChronoZonedDateTime z = ZonedDateTime.parse('2024-02-29T10:00:00Z'); ChronoLocalDate d = z.toLocalDate(); " +
      'ChronoLocalDateTime t = z.toLocalDateTime(); return z.toInstant().toString() + d.isLeapYear() + ' +
      'd.lengthOfMonth() + d.plus(1, ChronoUnit.DAYS) + t.toLocalTime() + t.isBefore(t.plus(1, ChronoUnit.HOURS)) + ' +
      'z.isAfter(z.minus(1, ChronoUnit.HOURS)) + d.atTime(LocalTime.NOON) + ' +
      "z.withZoneSameInstant(ZoneId.of('Europe/Oslo')) + d.toEpochDay() + t.atZone(ZoneOffset.UTC) + " +
      't.toEpochSecond(ZoneOffset.UTC)',
    '2024-02-29T10:00:00Ztrue292024-03-0110:00truetrue2024-02-29T12:002024-02-29T11:00+01:00[Europe/Oslo]19782' +
      '2024-02-29T10:00Z1709200800',
  ],
];

test('weeks by the rules of regions, counts of days, and dates of any calendar are those of Java', () => {
  assertResults(RESULTS);
});

test('rules without a first week, and fields of what has no days, are refused', () => {
  const refusals = [
    ['WeekFields.of(DayOfWeek.MONDAY, 9)', 'illegal_argument_exception', 'Minimal number of days is invalid'],
    [
      'LocalTime.NOON.get(WeekFields.ISO.dayOfWeek())',
      'unsupported_temporal_type_exception',
      'Unsupported field: DayOfWeek',
    ],
    ['LocalDate.of(2024, 1, 1).with(WeekFields.ISO.dayOfWeek(), 8)', 'date_time_exception', /8/],
  ] as const;
  for (const [source, type, reason] of refusals)
    assert.throws(
      () => runScript(source),
      (error) => {
        assert.ok(isApiError(error) && error.causedBy !== undefined, source);
        assert.equal(error.causedBy.type, type);
        if (typeof reason === 'string') assert.equal(error.causedBy.reason, reason);
        else assert.match(error.causedBy.reason ?? '', reason);
        return true;
      },
    );
});
