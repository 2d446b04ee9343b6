import { DecimalFormat } from '../../runtime/decimal-format.js';
import { DecimalFormatSymbols } from '../../runtime/decimal-format-symbols.js';
import type { AllowTable, ClassRow } from './class-row.js';
import type { LocaleValue } from './locale.js';

type Character = 'decimal' | 'grouping' | 'minus' | 'percent' | 'perMill' | 'zero' | 'digit' | 'patternSeparator';
type Text = 'exponent' | 'infinity' | 'nan';

const CHARACTERS: Readonly<Record<string, Character>> = {
  DecimalSeparator: 'decimal',
  GroupingSeparator: 'grouping',
  MonetaryDecimalSeparator: 'decimal',
  MinusSign: 'minus',
  Percent: 'percent',
  PerMill: 'perMill',
  ZeroDigit: 'zero',
  Digit: 'digit',
  PatternSeparator: 'patternSeparator',
};
const TEXTS: Readonly<Record<string, Text>> = { ExponentSeparator: 'exponent', Infinity: 'infinity', NaN: 'nan' };

const characterMethods: ClassRow['methods'] = Object.fromEntries(
  Object.entries(CHARACTERS).flatMap(([name, key]) => [
    [`char get${name}()`, (symbols: DecimalFormatSymbols) => symbols[key].charCodeAt(0)],
    [
      `void set${name}(char)`,
      (symbols: DecimalFormatSymbols, code: number) => void (symbols[key] = String.fromCharCode(code)),
    ],
  ]),
);

const textMethods: ClassRow['methods'] = Object.fromEntries(
  Object.entries(TEXTS).flatMap(([name, key]) => [
    [`String get${name}()`, (symbols: DecimalFormatSymbols) => symbols[key]],
    [`void set${name}(String)`, (symbols: DecimalFormatSymbols, text: string) => void (symbols[key] = text)],
  ]),
);

const root = (): DecimalFormatSymbols => DecimalFormatSymbols.of(null);
const ofLocale = ({ namesTag }: LocaleValue): DecimalFormatSymbols => DecimalFormatSymbols.of(namesTag);

/** Characters of numbers, and the formats that are written with them. */
export const DECIMAL_SYMBOLS: AllowTable = [
  {
    name: 'java.text.DecimalFormatSymbols',
    constructors: { '()': root, '(Locale)': ofLocale },
    statics: { 'DecimalFormatSymbols getInstance()': root, 'DecimalFormatSymbols getInstance(Locale)': ofLocale },
    methods: { ...characterMethods, ...textMethods, 'def clone()': (symbols: DecimalFormatSymbols) => symbols.copy() },
  },
  {
    name: 'java.text.DecimalFormat',
    constructors: {
      '(String,DecimalFormatSymbols)': (pattern: string, symbols: DecimalFormatSymbols) =>
        new DecimalFormat(pattern, symbols.copy()),
    },
    methods: {
      'DecimalFormatSymbols getDecimalFormatSymbols()': (format: DecimalFormat) => format.symbols.copy(),
      'void setDecimalFormatSymbols(DecimalFormatSymbols)': (format: DecimalFormat, symbols: DecimalFormatSymbols) =>
        void (format.symbols = symbols.copy()),
    },
  },
];
