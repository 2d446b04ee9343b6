import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { newTokenList } from '../token-list.js';
import { lowerCase } from '../unicode/case.js';
import { appendStandardTerms, standardTokens } from './standard.kernel.js';
import { scanStandard } from './standard-scan.js';

const character = fc.constantFrom(
  ...'aZ09_.,:;\'"- #*',
  'é',
  'e\u0301',
  '\u00ad',
  '日',
  'ひ',
  'カ',
  '한',
  '\u{1f600}',
  '\u200d',
  '\ufe0f',
);
const input = fc.record({
  text: fc.string({ unit: character, maxLength: 40 }),
  maxLength: fc.constantFrom(1, 3, 255),
  lower: fc.boolean(),
});

kernelContract(
  'both kernels cut a text as the full rules do',
  ({ text, maxLength, lower }) => {
    const list = newTokenList();
    standardTokens(text, maxLength, lower, false, list);
    const [terms, positions]: [string[], number[]] = [[], []];
    const end = appendStandardTerms(text, maxLength, lower, 5, terms, positions);
    const offsets = terms.map((_, i) => [list.startOffsets[i], list.endOffsets[i]]);
    return { terms, listed: list.terms.slice(0, list.count), positions, end, offsets };
  },
  ({ text, maxLength, lower }) => {
    const offsets: number[][] = [];
    for (let i = 0; i < text.length; ) {
      const scanned = scanStandard(text, i, Math.min(text.length, i + maxLength));
      const end = Math.floor(scanned / 16);
      if ((scanned & 15) !== 0) offsets.push([i, end]);
      i = end;
    }
    const terms = offsets.map(([start, end]) => (lower ? lowerCase(text.slice(start, end)) : text.slice(start, end)));
    return { terms, listed: terms, positions: terms.map((_, i) => 5 + i), end: 5 + terms.length, offsets };
  },
  input,
  500,
);
