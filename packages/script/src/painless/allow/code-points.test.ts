import { test } from 'node:test';
import {
  type RecordedErrors,
  type RecordedResults,
  assertErrors,
  assertResults,
} from '../../testing/recorded-scripts.js';

const RESULTS: RecordedResults = [
  [
    "char[] c = Character.toChars(0x1F600); c.length + ' ' + (int) c[0] + ' ' + (int) c[1] + " +
      "' ' + Character.toChars(65)[0]",
    '2 55357 56832 A',
  ],
  [
    "char[] c = new char[4]; int n = Character.toChars(0x1F600, c, 1); n + ' ' + (int) c[1] " +
      "+ ' ' + (int) c[2] + ' ' + (int) c[0]",
    '2 55357 56832 0',
  ],
  ["Character.toTitleCase((char) 'ǆ') == (char) 'ǅ'", 'true'],
  [
    "Character.toTitleCase((char) 'a').toString() + Character.toTitleCase((char) '1') + " +
      "Character.toTitleCase((char) 'ß') + Character.valueOf((char) 'x')",
    'A1ßx',
  ],
  ["char[] c = 'hello'.toCharArray(); String.copyValueOf(c, 1, 3)", 'ell'],
  [
    "char[] c = new char[5]; 'hello'.getChars(1, 4, c, 1); (int) c[0] + ' ' + c[1] + c[2] + " +
      "c[3] + ' ' + (int) c[4]",
    '0 ell 0',
  ],
  [
    "StringBuilder b = new StringBuilder('hello'); b.append('world', 1, 3); b.toString() + ' " +
      "' + b.indexOf('l', 3) + ' ' + b.lastIndexOf('l', 2) + ' ' + b.codePointAt(0) + ' ' + " +
      "b.codePointBefore(1) + ' ' + b.codePointCount(0, 3) + ' ' + b.offsetByCodePoints(1, 2)",
    'helloor 3 2 104 104 3 3',
  ],
  [
    "StringBuffer b = new StringBuffer('abc'); char[] c = new char[3]; b.getChars(0, 2, c, " +
      "1); b.compareTo(new StringBuffer('abd')) + ' ' + c[1] + c[2]",
    '-1 ab',
  ],
  ["new StringBuilder('abc').compareTo(new StringBuilder('ab'))", '1'],
  [
    "Double.toHexString(1.0) + ' ' + Double.toHexString(-0.1) + ' ' + " +
      "Double.toHexString(0.0) + ' ' + Double.toHexString(4.9E-324) + ' ' + " +
      "Double.toHexString(Double.MAX_VALUE) + ' ' + Double.toHexString(Double.NaN) + ' ' + " +
      "Double.toHexString(Double.NEGATIVE_INFINITY) + ' ' + Double.toHexString(-0.0) + ' ' + " +
      "Double.toHexString(3.0) + ' ' + Double.toHexString(1e-310)",
    '0x1.0p0 -0x1.999999999999ap-4 0x0.0p0 0x0.0000000000001p-1022 0x1.fffffffffffffp1023 ' +
      'NaN -Infinity -0x0.0p0 0x1.8p1 0x0.012688b70e62bp-1022',
  ],
  [
    "Float.toHexString(1.0f) + ' ' + Float.toHexString(-0.1f) + ' ' + " +
      "Float.toHexString(1.4e-45f) + ' ' + Float.toHexString(Float.MAX_VALUE) + ' ' + " +
      'Float.toHexString(1e-40f)',
    '0x1.0p0 -0x1.99999ap-4 0x0.000002p-126 0x1.fffffep127 0x0.022d84p-126',
  ],
  [
    "Double.doubleToRawLongBits(1.5) + ' ' + Double.doubleToRawLongBits(-0.0) + ' ' + " +
      "Float.floatToRawIntBits(1.5f) + ' ' + Float.floatToRawIntBits(-2f)",
    '4609434218613702656 -9223372036854775808 1069547520 -1073741824',
  ],
  [
    "Normalizer.Form.valueOf('NFC').toString() + ' ' + Normalizer.Form.values().length + ' ' " +
      "+ Normalizer.Form.NFKD.ordinal() + ' ' + Normalizer.Form.NFD.name() + ' ' + " +
      'Normalizer.Form.NFKC.compareTo(Normalizer.Form.NFD)',
    'NFC 4 2 NFD 3',
  ],
  ['new StringBuilder().appendCodePoint(0x1F600).length()', '2'],
  ['Character.isDefined(-1)', 'false'],
  ['Character.isTitleCase(0x110000)', 'false'],
  ['int x = 5; x.toString()', '5'],
  ['int x = 5; x.compareTo(3)', '1'],
  ['double d = 2.5; d.intValue()', '2'],
  ["long l = 3L; l.hashCode() + ' ' + l.equals(3L)", '3 true'],
  ["char c = (char) 'a'; c.toString()", 'a'],
  ['boolean b = true; b.toString()', 'true'],
  ['List l = []; for (int c : new int[] {65, 97}) l.add(Character.getType(c)); l.toString()', '[1, 2]'],
  [
    'List l = new ArrayList(); for (int c : new int[] {65, 97, 48, 32, 95, 36, 8364, 40, 41, ' +
      '45, 769, 171, 187, 0, 173, 453, 8544, 178, 43, 94, 8232, 8233, 57344, 55296, 888, 688, ' +
      '1488, 2307, 1160, 33}) { l.add(Character.getType(c)); } l.toString()',
    '[1, 2, 9, 12, 23, 26, 26, 21, 22, 20, 6, 29, 30, 15, 16, 3, 10, 11, 25, 27, 13, 14, 18, ' +
      '19, 0, 4, 5, 8, 7, 24]',
  ],
  [
    "String l = ''; for (int c : new int[] {65, 97, 48, 32, 95, 36, 8364, 40, 769, 0, 173, " +
      "8544, 178, 8255, 8, 9, 27, 127, 1488}) { l += (Character.isJavaIdentifierStart(c) ? 'S' " +
      ": '-') + (Character.isJavaIdentifierPart(c) ? 'P' : '-') + " +
      "(Character.isUnicodeIdentifierStart(c) ? 'U' : '-') + " +
      "(Character.isUnicodeIdentifierPart(c) ? 'Q' : '-') + " +
      "(Character.isIdentifierIgnorable(c) ? 'I' : '-') + ' ' } l",
    'SPUQ- SPUQ- -P-Q- ----- SP-Q- SP--- SP--- ----- -P-Q- -P-QI -P-QI SPUQ- ----- SP-Q- ' +
      '-P-QI ----- -P-QI -P-QI SPUQ- ',
  ],
  [
    'short s = (short) 3; byte b = (byte) 4; float f = 1.5f; s.toString() + b.toString() + ' +
      'f.toString() + s.intValue() + f.doubleValue() + b.hashCode()',
    '341.531.54',
  ],
  ["boolean b = true; b.compareTo(false) + ' ' + b.hashCode() + ' ' + b.booleanValue()", '1 1231 true'],
  ['[1,2].size().toString()', '2'],
  ["'abc'.length().compareTo(2)", '1'],
  ["Character.highSurrogate(128512) + '' + Character.lowSurrogate(128512)", '😀'],
  ['Character.isDefined(-1)', 'false'],
  ['Character.isTitleCase(1114112)', 'false'],
  ['Character.isLetter(-5)', 'false'],
  ['Character.getNumericValue(-5)', '-1'],
];

