import { kernelContract } from '@shoal/testing';
import { compareTerms } from '@shoal/codec';
import fc from 'fast-check';
import { wildcardAutomaton, wildcardMatches } from '../../automata/wildcard.js';
import { intersectDictionary } from './intersect-dictionary.kernel.js';

/** Terms side by side, and how many UTF-16 units each shares with the one before. */
function dictionaryOf(terms: readonly string[]): { text: string; starts: Int32Array; shared: Uint8Array } {
  const starts = Int32Array.from([0, ...terms.map((_, i) => terms.slice(0, i + 1).join('').length)]);
  const shared = Uint8Array.from(terms, (term, i) => {
    const before = terms[i - 1] ?? '';
    let size = 0;
    while (size < Math.min(term.length, before.length) && term[size] === before[size]) size++;
    // A character of two units is shared whole or not at all.
    return size > 0 && /[\ud800-\udbff]/.test(term[size - 1]!) ? size - 1 : size;
  });
  return { text: terms.join(''), starts, shared };
}

const character = fc.constantFrom('a', 'b', 'c', 'é', '\u{1f600}', '\u{1f601}');
const terms = fc
  .uniqueArray(fc.string({ unit: character, maxLength: 5 }), { maxLength: 30 })
  .map((all) => all.toSorted(compareTerms));
const pattern = fc.string({ unit: fc.oneof(character, fc.constantFrom('*', '?')), maxLength: 6 });

kernelContract(
  'intersectDictionary finds the terms that match one by one',
  ({ all, wildcard, from }) => {
    const { text, starts, shared } = dictionaryOf(all);
    const out = new Int32Array(all.length);
    const first = Math.min(from, all.length);
    const automaton = wildcardAutomaton(wildcard, false);
    return [...out.subarray(0, intersectDictionary(text, starts, shared, first, all.length, automaton, out))];
  },
  ({ all, wildcard, from }) => all.flatMap((term, i) => (i >= from && wildcardMatches(wildcard, term) ? [i] : [])),
  fc.record({ all: terms, wildcard: pattern, from: fc.nat(3) }),
  1000,
);
