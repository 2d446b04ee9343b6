import { bench } from '@shoal/testing';
import { wildcardAutomaton } from '../../automata/wildcard.js';
import { intersectDictionary } from './intersect-dictionary.kernel.js';

const COUNT = 10_000;
const terms = Array.from({ length: COUNT }, (_, i) => `host-${String(i).padStart(6, '0')}`);
const starts = Int32Array.from({ length: COUNT + 1 }, (_, i) => i * 11);
const shared = Uint8Array.from(terms, (term, i) => {
  let size = 0;
  while (i > 0 && term[size] === terms[i - 1]![size]) size++;
  return size;
});
const text = terms.join('');
const out = new Int32Array(COUNT);
for (const pattern of ['host-001*', '*99', 'web*']) {
  const automaton = wildcardAutomaton(pattern, false);
  bench(`${pattern} over ${COUNT} terms`, COUNT, () => {
    intersectDictionary(text, starts, shared, 0, COUNT, automaton, out);
  });
}
