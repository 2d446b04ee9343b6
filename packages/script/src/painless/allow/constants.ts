import type { AllowTable, ClassRow } from './class-row.js';

/** Constants of a class whose names follow one another in the order of their values. */
const counted = (type: string, names: string, from = 0): Record<string, number> =>
  Object.fromEntries(
    names
      .split(' ')
      .map((name, i) => [`${type} ${name}`, from + i] as const)
      .filter(([name]) => !name.endsWith(' -')),
  );

const CATEGORIES =
  'UNASSIGNED UPPERCASE_LETTER LOWERCASE_LETTER TITLECASE_LETTER MODIFIER_LETTER OTHER_LETTER NON_SPACING_MARK ' +
  'ENCLOSING_MARK COMBINING_SPACING_MARK DECIMAL_DIGIT_NUMBER LETTER_NUMBER OTHER_NUMBER SPACE_SEPARATOR ' +
  'LINE_SEPARATOR PARAGRAPH_SEPARATOR CONTROL FORMAT - PRIVATE_USE SURROGATE DASH_PUNCTUATION START_PUNCTUATION ' +
  'END_PUNCTUATION CONNECTOR_PUNCTUATION OTHER_PUNCTUATION MATH_SYMBOL CURRENCY_SYMBOL MODIFIER_SYMBOL OTHER_SYMBOL ' +
  'INITIAL_QUOTE_PUNCTUATION FINAL_QUOTE_PUNCTUATION';

const DIRECTIONS =
  'UNDEFINED LEFT_TO_RIGHT RIGHT_TO_LEFT RIGHT_TO_LEFT_ARABIC EUROPEAN_NUMBER EUROPEAN_NUMBER_SEPARATOR ' +
  'EUROPEAN_NUMBER_TERMINATOR ARABIC_NUMBER COMMON_NUMBER_SEPARATOR NONSPACING_MARK BOUNDARY_NEUTRAL ' +
  'PARAGRAPH_SEPARATOR SEGMENT_SEPARATOR WHITESPACE OTHER_NEUTRALS LEFT_TO_RIGHT_EMBEDDING LEFT_TO_RIGHT_OVERRIDE ' +
  'RIGHT_TO_LEFT_EMBEDDING RIGHT_TO_LEFT_OVERRIDE POP_DIRECTIONAL_FORMAT';

const characterRow: ClassRow = {
  name: 'java.lang.Character',
  constants: {
    ...counted('byte', CATEGORIES),
    ...counted('byte', DIRECTIONS.replaceAll(/\w+/g, 'DIRECTIONALITY_$&'), -1),
    'int MIN_RADIX': 2,
    'int MAX_RADIX': 36,
    'int MIN_SUPPLEMENTARY_CODE_POINT': 0x10000,
    'char MIN_VALUE': 0,
    'char MAX_VALUE': 0xffff,
    'char MIN_HIGH_SURROGATE': 0xd800,
    'char MAX_HIGH_SURROGATE': 0xdbff,
    'char MIN_LOW_SURROGATE': 0xdc00,
    'char MAX_LOW_SURROGATE': 0xdfff,
    'char MIN_SURROGATE': 0xd800,
    'char MAX_SURROGATE': 0xdfff,
  },
};

const DATE_FIELDS =
  'ERA_FIELD YEAR_FIELD MONTH_FIELD DATE_FIELD HOUR_OF_DAY1_FIELD HOUR_OF_DAY0_FIELD MINUTE_FIELD SECOND_FIELD ' +
  'MILLISECOND_FIELD DAY_OF_WEEK_FIELD DAY_OF_YEAR_FIELD DAY_OF_WEEK_IN_MONTH_FIELD WEEK_OF_YEAR_FIELD ' +
  'WEEK_OF_MONTH_FIELD AM_PM_FIELD HOUR1_FIELD HOUR0_FIELD TIMEZONE_FIELD';

/** Constants of classes whose members stand in other tables. */
export const CONSTANTS: AllowTable = [
  characterRow,
  {
    name: 'java.text.DateFormat',
    constants: { ...counted('int', DATE_FIELDS), ...counted('int', 'FULL LONG MEDIUM SHORT'), 'int DEFAULT': 2 },
  },
  { name: 'java.text.NumberFormat', constants: counted('int', 'INTEGER_FIELD FRACTION_FIELD') },
  { name: 'java.util.TimeZone', constants: counted('int', 'SHORT LONG') },
  { name: 'java.time.Year', constants: { 'int MAX_VALUE': 999_999_999, 'int MIN_VALUE': -999_999_999 } },
  {
    name: 'java.util.Locale',
    constants: { 'char PRIVATE_USE_EXTENSION': 0x78, 'char UNICODE_LOCALE_EXTENSION': 0x75 },
  },
];
