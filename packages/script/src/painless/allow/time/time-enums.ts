import { illegalArgument } from '../../../runtime/thrown.js';
import { joda, type JodaObject } from '../../../runtime/time/joda.js';
import { TimeValue } from '../../../runtime/time/time-value.js';
import { JavaArray } from '../../../runtime/values.js';
import type { ClassRow } from '../class-row.js';

/** A constant of an enumeration of java.time: a unit, a field, a style. */
export class TimeEnum extends TimeValue {
  readonly name: string;
  readonly ordinal: number;

  constructor(type: string, name: string, ordinal: number) {
    super(`${PACKAGES[type]!}.${type}`, () => joda()[type]![name] as JodaObject);
    this.name = name;
    this.ordinal = ordinal;
  }

  override compare(other: unknown): number {
    return this.ordinal - (other as TimeEnum).ordinal;
  }

  override hash(): number {
    return this.ordinal;
  }

  override toText(): string {
    return this.javaClass.endsWith('TextStyle') ? this.name : super.toText();
  }
}

const PACKAGES: Readonly<Record<string, string>> = {
  ChronoUnit: 'java.time.temporal',
  ChronoField: 'java.time.temporal',
  TextStyle: 'java.time.format',
};

const NAMES: Readonly<Record<string, string>> = {
  ChronoUnit:
    'NANOS MICROS MILLIS SECONDS MINUTES HOURS HALF_DAYS DAYS WEEKS MONTHS YEARS DECADES CENTURIES MILLENNIA ERAS ' +
    'FOREVER',
  ChronoField:
    'NANO_OF_SECOND NANO_OF_DAY MICRO_OF_SECOND MICRO_OF_DAY MILLI_OF_SECOND MILLI_OF_DAY SECOND_OF_MINUTE ' +
    'SECOND_OF_DAY MINUTE_OF_HOUR MINUTE_OF_DAY HOUR_OF_AMPM CLOCK_HOUR_OF_AMPM HOUR_OF_DAY CLOCK_HOUR_OF_DAY ' +
    'AMPM_OF_DAY DAY_OF_WEEK ALIGNED_DAY_OF_WEEK_IN_MONTH ALIGNED_DAY_OF_WEEK_IN_YEAR DAY_OF_MONTH DAY_OF_YEAR ' +
    'EPOCH_DAY ALIGNED_WEEK_OF_MONTH ALIGNED_WEEK_OF_YEAR MONTH_OF_YEAR PROLEPTIC_MONTH YEAR_OF_ERA YEAR ERA ' +
    'INSTANT_SECONDS OFFSET_SECONDS',
  TextStyle: 'FULL FULL_STANDALONE SHORT SHORT_STANDALONE NARROW NARROW_STANDALONE',
};

/** The row of an enumeration whose constants the library has. */
export function enumRow(type: string): ClassRow {
  const values = NAMES[type]!.split(' ').map((name, i) => new TimeEnum(type, name, i));
  return {
    name: `${PACKAGES[type]!}.${type}`,
    parents: ['java.lang.Enum'],
    constants: Object.fromEntries(values.map((value) => [`${type} ${value.name}`, value])),
    statics: {
      [`${type} valueOf(String)`]: (name: string) => {
        const value = values.find((one) => one.name === name);
        if (!value) throw illegalArgument(`No enum constant ${PACKAGES[type]!}.${type}.${name}`);
        return value;
      },
      [`${type}[] values()`]: () => new JavaArray(`${PACKAGES[type]!}.${type}`, [...values]),
    },
    methods: {
      'String name()': (value: TimeEnum) => value.name,
      'int ordinal()': (value: TimeEnum) => value.ordinal,
    },
  };
}
