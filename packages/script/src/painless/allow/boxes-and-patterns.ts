import { createHash } from 'node:crypto';
import { currentBudget } from '../../runtime/budget.js';
import { textOfCode } from '../../runtime/code-point.js';
import { textOf } from '../../runtime/java-text.js';
import { ExceptionValue, illegalArgument, Thrown } from '../../runtime/thrown.js';
import { type Long, wrapLong } from '../../runtime/longs.js';
import type { Matcher, Pattern } from '../../runtime/regex.js';
import { splitAtMatches } from '../../runtime/regex/java-replacement.js';
import { JavaStream } from '../../runtime/streams.js';
import { JavaArray, ScriptObject } from '../../runtime/values.js';
import type { AllowTable, ClassRow } from './class-row.js';

/** Bits of the number classes. */
const BITS: Readonly<Record<string, number>> = { Byte: 8, Short: 16, Integer: 32, Long: 64, Float: 32, Double: 64 };

const sizeRow = ([name, bits]: readonly [string, number]): ClassRow => ({
  name: `java.lang.${name}`,
  constants: { 'int SIZE': bits, 'int BYTES': bits / 8 },
});

const numberFormat = (text: string, radix: number): Thrown =>
  new Thrown(
    'java.lang.NumberFormatException',
    `For input string: "${text}"${radix === 10 ? '' : ` under radix ${radix}`}`,
  );

/** Parses an unsigned number of so many bits. */
function unsigned(text: string, radix: number, bits: number): bigint {
  const digits = text.replace(/^\+/, '').toLowerCase();
  const isNumber =
    digits !== '' && [...digits].every((digit) => !(Number.parseInt(digit, 36) >= radix) && /\w/.test(digit));
  if (!isNumber || digits.length > 64) throw numberFormat(text, radix);
  const value = [...digits].reduce((sum, digit) => sum * BigInt(radix) + BigInt(Number.parseInt(digit, 36)), 0n);
  if (value >= 1n << BigInt(bits))
    throw new Thrown(
      'java.lang.NumberFormatException',
      `String value ${text} exceeds range of unsigned ${bits === 32 ? 'int' : 'long'}.`,
    );
  return BigInt.asIntN(bits, value);
}

const FLOATS = { MAX_EXPONENT: 127, MIN_EXPONENT: -126, MIN_NORMAL: 2 ** -126 };
const DOUBLES = { MAX_EXPONENT: 1023, MIN_EXPONENT: -1022, MIN_NORMAL: 2 ** -1022 };

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