const ERRORS: RecordedErrors = [
  [
    "Character.codePointAt('a\\uD83D\\uDE00b', 1) + ' ' + " +
      "Character.codePointAt('a\\uD83D\\uDE00b', 2) + ' ' + " +
      "Character.codePointBefore('a\\uD83D\\uDE00b', 3) + ' ' + " +
      "Character.codePointBefore('a\\uD83D\\uDE00b', 2) + ' ' + " +
      "Character.codePointCount('a\\uD83D\\uDE00b', 0, 4) + ' ' + " +
      "Character.codePointCount('a\\uD83D\\uDE00b', 2, 4)",
    'illegal_argument_exception',
    "unexpected character ['a\\u]. The only valid escape sequences in strings starting with " +
      "['] are [\\\\] and [\\'].",
  ],
  ["Character.codePointCount('ab', 1, 3)", 'index_out_of_bounds_exception', null],
  [
    "Character.offsetByCodePoints('a\\uD83D\\uDE00b', 0, 2) + ' ' + " +
      "Character.offsetByCodePoints('a\\uD83D\\uDE00b', 4, -2)",
    'illegal_argument_exception',
    "unexpected character ['a\\u]. The only valid escape sequences in strings starting with " +
      "['] are [\\\\] and [\\'].",
  ],
  ["Character.offsetByCodePoints('ab', 0, 3)", 'index_out_of_bounds_exception', null],
  ['Character.toChars(0x110000).length', 'illegal_argument_exception', 'Not a valid Unicode code point: 0x110000'],
  [
    "char[] c = 'hello'.toCharArray(); String.copyValueOf(c, 3, 3)",
    'string_index_out_of_bounds_exception',
    'offset 3, count 3, length 5',
  ],
  [
    "'a\\uD83D\\uDE00b'.codePointBefore(3) + ' ' + 'a\\uD83D\\uDE00b'.offsetByCodePoints(0, 2)",
    'illegal_argument_exception',
    "unexpected character ['a\\u]. The only valid escape sequences in strings starting with " +
      "['] are [\\\\] and [\\'].",
  ],
  ["'ab'.offsetByCodePoints(0, 3)", 'index_out_of_bounds_exception', null],
  [
    "char[] c = new char[2]; 'hello'.getChars(1, 4, c, 1); 'x'",
    'string_index_out_of_bounds_exception',
    'offset 1, count 3, length 2',
  ],
  [
    "char[] c = new char[2]; 'hello'.getChars(1, 9, c, 1); 'x'",
    'string_index_out_of_bounds_exception',
    'begin 1, end 9, length 5',
  ],
  [
    "StringBuilder b = new StringBuilder('hello'); b.append('world', 1, 9).toString()",
    'index_out_of_bounds_exception',
    'start 1, end 9, length 5',
  ],
  [
    "Normalizer.Form.valueOf('X').toString()",
    'illegal_argument_exception',
    'No enum constant java.text.Normalizer.Form.X',
  ],
  [
    'new StringBuilder().appendCodePoint(-1).length()',
    'illegal_argument_exception',
    'Not a valid Unicode code point: 0xFFFFFFFF',
  ],
  ['int x = 5; x.foo()', 'illegal_argument_exception', 'member method [int, foo/0] not found'],
  [
    "int x = 5; Integer y = 6; x.equals(5) + ' ' + x.compareTo(y) + ' ' + 5.5.toString()",
    'class_cast_exception',
    'Cannot cast from [int] to [java.lang.Integer].',
  ],
];

test('code points, chars of builders and methods of primitive values do what they do in Java', () => {
  assertResults(RESULTS);
});

test('their errors are those of Java', () => {
  assertErrors(ERRORS);
});
