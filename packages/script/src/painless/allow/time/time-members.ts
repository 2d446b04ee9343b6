/** Members of a class of java.time, as signatures of Java separated by `;`. */
export interface TimeMembers {
  readonly statics: string;
  readonly methods: string;
  /** Names of constants. */
  readonly constants?: string;
}

/** Classes of java.time whose members the library has under the same names, or without their `get`. */
export const TIME_MEMBERS: Readonly<Record<string, TimeMembers>> = {
  Duration: {
    constants: 'ZERO',
    statics: `
      Duration between(Temporal,Temporal); Duration from(TemporalAmount); Duration of(long,TemporalUnit);
      Duration ofDays(long); Duration ofHours(long); Duration ofMillis(long); Duration ofMinutes(long);
      Duration ofNanos(long); Duration ofSeconds(long); Duration ofSeconds(long,long);
      Duration parse(CharSequence)
    `,
    methods: `
      Duration abs(); Temporal addTo(Temporal); Duration dividedBy(long); long get(TemporalUnit);
      int getNano(); long getSeconds(); boolean isNegative(); boolean isZero(); Duration minus(Duration);
      Duration minus(long,TemporalUnit); Duration minusDays(long); Duration minusHours(long);
      Duration minusMillis(long); Duration minusMinutes(long); Duration minusNanos(long);
      Duration minusSeconds(long); Duration multipliedBy(long); Duration negated(); Duration plus(Duration);
      Duration plus(long,TemporalUnit); Duration plusDays(long); Duration plusHours(long);
      Duration plusMillis(long); Duration plusMinutes(long); Duration plusNanos(long);
      Duration plusSeconds(long); Temporal subtractFrom(Temporal); long toDays(); long toHours();
      long toMillis(); long toMinutes(); long toNanos(); Duration withNanos(int); Duration withSeconds(long)
    `,
  },
  Instant: {
    constants: 'EPOCH MIN MAX',
    statics: `
      Instant from(TemporalAccessor); Instant ofEpochMilli(long); Instant ofEpochSecond(long);
      Instant ofEpochSecond(long,long); Instant parse(CharSequence)
    `,
    methods: `
      OffsetDateTime atOffset(ZoneOffset); ZonedDateTime atZone(ZoneId); int get(TemporalField);
      long getEpochSecond(); long getLong(TemporalField); int getNano(); boolean isAfter(Instant);
      boolean isBefore(Instant); boolean isSupported(TemporalField); Instant minus(TemporalAmount);
      Instant minus(long,TemporalUnit); Instant minusMillis(long); Instant minusNanos(long);
      Instant minusSeconds(long); Instant plus(TemporalAmount); Instant plus(long,TemporalUnit);
      Instant plusMillis(long); Instant plusNanos(long); Instant plusSeconds(long);
      ValueRange range(TemporalField); long toEpochMilli(); Instant truncatedTo(TemporalUnit);
      long until(Temporal,TemporalUnit); Instant with(TemporalAdjuster); Instant with(TemporalField,long)
    `,
  },
  LocalDate: {
    constants: 'MIN MAX',
    statics: `
      LocalDate from(TemporalAccessor); LocalDate of(int,int,int); LocalDate ofEpochDay(long);
      LocalDate ofYearDay(int,int); LocalDate parse(CharSequence);
      LocalDate parse(CharSequence,DateTimeFormatter)
    `,
    methods: `
      LocalDateTime atStartOfDay(); ZonedDateTime atStartOfDay(ZoneId); LocalDateTime atTime(LocalTime);
      LocalDateTime atTime(int,int); LocalDateTime atTime(int,int,int);
      LocalDateTime atTime(int,int,int,int); String format(DateTimeFormatter); int get(TemporalField);
      int getDayOfMonth(); DayOfWeek getDayOfWeek(); int getDayOfYear(); long getLong(TemporalField);
      Month getMonth(); int getMonthValue(); int getYear(); boolean isAfter(LocalDate);
      boolean isBefore(LocalDate); boolean isEqual(LocalDate); boolean isLeapYear();
      boolean isSupported(TemporalField); int lengthOfMonth(); int lengthOfYear();
      LocalDate minus(TemporalAmount); LocalDate minus(long,TemporalUnit); LocalDate minusDays(long);
      LocalDate minusMonths(long); LocalDate minusWeeks(long); LocalDate minusYears(long);
      LocalDate plus(TemporalAmount); LocalDate plus(long,TemporalUnit); LocalDate plusDays(long);
      LocalDate plusMonths(long); LocalDate plusWeeks(long); LocalDate plusYears(long);
      ValueRange range(TemporalField); long toEpochDay(); Period until(LocalDate);
      long until(Temporal,TemporalUnit); LocalDate with(TemporalAdjuster);
      LocalDate with(TemporalField,long); LocalDate withDayOfMonth(int); LocalDate withDayOfYear(int);
      LocalDate withMonth(int); LocalDate withYear(int)
    `,
  },
  LocalDateTime: {
    constants: 'MIN MAX',
    statics: `
      LocalDateTime from(TemporalAccessor); LocalDateTime of(LocalDate,LocalTime);
      LocalDateTime of(int,int,int,int,int); LocalDateTime of(int,int,int,int,int,int);
      LocalDateTime of(int,int,int,int,int,int,int); LocalDateTime ofEpochSecond(long,int,ZoneOffset);
      LocalDateTime ofInstant(Instant,ZoneId); LocalDateTime parse(CharSequence);
      LocalDateTime parse(CharSequence,DateTimeFormatter)
    `,
    methods: `
      OffsetDateTime atOffset(ZoneOffset); ZonedDateTime atZone(ZoneId); String format(DateTimeFormatter);
      int get(TemporalField); int getDayOfMonth(); DayOfWeek getDayOfWeek(); int getDayOfYear();
      int getHour(); long getLong(TemporalField); int getMinute(); Month getMonth(); int getMonthValue();
      int getNano(); int getSecond(); int getYear(); boolean isAfter(LocalDateTime);
      boolean isBefore(LocalDateTime); boolean isEqual(LocalDateTime); boolean isSupported(TemporalField);
      LocalDateTime minus(TemporalAmount); LocalDateTime minus(long,TemporalUnit);
      LocalDateTime minusDays(long); LocalDateTime minusHours(long); LocalDateTime minusMinutes(long);
      LocalDateTime minusMonths(long); LocalDateTime minusNanos(long); LocalDateTime minusSeconds(long);
      LocalDateTime minusWeeks(long); LocalDateTime minusYears(long); LocalDateTime plus(TemporalAmount);
      LocalDateTime plus(long,TemporalUnit); LocalDateTime plusDays(long); LocalDateTime plusHours(long);
      LocalDateTime plusMinutes(long); LocalDateTime plusMonths(long); LocalDateTime plusNanos(long);
      LocalDateTime plusSeconds(long); LocalDateTime plusWeeks(long); LocalDateTime plusYears(long);
      ValueRange range(TemporalField); long toEpochSecond(ZoneOffset); Instant toInstant(ZoneOffset);
      LocalDate toLocalDate(); LocalTime toLocalTime(); LocalDateTime truncatedTo(TemporalUnit);
      long until(Temporal,TemporalUnit); LocalDateTime with(TemporalAdjuster);
      LocalDateTime with(TemporalField,long); LocalDateTime withDayOfMonth(int);
      LocalDateTime withDayOfYear(int); LocalDateTime withHour(int); LocalDateTime withMinute(int);
      LocalDateTime withMonth(int); LocalDateTime withSecond(int); LocalDateTime withYear(int)
    `,
  },
  LocalTime: {
    constants: 'MIN MAX MIDNIGHT NOON',
    statics: `
      LocalTime from(TemporalAccessor); LocalTime of(int,int); LocalTime of(int,int,int);
      LocalTime of(int,int,int,int); LocalTime ofNanoOfDay(long); LocalTime ofSecondOfDay(long);
      LocalTime parse(CharSequence); LocalTime parse(CharSequence,DateTimeFormatter)
    `,
    methods: `
      LocalDateTime atDate(LocalDate); OffsetTime atOffset(ZoneOffset); String format(DateTimeFormatter);
      int get(TemporalField); int getHour(); long getLong(TemporalField); int getMinute(); int getNano();
      int getSecond(); boolean isAfter(LocalTime); boolean isBefore(LocalTime);
      boolean isSupported(TemporalField); LocalTime minus(TemporalAmount);
      LocalTime minus(long,TemporalUnit); LocalTime minusHours(long); LocalTime minusMinutes(long);
      LocalTime minusNanos(long); LocalTime minusSeconds(long); LocalTime plus(TemporalAmount);
      LocalTime plus(long,TemporalUnit); LocalTime plusHours(long); LocalTime plusMinutes(long);
      LocalTime plusNanos(long); LocalTime plusSeconds(long); ValueRange range(TemporalField);
      long toNanoOfDay(); int toSecondOfDay(); LocalTime truncatedTo(TemporalUnit);
      long until(Temporal,TemporalUnit); LocalTime with(TemporalAdjuster);
      LocalTime with(TemporalField,long); LocalTime withHour(int); LocalTime withMinute(int);
      LocalTime withNano(int); LocalTime withSecond(int)
    `,
  },
  MonthDay: {
    statics: `
      MonthDay from(TemporalAccessor); MonthDay of(int,int); MonthDay parse(CharSequence);
      MonthDay parse(CharSequence,DateTimeFormatter)
    `,
    methods: `
      LocalDate atYear(int); String format(DateTimeFormatter); int get(TemporalField); int getDayOfMonth();
      long getLong(TemporalField); Month getMonth(); int getMonthValue(); boolean isAfter(MonthDay);
      boolean isBefore(MonthDay); boolean isSupported(TemporalField); boolean isValidYear(int);
      ValueRange range(TemporalField); MonthDay with(Month); MonthDay withDayOfMonth(int);
      MonthDay withMonth(int)
    `,
  },
  OffsetDateTime: {
    constants: 'MIN MAX',
    statics: `
      OffsetDateTime from(TemporalAccessor); OffsetDateTime of(LocalDateTime,ZoneOffset);
      OffsetDateTime of(LocalDate,LocalTime,ZoneOffset);
      OffsetDateTime of(int,int,int,int,int,int,int,ZoneOffset); OffsetDateTime ofInstant(Instant,ZoneId);
      OffsetDateTime parse(CharSequence); OffsetDateTime parse(CharSequence,DateTimeFormatter)
    `,
    methods: `
      ZonedDateTime atZoneSameInstant(ZoneId); ZonedDateTime atZoneSimilarLocal(ZoneId);
      String format(DateTimeFormatter); int get(TemporalField); int getDayOfMonth();
      DayOfWeek getDayOfWeek(); int getDayOfYear(); int getHour(); long getLong(TemporalField);
      int getMinute(); Month getMonth(); int getMonthValue(); int getNano(); ZoneOffset getOffset();
      int getSecond(); int getYear(); boolean isAfter(OffsetDateTime); boolean isBefore(OffsetDateTime);
      boolean isEqual(OffsetDateTime); boolean isSupported(TemporalField);
      OffsetDateTime minus(TemporalAmount); OffsetDateTime minus(long,TemporalUnit);
      OffsetDateTime minusDays(long); OffsetDateTime minusHours(long); OffsetDateTime minusMinutes(long);
      OffsetDateTime minusMonths(long); OffsetDateTime minusNanos(long); OffsetDateTime minusSeconds(long);
      OffsetDateTime minusWeeks(long); OffsetDateTime minusYears(long); OffsetDateTime plus(TemporalAmount);
      OffsetDateTime plus(long,TemporalUnit); OffsetDateTime plusDays(long); OffsetDateTime plusHours(long);
      OffsetDateTime plusMinutes(long); OffsetDateTime plusMonths(long); OffsetDateTime plusNanos(long);
      OffsetDateTime plusSeconds(long); OffsetDateTime plusWeeks(long); OffsetDateTime plusYears(long);
      ValueRange range(TemporalField); long toEpochSecond(); Instant toInstant(); LocalDate toLocalDate();
      LocalDateTime toLocalDateTime(); LocalTime toLocalTime(); OffsetTime toOffsetTime();
      ZonedDateTime toZonedDateTime(); OffsetDateTime truncatedTo(TemporalUnit);
      long until(Temporal,TemporalUnit); OffsetDateTime with(TemporalAdjuster);
      OffsetDateTime with(TemporalField,long); OffsetDateTime withDayOfMonth(int);
      OffsetDateTime withDayOfYear(int); OffsetDateTime withHour(int); OffsetDateTime withMinute(int);
      OffsetDateTime withMonth(int); OffsetDateTime withNano(int);
      OffsetDateTime withOffsetSameInstant(ZoneOffset); OffsetDateTime withOffsetSameLocal(ZoneOffset);
      OffsetDateTime withSecond(int); OffsetDateTime withYear(int)
    `,
  },
  OffsetTime: {
    constants: 'MIN MAX',
    statics: `
      OffsetTime from(TemporalAccessor); OffsetTime of(LocalTime,ZoneOffset);
      OffsetTime of(int,int,int,int,ZoneOffset); OffsetTime ofInstant(Instant,ZoneId);
      OffsetTime parse(CharSequence); OffsetTime parse(CharSequence,DateTimeFormatter)
    `,
    methods: `
      String format(DateTimeFormatter); int get(TemporalField); int getHour(); long getLong(TemporalField);
      int getMinute(); int getNano(); ZoneOffset getOffset(); int getSecond(); boolean isAfter(OffsetTime);
      boolean isBefore(OffsetTime); boolean isEqual(OffsetTime); boolean isSupported(TemporalField);
      OffsetTime minus(TemporalAmount); OffsetTime minus(long,TemporalUnit); OffsetTime minusHours(long);
      OffsetTime minusMinutes(long); OffsetTime minusNanos(long); OffsetTime minusSeconds(long);
      OffsetTime plus(TemporalAmount); OffsetTime plus(long,TemporalUnit); OffsetTime plusHours(long);
      OffsetTime plusMinutes(long); OffsetTime plusNanos(long); OffsetTime plusSeconds(long);
      ValueRange range(TemporalField); LocalTime toLocalTime(); OffsetTime truncatedTo(TemporalUnit);
      long until(Temporal,TemporalUnit); OffsetTime with(TemporalAdjuster);
      OffsetTime with(TemporalField,long); OffsetTime withHour(int); OffsetTime withMinute(int);
      OffsetTime withNano(int); OffsetTime withOffsetSameInstant(ZoneOffset);
      OffsetTime withOffsetSameLocal(ZoneOffset); OffsetTime withSecond(int)
    `,
  },
  Period: {
    constants: 'ZERO',
    statics: `
      Period between(LocalDate,LocalDate); Period from(TemporalAmount); Period of(int,int,int);
      Period ofDays(int); Period ofMonths(int); Period ofWeeks(int); Period ofYears(int);
      Period parse(CharSequence)
    `,
    methods: `
      Temporal addTo(Temporal); long get(TemporalUnit); int getDays(); int getMonths(); int getYears();
      boolean isNegative(); boolean isZero(); Period minus(TemporalAmount); Period minusDays(long);
      Period minusMonths(long); Period minusYears(long); Period multipliedBy(int); Period negated();
      Period normalized(); Period plus(TemporalAmount); Period plusDays(long); Period plusMonths(long);
      Period plusYears(long); Temporal subtractFrom(Temporal); long toTotalMonths(); Period withDays(int);
      Period withMonths(int); Period withYears(int)
    `,
  },
  Year: {
    statics: `
      Year from(TemporalAccessor); boolean isLeap(long); Year of(int); Year parse(CharSequence);
      Year parse(CharSequence,DateTimeFormatter)
    `,
    methods: `
      LocalDate atDay(int); YearMonth atMonth(int); LocalDate atMonthDay(MonthDay);
      String format(DateTimeFormatter); int get(TemporalField); long getLong(TemporalField); int getValue();
      boolean isAfter(Year); boolean isLeap(); boolean isSupported(TemporalField);
      boolean isValidMonthDay(MonthDay); int length(); Year minus(TemporalAmount);
      Year minus(long,TemporalUnit); Year minusYears(long); Year plus(TemporalAmount);
      Year plus(long,TemporalUnit); Year plusYears(long); ValueRange range(TemporalField);
      long until(Temporal,TemporalUnit); Year with(TemporalAdjuster); Year with(TemporalField,long)
    `,
  },
  YearMonth: {
    statics: `
      YearMonth from(TemporalAccessor); YearMonth of(int,int); YearMonth parse(CharSequence);
      YearMonth parse(CharSequence,DateTimeFormatter)
    `,
    methods: `
      LocalDate atDay(int); LocalDate atEndOfMonth(); String format(DateTimeFormatter);
      int get(TemporalField); long getLong(TemporalField); Month getMonth(); int getMonthValue();
      int getYear(); boolean isAfter(YearMonth); boolean isBefore(YearMonth); boolean isLeapYear();
      boolean isSupported(TemporalField); boolean isValidDay(int); int lengthOfMonth(); int lengthOfYear();
      YearMonth minus(TemporalAmount); YearMonth minus(long,TemporalUnit); YearMonth minusMonths(long);
      YearMonth minusYears(long); YearMonth plus(TemporalAmount); YearMonth plus(long,TemporalUnit);
      YearMonth plusMonths(long); YearMonth plusYears(long); ValueRange range(TemporalField);
      long until(Temporal,TemporalUnit); YearMonth with(TemporalAdjuster);
      YearMonth with(TemporalField,long); YearMonth withMonth(int); YearMonth withYear(int)
    `,
  },
  ZoneId: {
    statics: `
      ZoneId from(TemporalAccessor); ZoneId of(String); ZoneId of(String,Map)
    `,
    methods: `
      String getId(); ZoneRules getRules(); ZoneId normalized()
    `,
  },
  ZoneOffset: {
    constants: 'UTC MIN MAX',
    statics: `
      ZoneOffset from(TemporalAccessor); ZoneOffset of(String); ZoneOffset ofHours(int);
      ZoneOffset ofHoursMinutes(int,int); ZoneOffset ofHoursMinutesSeconds(int,int,int);
      ZoneOffset ofTotalSeconds(int)
    `,
    methods: `
      int get(TemporalField); String getId(); long getLong(TemporalField); ZoneRules getRules();
      int getTotalSeconds(); boolean isSupported(TemporalField); ZoneId normalized();
      ValueRange range(TemporalField)
    `,
  },
  ZonedDateTime: {
    statics: `
      ZonedDateTime from(TemporalAccessor); ZonedDateTime of(LocalDateTime,ZoneId);
      ZonedDateTime of(LocalDate,LocalTime,ZoneId); ZonedDateTime of(int,int,int,int,int,int,int,ZoneId);
      ZonedDateTime ofInstant(Instant,ZoneId); ZonedDateTime ofInstant(LocalDateTime,ZoneOffset,ZoneId);
      ZonedDateTime ofLocal(LocalDateTime,ZoneId,ZoneOffset);
      ZonedDateTime ofStrict(LocalDateTime,ZoneOffset,ZoneId); ZonedDateTime parse(CharSequence);
      ZonedDateTime parse(CharSequence,DateTimeFormatter)
    `,
    methods: `
      String format(DateTimeFormatter); int get(TemporalField); int getDayOfMonth();
      DayOfWeek getDayOfWeek(); int getDayOfYear(); int getHour(); long getLong(TemporalField);
      int getMinute(); Month getMonth(); int getMonthValue(); int getNano(); ZoneOffset getOffset();
      int getSecond(); int getYear(); ZoneId getZone(); boolean isAfter(ZonedDateTime);
      boolean isBefore(ZonedDateTime); boolean isEqual(ZonedDateTime); boolean isSupported(TemporalField);
      ZonedDateTime minus(TemporalAmount); ZonedDateTime minus(long,TemporalUnit);
      ZonedDateTime minusDays(long); ZonedDateTime minusHours(long); ZonedDateTime minusMinutes(long);
      ZonedDateTime minusMonths(long); ZonedDateTime minusNanos(long); ZonedDateTime minusSeconds(long);
      ZonedDateTime minusWeeks(long); ZonedDateTime minusYears(long); ZonedDateTime plus(TemporalAmount);
      ZonedDateTime plus(long,TemporalUnit); ZonedDateTime plusDays(long); ZonedDateTime plusHours(long);
      ZonedDateTime plusMinutes(long); ZonedDateTime plusMonths(long); ZonedDateTime plusNanos(long);
      ZonedDateTime plusSeconds(long); ZonedDateTime plusWeeks(long); ZonedDateTime plusYears(long);
      ValueRange range(TemporalField); long toEpochSecond(); Instant toInstant(); LocalDate toLocalDate();
      LocalDateTime toLocalDateTime(); LocalTime toLocalTime(); OffsetDateTime toOffsetDateTime();
      ZonedDateTime truncatedTo(TemporalUnit); long until(Temporal,TemporalUnit);
      ZonedDateTime with(TemporalAdjuster); ZonedDateTime with(TemporalField,long);
      ZonedDateTime withDayOfMonth(int); ZonedDateTime withDayOfYear(int);
      ZonedDateTime withEarlierOffsetAtOverlap(); ZonedDateTime withFixedOffsetZone();
      ZonedDateTime withHour(int); ZonedDateTime withLaterOffsetAtOverlap(); ZonedDateTime withMinute(int);
      ZonedDateTime withMonth(int); ZonedDateTime withNano(int); ZonedDateTime withSecond(int);
      ZonedDateTime withYear(int); ZonedDateTime withZoneSameInstant(ZoneId);
      ZonedDateTime withZoneSameLocal(ZoneId)
    `,
  },
};