const characterRow: ClassRow = {
  name: 'java.lang.Character',
  constants: { 'int SIZE': 16, 'int BYTES': 2, 'int MAX_CODE_POINT': 0x10ffff, 'int MIN_CODE_POINT': 0 },
  statics: {
    'int charCount(int)': (code: number) => (code >= 0x10000 ? 2 : 1),
    'int hashCode(char)': (unit: number) => unit,
    'char highSurrogate(int)': (code: number) => ((code >>> 10) + 0xd7c0) & 0xffff,
    'char lowSurrogate(int)': (code: number) => (code & 0x3ff) + 0xdc00,
    'boolean isBmpCodePoint(int)': (code: number) => code >>> 16 === 0,
    'boolean isDefined(int)': (code: number) => /\P{Cn}/u.test(textOfCode(code)),
    'boolean isHighSurrogate(char)': (unit: number) => unit >= 0xd800 && unit < 0xdc00,
    'boolean isLowSurrogate(char)': (unit: number) => unit >= 0xdc00 && unit < 0xe000,
    'boolean isISOControl(int)': (code: number) => code <= 0x9f && (code >= 0x7f || code <= 0x1f),
    'boolean isIdeographic(int)': (code: number) => /\p{Ideographic}/u.test(textOfCode(code)),
    'boolean isMirrored(int)': (code: number) => /\p{Bidi_Mirrored}/u.test(textOfCode(code)),
    'boolean isSupplementaryCodePoint(int)': (code: number) => code >= 0x10000 && code <= 0x10ffff,
    'boolean isSurrogate(char)': isSurrogate,
    'boolean isSurrogatePair(char,char)': (high: number, low: number) =>
      high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000,
    'boolean isTitleCase(int)': (code: number) => /\p{Lt}/u.test(textOfCode(code)),
    'boolean isValidCodePoint(int)': (code: number) => code >= 0 && code <= 0x10ffff,
    'char reverseBytes(char)': (unit: number) => ((unit & 0xff) << 8) | (unit >> 8),
    'int toCodePoint(char,char)': (high: number, low: number) => (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000,
  },
};

/** Exceptions that scripts may name besides those that they run into, by their parents. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  'java.lang.Exception': ['java.lang.CloneNotSupportedException', 'java.lang.InterruptedException'],
  'java.lang.RuntimeException': [
    ...['java.lang.EnumConstantNotPresentException', 'java.lang.IllegalMonitorStateException'],
    ...['java.lang.SecurityException', 'java.lang.TypeNotPresentException', 'java.util.MissingResourceException'],
  ],
  'java.lang.IllegalArgumentException': ['java.lang.IllegalThreadStateException'],
  'java.lang.IllegalStateException': ['java.util.FormatterClosedException'],
  'java.util.NoSuchElementException': ['java.util.InputMismatchException'],
  'java.util.IllegalFormatException': [
    ...['java.util.DuplicateFormatFlagsException', 'java.util.FormatFlagsConversionMismatchException'],
    ...['java.util.IllegalFormatFlagsException', 'java.util.IllegalFormatPrecisionException'],
    ...['java.util.MissingFormatWidthException', 'java.util.UnknownFormatFlagsException'],
  ],
};

const exceptionRows = Object.entries(EXCEPTIONS).flatMap(([parent, names]) =>
  names.map(
    (name): ClassRow => ({
      name,
      parents: [parent],
      constructors: {
        '()': () => new ExceptionValue(name, null),
        '(String)': (told: string | null) => new ExceptionValue(name, told),
      },
    }),
  ),
);

const FLAG_BITS: Readonly<Record<string, number>> = { i: 2, x: 4, m: 8, l: 16, s: 32, u: 64, c: 128, U: 256 };

const regexRows: AllowTable = [
  {
    name: 'java.util.regex.Pattern',
    methods: {
      'int flags()': ({ flags }: Pattern) => [...flags].reduce((all, flag) => all | (FLAG_BITS[flag] ?? 0), 0),
      'java.util.stream.Stream splitAsStream(CharSequence)': (pattern: Pattern, text: unknown) =>
        new JavaStream('Stream', splitAtMatches(pattern.matcher(textOf(text)), textOf(text))),
    },
  },
  {
    name: 'java.util.regex.Matcher',
    statics: { 'String quoteReplacement(String)': (text: string) => text.replace(/[\\$]/g, '\\$&') },
    methods: { 'java.util.regex.Pattern pattern()': ({ pattern }: Matcher) => pattern },
  },
];

/** A form of Unicode's normalisation. */
class NormalizerForm extends ScriptObject {
  readonly javaClass = 'java.text.Normalizer.Form';
  readonly name: string;
  readonly ordinal: number;

  constructor(name: string, ordinal: number) {
    super();
    this.name = name;
    this.ordinal = ordinal;
  }

  toText(): string {
    return this.name;
  }

  compare(other: unknown): number {
    return this.ordinal - (other as NormalizerForm).ordinal;
  }
}

const FORMS = ['NFD', 'NFC', 'NFKD', 'NFKC'].map((name, i) => new NormalizerForm(name, i));

function formOf(name: string): NormalizerForm {
  const form = FORMS.find((one) => one.name === name);
  if (!form) throw illegalArgument(`No enum constant java.text.Normalizer.Form.${name}`);
  return form;
}

function normalized(text: unknown, { name }: NormalizerForm): string {
  const result = textOf(text).normalize(name);
  currentBudget().charge(result.length * 2);
  return result;
}

const normalizerRows: AllowTable = [
  {
    name: 'java.text.Normalizer',
    statics: {
      'String normalize(CharSequence,Normalizer.Form)': normalized,
      'boolean isNormalized(CharSequence,Normalizer.Form)': (text: unknown, form: NormalizerForm) =>
        normalized(text, form) === textOf(text),
    },
  },
  {
    name: 'java.text.Normalizer.Form',
    parents: ['java.lang.Enum'],
    constants: Object.fromEntries(FORMS.map((form) => [`Normalizer.Form ${form.name}`, form])),
    statics: {
      'Normalizer.Form valueOf(String)': formOf,
      'Normalizer.Form[] values()': () => new JavaArray('java.text.Normalizer.Form', [...FORMS]),
    },
  },
];

/** Bits of a UUID made of a hash: version 3. */
export function nameUuidBits(bytes: JavaArray): bigint {
  const hash = createHash('md5')
    .update(Buffer.from(bytes.values as number[]))
    .digest();
  hash[6] = (hash[6]! & 0x0f) | 0x30;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  return BigInt(`0x${hash.toString('hex')}`);
}

/** More members of java.lang, java.util.regex and java.text. */
export const BOXES_AND_PATTERNS: AllowTable = [
  ...Object.entries(BITS).map(sizeRow),
  {
    name: 'java.lang.Integer',
    statics: {
      'int parseUnsignedInt(String)': (text: string) => Number(unsigned(text, 10, 32)),
      'int parseUnsignedInt(String,int)': (text: string, radix: number) => Number(unsigned(text, radix, 32)),
      'long toUnsignedLong(int)': (value: number) => value >>> 0,
      'String toUnsignedString(int,int)': (value: number, radix: number) => (value >>> 0).toString(radix),
    },
  },
  {
    name: 'java.lang.Long',
    statics: {
      'long parseUnsignedLong(String)': (text: string) => wrapLong(unsigned(text, 10, 64)),
      'long parseUnsignedLong(String,int)': (text: string, radix: number) => wrapLong(unsigned(text, radix, 64)),
      'String toUnsignedString(long,int)': (value: Long, radix: number) =>
        BigInt.asUintN(64, BigInt(value)).toString(radix),
    },
  },
  {
    name: 'java.lang.Short',
    statics: {
      'short reverseBytes(short)': (value: number) => ((((value & 0xff) << 8) | ((value >> 8) & 0xff)) << 16) >> 16,
      'int toUnsignedInt(short)': (value: number) => value & 0xffff,
      'long toUnsignedLong(short)': (value: number) => value & 0xffff,
    },
  },
  {
    name: 'java.lang.Byte',
    statics: {
      'int toUnsignedInt(byte)': (value: number) => value & 0xff,
      'long toUnsignedLong(byte)': (value: number) => value & 0xff,
    },
  },
  { name: 'java.lang.Boolean', statics: { 'int hashCode(boolean)': (value: boolean) => (value ? 1231 : 1237) } },
  {
    name: 'java.lang.Float',
    constants: {
      'int MAX_EXPONENT': FLOATS.MAX_EXPONENT,
      'int MIN_EXPONENT': FLOATS.MIN_EXPONENT,
      'float MIN_NORMAL': FLOATS.MIN_NORMAL,
    },
  },
  {
    name: 'java.lang.Double',
    constants: {
      'int MAX_EXPONENT': DOUBLES.MAX_EXPONENT,
      'int MIN_EXPONENT': DOUBLES.MIN_EXPONENT,
      'double MIN_NORMAL': DOUBLES.MIN_NORMAL,
    },
  },
  characterRow,
  ...exceptionRows,
  ...regexRows,
  ...normalizerRows,
];
