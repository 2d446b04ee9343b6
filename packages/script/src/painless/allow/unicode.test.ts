import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerOf } from '../../testing/recorded-scripts.js';

/** Scripts and the texts of their results, or of the causes of their errors, as OpenSearch 2.19 answers them. */
const ROWS: readonly (readonly [source: string, answer: string])[] = [
  [
    'Character.UnicodeBlock.of(0x41).toString() + Character.UnicodeScript.of(0x41) + ' +
      'Character.UnicodeBlock.forName("Basic Latin")',
    'BASIC_LATINLATINBASIC_LATIN',
  ],
  [
    'Character.UnicodeScript.of(0x3b1).name() + Character.UnicodeScript.of(0x378) + ' +
      'Character.UnicodeScript.of(0x300) + Character.UnicodeScript.of(0x20)',
    'GREEKUNKNOWNINHERITEDCOMMON',
  ],
  ["Character.UnicodeScript.valueOf('GREEK').ordinal() + ' ' + Character.UnicodeScript.values().length", '2 157'],
  ['Character.UnicodeBlock.of(0x2fe0)', 'null'],
  ['Character.UnicodeBlock.of(-1)', 'illegal_argument_exception: Not a valid Unicode code point: 0xFFFFFFFF'],
  ["Character.UnicodeBlock.forName('nope')", 'illegal_argument_exception: Not a valid block name: nope'],
  ["Character.UnicodeBlock.forName('CJK Unified Ideographs').toString()", 'CJK_UNIFIED_IDEOGRAPHS'],
  ["Character.UnicodeScript.forName('latin').toString()", 'LATIN'],
  [
    "Character.UnicodeScript.forName('nope')",
    'illegal_argument_exception: No enum constant java.lang.Character.UnicodeScript.NOPE',
  ],
  ["Character.UnicodeScript s = Character.UnicodeScript.of('б'.codePointAt(0)); s.toString()", 'CYRILLIC'],
  [
    "String t = 'привет мир'; int n = 0; for (int i = 0; i < t.length(); i++) { if " +
      '(Character.UnicodeBlock.of(t.codePointAt(i)) == Character.UnicodeBlock.CYRILLIC) { n++ } } n',
    '9',
  ],
];

test('blocks and scripts of characters are those of Java', () => {
  for (const [source, expected] of ROWS) assert.equal(answerOf(source), expected, source);
});
