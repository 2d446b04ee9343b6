import { bench } from '@shoal/testing';
import { newTokenList } from '../token-list.js';
import { appendStandardTerms, standardTokens } from './standard.kernel.js';

const WORDS =
  'The quick brown fox jumps over the lazy dog; a package of 3.14 tools, libfoo-dev (>= 1.2) and documentation for ' +
  'developers. ';
const text = WORDS.repeat(8);
const list = newTokenList();
bench('terms of a text in ASCII, a character', text.length, () => void appendStandardTerms(text, 255, true, 0, [], []));
bench('tokens with offsets, a character', text.length, () => standardTokens(text, 255, true, false, list));
const wide = 'Größe und Höhe der Brücke überprüfen '.repeat(20);
bench(
  'terms of a text with umlauts, a character',
  wide.length,
  () => void appendStandardTerms(wide, 255, true, 0, [], []),
);
