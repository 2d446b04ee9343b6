import { present } from '../../../runtime/access.js';
import { ScriptObject } from '../../../runtime/script-object.js';
import { illegalArgument } from '../../../runtime/thrown.js';
import { type CalendarName, WEEKDAYS } from '../../../runtime/time/calendar-name.js';
import { dayCount, weekField, type WeekFieldName } from '../../../runtime/time/computed-fields.js';
import { joda, type JodaObject } from '../../../runtime/time/joda.js';
import { TimeValue } from '../../../runtime/time/time-value.js';
import type { AllowTable } from '../class-row.js';
import type { LocaleValue } from '../locale.js';

const TEMPORAL = 'java.time.temporal';

/** java.time.temporal.WeekFields: on which day weeks begin, and which week of a year is its first. */
class WeekFields extends ScriptObject {
  readonly javaClass = `${TEMPORAL}.WeekFields`;
  readonly firstDay: CalendarName;
  readonly minimalDays: number;

  constructor(firstDay: CalendarName, minimalDays: number) {
    super();
    this.firstDay = firstDay;
    this.minimalDays = minimalDays;
  }

  field(name: WeekFieldName): TimeValue {
    const rules = { firstDay: this.firstDay.number, minimalDays: this.minimalDays, text: this.toText() };
    return new TimeValue(`${TEMPORAL}.TemporalField`, () => weekField(rules, name));
  }

  toText(): string {
    return `WeekFields[${this.firstDay.name},${this.minimalDays}]`;
  }

  equalTo(other: unknown): boolean {
    return other instanceof WeekFields && other.toText() === this.toText();
  }

  hash(): number {
    return (this.firstDay.number - 1) * 7 + this.minimalDays;
  }

  get identity(): string {
    return this.toText();
  }
}

function weekFields(firstDay: CalendarName, minimalDays: number): WeekFields {
  if (minimalDays < 1 || minimalDays > 7) throw illegalArgument('Minimal number of days is invalid');
  return new WeekFields(present(firstDay), minimalDays);
}

const [MONDAY, , , , , SATURDAY, SUNDAY] = WEEKDAYS as readonly CalendarName[] as [
  CalendarName,
  CalendarName,
  CalendarName,
  CalendarName,
  CalendarName,
  CalendarName,
  CalendarName,
];

/** Regions and languages without a region whose weeks begin on a Sunday or a Saturday, by the data of CLDR. */
const SUNDAYS = new Set(
  (
    'AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA PE PH ' +
    'PK PR PY SA SG SV TH TT TW US VE VI WS YE ZA ZW CN en ja ko zh hi th he iw'
  ).split(' '),
);
const SATURDAYS = new Set('AE AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY ar fa'.split(' '));

/** The weeks of a region; those of ISO for the root locale, as the product that scripts come from has it. */
function ofLocale(locale: LocaleValue | null): WeekFields {
  const { language, country } = present(locale)!;
  const place = country === '' ? language : country;
  if (SUNDAYS.has(place)) return new WeekFields(SUNDAY, 1);
  return SATURDAYS.has(place) ? new WeekFields(SATURDAY, 1) : new WeekFields(MONDAY, 4);
}

const FIELDS: readonly WeekFieldName[] = [
  'dayOfWeek',
  'weekBasedYear',
  'weekOfMonth',
  'weekOfWeekBasedYear',
  'weekOfYear',
];

const COUNTS = { JULIAN_DAY: 'JulianDay', MODIFIED_JULIAN_DAY: 'ModifiedJulianDay', RATA_DIE: 'RataDie' };

/** Weeks by the rules of a region, and counts of days. */
export const WEEK_FIELDS: AllowTable = [
  {
    name: `${TEMPORAL}.WeekFields`,
    constants: {
      'WeekFields ISO': new WeekFields(MONDAY, 4),
      'WeekFields SUNDAY_START': new WeekFields(SUNDAY, 1),
      'TemporalUnit WEEK_BASED_YEARS': new TimeValue(
        `${TEMPORAL}.TemporalUnit`,
        () => joda()['IsoFields']!['WEEK_BASED_YEARS'] as JodaObject,
      ),
    },
    statics: { 'WeekFields of(DayOfWeek,int)': weekFields, 'WeekFields of(Locale)': ofLocale },
    methods: {
      'DayOfWeek getFirstDayOfWeek()': ({ firstDay }: WeekFields) => firstDay,
      'int getMinimalDaysInFirstWeek()': ({ minimalDays }: WeekFields) => minimalDays,
      ...Object.fromEntries(
        FIELDS.map((name) => [`TemporalField ${name}()`, (weeks: WeekFields) => weeks.field(name)]),
      ),
    },
  },
  {
    name: `${TEMPORAL}.JulianFields`,
    constants: Object.fromEntries(
      Object.entries(COUNTS).map(([constant, name]) => [
        `TemporalField ${constant}`,
        new TimeValue(`${TEMPORAL}.TemporalField`, () => dayCount(name)),
      ]),
    ),
  },
];
