/**
 * A named format of Elasticsearch: the pattern to parse with and the pattern to print with. The patterns are those of
 * java.time with two additions: `{min,max}` sets the width of a number or fraction, and `J` takes any zone or offset.
 */
export interface BuiltinFormat {
  readonly parse: string;
  readonly print: string;
}

const TIME = 'HH:mm:ss';
const BASIC_TIME = 'HHmmss';

/** Named formats with separators. `strict_` takes the full number of digits, the lenient form also fewer. */
const NAMED: Readonly<Record<string, string>> = {
  date: 'uuuu-MM-dd',
  date_hour: "uuuu-MM-dd'T'HH",
  date_hour_minute: "uuuu-MM-dd'T'HH:mm",
  date_hour_minute_second: `uuuu-MM-dd'T'${TIME}`,
  date_hour_minute_second_fraction: `uuuu-MM-dd'T'${TIME}.S`,
  date_hour_minute_second_millis: `uuuu-MM-dd'T'${TIME}.S`,
  date_time: `uuuu-MM-dd'T'${TIME}.SJ`,
  date_time_no_millis: `uuuu-MM-dd'T'${TIME}J`,
  hour: 'HH',
  hour_minute: 'HH:mm',
  hour_minute_second: TIME,
  hour_minute_second_fraction: `${TIME}.S`,
  hour_minute_second_millis: `${TIME}.S`,
  ordinal_date: 'uuuu-DDD',
  ordinal_date_time: `uuuu-DDD'T'${TIME}.SJ`,
  ordinal_date_time_no_millis: `uuuu-DDD'T'${TIME}J`,
  time: `${TIME}.SJ`,
  time_no_millis: `${TIME}J`,
  t_time: `'T'${TIME}.SJ`,
  t_time_no_millis: `'T'${TIME}J`,
  week_date: "YYYY-'W'ww-e",
  week_date_time: `YYYY-'W'ww-e'T'${TIME}.SJ`,
  week_date_time_no_millis: `YYYY-'W'ww-e'T'${TIME}J`,
  weekyear: 'YYYY',
  weekyear_week: "YYYY-'W'ww",
  weekyear_week_day: "YYYY-'W'ww-e",
  year: 'uuuu',
  year_month: 'uuuu-MM',
  year_month_day: 'uuuu-MM-dd',
};

/** Named formats without separators. Their fields have fixed widths, with `strict_` and without. */
const BASIC: Readonly<Record<string, string>> = {
  basic_date: 'uuuu{4,4}MMdd',
  basic_date_time: `uuuu{4,4}MMdd'T'${BASIC_TIME}.SJ`,
  basic_date_time_no_millis: `uuuu{4,4}MMdd'T'${BASIC_TIME}J`,
  basic_ordinal_date: 'uuuu{4,4}DDD',
  basic_ordinal_date_time: `uuuu{4,4}DDD'T'${BASIC_TIME}.SJ`,
  basic_ordinal_date_time_no_millis: `uuuu{4,4}DDD'T'${BASIC_TIME}J`,
  basic_time: `${BASIC_TIME}.SJ`,
  basic_time_no_millis: `${BASIC_TIME}J`,
  basic_t_time: `'T'${BASIC_TIME}.SJ`,
  basic_t_time_no_millis: `'T'${BASIC_TIME}J`,
  basic_week_date: "YYYY{4,4}'W'wwe",
  basic_week_date_time: `YYYY{4,4}'W'wwe'T'${BASIC_TIME}.SJ`,
  basic_week_date_time_no_millis: `YYYY{4,4}'W'wwe'T'${BASIC_TIME}J`,
};

const OPTIONAL_TIME = "uuuu{4,4}[-MM[-dd]]['T'[HH[:mm[:ss[.S{1,9}][,S{1,9}]]][J]]]";
const OPTIONAL_TIME_LENIENT = "uuuu{1,9}[-MM{1,2}[-dd{1,2}]]['T'[HH{1,2}[:mm{1,2}[:ss{1,2}[.S{1,9}][,S{1,9}]]][J]]]";
const MILLIS_PRINT = `uuuu-MM-dd'T'${TIME}.SSSXXX`;
const NANOS_PRINT = `uuuu-MM-dd'T'${TIME}.S{3,9}XXX`;
/** Formats that print all digits of a fraction; the others of their kind print milliseconds. */
const PRINTS_NANOS = new Set(['strict_date_time', 'ordinal_date_time']);

const fractions = (pattern: string): string => pattern.replace(/S(?!\{)/, 'S{1,9}');
const printable = (pattern: string): string =>
  pattern
    .replace(/S(?!\{)/, 'SSS')
    .replace('J', 'XXX')
    .replaceAll('{4,4}', '');
const lenient = (pattern: string): string =>
  pattern
    .replace('uuuu', 'u{1,9}')
    .replace('YYYY', 'Y{1,9}')
    .replace(/(MM|dd|HH|mm|ss|ww)/g, (two) => `${two}{1,2}`)
    .replace('DDD', 'DDD{1,3}');

function named(name: string): BuiltinFormat | null {
  const isStrict = name.startsWith('strict_');
  const bare = isStrict ? name.slice('strict_'.length) : name;
  if (Object.hasOwn(BASIC, bare)) return { parse: fractions(BASIC[bare]!), print: printable(BASIC[bare]!) };
  if (!Object.hasOwn(NAMED, bare)) return null;
  const pattern = fractions(NAMED[bare]!);
  const print = printable(NAMED[bare]!);
  return {
    parse: isStrict ? pattern.replace('uuuu', 'uuuu{4,4}') : lenient(pattern),
    print: PRINTS_NANOS.has(name) ? print.replace('SSS', 'S{3,9}') : print,
  };
}

/** The built-in format of a name, or null if there is none. `epoch_millis` and `epoch_second` are no patterns: null. */
export function builtinFormat(name: string): BuiltinFormat | null {
  if (name === 'strict_date_optional_time' || name === 'iso8601') return { parse: OPTIONAL_TIME, print: MILLIS_PRINT };
  if (name === 'strict_date_optional_time_nanos') return { parse: OPTIONAL_TIME, print: NANOS_PRINT };
  if (name === 'date_optional_time' || name === 'dateOptionalTime')
    return { parse: OPTIONAL_TIME_LENIENT, print: MILLIS_PRINT };
  if (name === 'date_optional_time_nanos') return { parse: OPTIONAL_TIME_LENIENT, print: NANOS_PRINT };
  return named(name);
}

/** Whether a text is the name of a format and no pattern of letters. */
export const isNamedFormat = (name: string): boolean =>
  name === 'epoch_millis' || name === 'epoch_second' || builtinFormat(name) !== null;
