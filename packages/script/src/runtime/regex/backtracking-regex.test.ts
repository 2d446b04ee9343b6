import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BacktrackingRegex, stepLimit } from './backtracking-regex.js';
import { NO_FLAGS, withFlags } from './parse-regex.js';
import { compileTextRegex } from './text-regex.js';

const NO_LIMIT = (): void => undefined;

/** Begin, end and groups of all matches. */
function allMatches(pattern: string, text: string, flags = ''): unknown[] {
  const matcher = new BacktrackingRegex(pattern, withFlags(NO_FLAGS, flags, true)).matcher(text, NO_LIMIT);
  const found: unknown[] = [];
  while (matcher.find())
    found.push([
      matcher.start(),
      matcher.end(),
      ...Array.from({ length: matcher.groupCount() }, (_, i) => matcher.group(i + 1)),
    ]);
  return found;
}

/** Pattern, text, matches, flags. Those of java.util.regex. */
const ROWS: readonly (readonly [string, string, unknown[], string?])[] = [
  ['(?<=\\d{2})x', '12x3x', [[2, 3]]],
  [
    '(?<=^|,)x',
    'x,x',
    [
      [0, 1],
      [2, 3],
    ],
  ],
  [
    '(?<!a)b',
    'ab bb',
    [
      [3, 4],
      [4, 5],
    ],
  ],
  ['foo(?!bar)', 'foobar foobaz', [[7, 10]]],
  ['(?=(a+))a*b\\1', 'baaabac', [[3, 6, 'a']]],
  [
    '(\\w)\\1',
    'aabbc',
    [
      [0, 2, 'a'],
      [2, 4, 'b'],
    ],
  ],
  [
    '(?<x>ab)\\k<x>',
    'abAB abab',
    [
      [0, 4, 'ab'],
      [5, 9, 'ab'],
    ],
    'i',
  ],
  ['a*+a', 'aaa', []],
  ['(?>a+)b', 'aaab', [[0, 4]]],
  [
    '(a*)*(?=b)',
    'aab',
    [
      [0, 2, ''],
      [2, 2, ''],
    ],
  ],
  [
    '\\G\\d',
    '12a3',
    [
      [0, 1],
      [1, 2],
    ],
  ],
  [
    '[a-z&&[^aeiou]]+',
    'hello',
    [
      [0, 1],
      [2, 4],
    ],
  ],
  ['\\p{IsGreek}+', 'aβγ', [[1, 3]]],
  ['.', '😀\n', [[0, 2]]],
  ['^b$', 'a\nb\nc', [[2, 3]], 'm'],
  ['c$', 'ab\nc\n', [[3, 4]]],
  ['a b # c', 'ab', [[0, 2]], 'x'],
  ['x\\Z', 'x\r\n', [[0, 1]]],
  [
    '\\R',
    '\r\n\n',
    [
      [0, 2],
      [2, 3],
    ],
  ],
  ['\\Qa.b\\E+', 'a.bb', [[0, 4]]],
  ['(?i:a)b', 'Ab AB', [[0, 2]]],
  ['ß', 'SSß', [[2, 3]], 'iu'],
  ['\\x41\\u0042\\x{43}\\0104', 'ABCD', [[0, 4]]],
  ['(a)?\\1b', 'b', []],
];

test('look-around, references and the rest match as in Java', () => {
  for (const [pattern, text, expected, flags] of ROWS)
    assert.deepEqual(allMatches(pattern, text, flags), expected, `${pattern} on ${text}`);
});

/** Pattern, description and index of its error. */
const REFUSED: readonly (readonly [string, string, number])[] = [
  ['(', 'Unclosed group', 1],
  ['a{2', 'Unclosed counted closure', 3],
  ['[a', 'Unclosed character class', 1],
  ['*a', "Dangling meta character '*'", 0],
  ['a)', "Unmatched closing ')'", 0],
  ['(?y)a', 'Unknown inline modifier', 2],
  ['a{3,2}', 'Illegal repetition range', 5],
  ['[b-a]', 'Illegal character range', 3],
  ['(?<=a+)b', 'Look-behind group does not have an obvious maximum length', 6],
  ['\\k<x>', 'named capturing group <x> does not exist', 4],
  ['\\p{Nope}', 'Unknown character property name {Nope}', 7],
  [`${'('.repeat(200)}a${')'.repeat(200)}`, 'Too many nested groups', -1],
  ['(?:(?:a{1000}){1000}){1000}', 'The regular expression is too large', -1],
];

test('malformed expressions are refused in the words of Java', () => {
  for (const [pattern, message, index] of REFUSED) {
    const told = index < 0 ? { message } : { message, index };
    assert.throws(() => new BacktrackingRegex(pattern, NO_FLAGS), told, pattern);
  }
});

test('the steps of a match are bounded, and its stack', () => {
  const matched = (pattern: string, text: string): boolean =>
    new BacktrackingRegex(pattern, NO_FLAGS)
      .matcher(
        text,
        stepLimit(pattern, (reason) => new Error(reason)),
      )
      .find();
  assert.throws(() => matched('(a+)+(?=b)', 'a'.repeat(40)), /considered too many characters/);
  assert.throws(() => matched('(x+x+)+(?=y)', 'x'.repeat(60)), /step limit: \[1000000\]/);
  assert.throws(() => matched('(.*)(.*)(.*)(?!.)z', 'a'.repeat(5000)), /considered too many/);
  assert.equal(matched('(?<!x).*y', `${'a'.repeat(100_000)}y`), true);
});

test('what RE2 knows is left to it', () => {
  assert.equal(compileTextRegex('(a+)+$') instanceof BacktrackingRegex, false);
  assert.equal(compileTextRegex('a++') instanceof BacktrackingRegex, true);
  assert.equal(compileTextRegex('[a-z&&[^b]]') instanceof BacktrackingRegex, true);
  assert.equal(compileTextRegex('(?=', 'l') instanceof BacktrackingRegex, false);
});
