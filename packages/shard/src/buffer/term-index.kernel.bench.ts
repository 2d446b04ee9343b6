import { bench } from '@shoal/testing';
import { textHash } from './hash-slots.kernel.js';
import { addIndexed, findCandidates, findIndexed, termIndex } from './term-index.kernel.js';

const COUNT = 10_000;
const terms = Array.from({ length: COUNT }, (_, i) => `term-${i}`);
const hashes = Int32Array.from(terms, textHash);
const index = termIndex();
terms.forEach((_, id) => addIndexed(index, terms, hashes[id]!, id));
const found = new Int32Array(COUNT);
bench('find a term', COUNT, () => {
  for (let id = 0; id < COUNT; id++) found[id] = findIndexed(index, terms, terms[id]!, hashes[id]!);
});
bench('find candidates of many terms', COUNT, () => findCandidates(index, hashes, COUNT, found));
bench('add a term', COUNT, () => {
  const own = termIndex();
  for (let id = 0; id < COUNT; id++) addIndexed(own, terms, hashes[id]!, id);
});
