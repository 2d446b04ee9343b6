import { compareValues } from '../../../runtime/comparison.js';
import { call, joda } from '../../../runtime/time/joda.js';
import { fromJoda, guarded, toJoda } from '../../../runtime/time/time-value.js';
import type { AllowTable, ClassRow } from '../class-row.js';
import { membersOf } from './time.js';

const CHRONO = 'java.time.chrono';

const PERIOD = `
  boolean isSupported(TemporalField); TYPE minus(TemporalAmount); TYPE minus(long,TemporalUnit);
  TYPE plus(TemporalAmount); TYPE plus(long,TemporalUnit); TYPE with(TemporalAdjuster); TYPE with(TemporalField,long);
  boolean isAfter(TYPE); boolean isBefore(TYPE); boolean isEqual(TYPE); String format(DateTimeFormatter);
  long until(Temporal,TemporalUnit); ValueRange range(TemporalField); long getLong(TemporalField);
  int get(TemporalField)`;

/** Dates of any calendar, by the class of the calendar of ISO: the only one that there is. */
const TYPES: readonly (readonly [name: string, iso: string, methods: string])[] = [
  [
    'ChronoLocalDate',
    'LocalDate',
    'ChronoLocalDateTime atTime(LocalTime); boolean isLeapYear(); int lengthOfMonth(); int lengthOfYear(); ' +
      'long toEpochDay()',
  ],
  [
    'ChronoLocalDateTime',
    'LocalDateTime',
    'ChronoZonedDateTime atZone(ZoneId); long toEpochSecond(ZoneOffset); Instant toInstant(ZoneOffset); ' +
      'ChronoLocalDate toLocalDate(); LocalTime toLocalTime()',
  ],
  [
    'ChronoZonedDateTime',
    'ZonedDateTime',
    'ZoneOffset getOffset(); ZoneId getZone(); long toEpochSecond(); Instant toInstant(); ' +
      'ChronoLocalDate toLocalDate(); ChronoLocalDateTime toLocalDateTime(); LocalTime toLocalTime(); ' +
      'ChronoZonedDateTime withEarlierOffsetAtOverlap(); ChronoZonedDateTime withLaterOffsetAtOverlap(); ' +
      'ChronoZonedDateTime withZoneSameInstant(ZoneId); ChronoZonedDateTime withZoneSameLocal(ZoneId)',
  ],
];

const chronoRow = (name: string, iso: string, methods: string): ClassRow => ({
  name: `${CHRONO}.${name}`,
  parents: ['java.time.temporal.Temporal', 'java.time.temporal.TemporalAdjuster', 'java.lang.Comparable'],
  get methods() {
    return membersOf(iso, `${PERIOD.replaceAll('TYPE', name)};${methods}`);
  },
  get statics() {
    return {
      [`${name} from(TemporalAccessor)`]: (value: unknown) =>
        guarded(() => fromJoda(call(joda()[iso]!, 'from', toJoda(value)))),
      'java.util.Comparator timeLineOrder()': () => compareValues,
    };
  },
});

/** Interfaces of java.time.chrono, which the dates of ISO have. */
export const CHRONOLOGY: AllowTable = TYPES.flatMap(([name, iso, methods]) => [
  chronoRow(name, iso, methods),
  { name: `java.time.${iso}`, parents: [`${CHRONO}.${name}`] },
]);
